// Checks the system's limits for this process first. Without descriptors, threads or /proc, the runtime crashes, hangs
// or finds no arguments, instead of printing a message.

internal import DrayKit
internal import Posix

enum ProcessLimits {
  /// The maximum number of descriptors to request. Some programs that hooks run try every number up to the limit.
  private static let enoughDescriptors: UInt64 = 16_384
  /// The minimum number of threads for a run.
  private static let leastThreads = 12
  /// Below this limit of processes, test whether threads can be created.
  private static let fewProcesses: UInt64 = 4096

  /// The least address space of a run: the program, its libraries, and the stacks of its threads.
  private static let leastSpace: UInt64 = 320 << 20
  /// Below this limit of address space, test whether threads can be created.
  private static let littleSpace: UInt64 = 1 << 30

  /// Raises the soft limit of descriptors, which is low for old programs, up to the hard limit or `enoughDescriptors`.
  static func raise() { System.raiseDescriptorLimit(to: enoughDescriptors) }

  /// The lack of address space, with which the runtime would wait for threads for ever; `nil` if there is enough.
  static var lackOfSpace: (what: String, advice: String)? {
    guard let limit = System.addressSpaceLimit, limit < littleSpace,
      limit < leastSpace || !System.canStartThreads(leastThreads)
    else { return nil }
    return ("too little address space (\(limit >> 20) MiB, `ulimit -v`)", "allow 512 MiB or more")
  }

  /// The missing resource and the remedy; `nil` if nothing is missing.
  static var lack: (what: String, advice: String)? {
    // Swift reads the process's arguments from /proc, and libdispatch the state of its threads. Without /proc, they end
    // the process.
    if !System.hasProcessFiles {
      return ("the files of /proc cannot be read, which Swift's runtime needs", "mount it: `mount -t proc proc /proc`")
    }
    let least = DescriptorBudget.least
    if let limit = System.descriptorLimit, limit < 4 * UInt64(least),
      limit < UInt64(least) || !System.canOpen(Int(least))
    {
      return (
        "too few files may be open at once (\(limit)): \(least) more than are open already are needed",
        "raise `ulimit -n`"
      )
    }
    if let limit = System.processLimit, limit < fewProcesses, !System.canStartThreads(leastThreads) {
      return ("no more threads can be created: \(leastThreads) are needed", "raise `ulimit -u`, or end other programs")
    }
    return nil
  }
}
