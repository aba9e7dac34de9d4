// Decides when writing to an output may block: never during a run.

internal import Synchronization
internal import TerminalUI

/// Knows whether a run is being shown. During a run, a signal is handled by calling a closure; a thread that waits for
/// a reader would delay that call. At any other time, a signal ends the process at once.
enum LiveOutput {
  private static let watches = Atomic(0)
  private static let isStopped = Atomic(false)

  static var isLive: Bool { watches.load(ordering: .relaxed) > 0 }

  /// The number of milliseconds to wait until the results are read; a negative number means no limit. After a signal,
  /// the wait is short.
  static var patience: Int32 { isLive ? 0 : isStopped.load(ordering: .relaxed) ? 500 : -1 }

  static func begin() { watches.add(1, ordering: .relaxed) }

  /// Records that a signal ends the run.
  static func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Records that the run has ended. Messages get a little time to be read, because the program that started dray may
  /// read them only after the end.
  static func end() {
    watches.subtract(1, ordering: .relaxed)
    SteadyOutput.standardError.drain(patience: isStopped.load(ordering: .relaxed) ? 500 : 3000)
  }
}
