// Checks the limits that the system sets for this process, before anything else is done. Without descriptors, threads
// or /proc, Swift's runtime crashes, hangs or finds no arguments, and prints no message.

internal import DrayKit
internal import Posix

enum ProcessLimits {
  /// The number of descriptors that is requested at most. Some programs that hooks run try every number up to the
  /// limit, which would take long.
  private static let enoughDescriptors: UInt64 = 16_384
  /// The minimum number of threads that a run needs.
  private static let leastThreads = 12
  /// If the limit of processes is below this number, it is tested whether threads can be created.
  private static let fewProcesses: UInt64 = 4096

  /// The minimum address space that a run needs: for the program, its libraries, and the stacks of its threads.
  private static let leastSpace: UInt64 = 320 << 20
  /// If the limit of address space is below this size, it is tested whether threads can be created.
  private static let littleSpace: UInt64 = 1 << 30

  /// Raises the soft limit of descriptors, which is low for the sake of old programs, to the hard limit or to
  /// `enoughDescriptors`, whichever is lower.
  static func raise() { System.raiseDescriptorLimit(to: enoughDescriptors) }

  /// The shortage and the advice if there is too little address space; `nil` if there is enough. With too little, the
  /// runtime would wait for threads forever.
  static var lackOfSpace: (what: String, advice: String)? {
    guard let limit = System.addressSpaceLimit, limit < littleSpace,
      limit < leastSpace || !System.canStartThreads(leastThreads)
    else { return nil }
    return ("too little address space (\(limit >> 20) MiB, `ulimit -v`)", "allow 512 MiB or more")
  }

  /// What is missing, and the remedy; `nil` if nothing is missing.
  static var lack: (what: String, advice: String)? {
    // Swift reads the arguments of the process from /proc, and libdispatch reads the state of its threads there.
    // Without /proc, they end the process.
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
