// What the system lets this process have, checked before anything depends on it: without descriptors, threads or /proc the
// runtime would crash or wait forever, or find no arguments, where a message is due.

internal import DrayKit
internal import Posix

/// The limits that a command needs.
enum ProcessLimits {
  /// Descriptors beyond which none are asked for: some programs that hooks run try every number up to the limit.
  private static let enoughDescriptors: UInt64 = 16_384
  /// Threads that a run needs at least.
  private static let leastThreads = 12
  /// A limit on processes below which it is tried whether threads can be made.
  private static let fewProcesses: UInt64 = 4096

  /// Raises the soft limit on descriptors, which is low for the sake of old programs, to the hard one.
  static func raise() { System.raiseDescriptorLimit(to: enoughDescriptors) }

  /// What is lacking for anything to work, and what to do about it; `nil` if nothing is.
  static var lack: (what: String, advice: String)? {
    // Swift reads the arguments of the process there, and libdispatch the state of its threads: it ends the process where it
    // cannot.
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
