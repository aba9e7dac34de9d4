// Decides when outputs may block: never during a run.

internal import Synchronization
internal import TerminalUI

/// Whether a run is being shown. During a run, a signal is handled by a call, which a thread that waits for a reader
/// would delay. At any other time a signal ends the process at once.
enum LiveOutput {
  private static let watches = Atomic(0)
  private static let isStopped = Atomic(false)

  static var isLive: Bool { watches.load(ordering: .relaxed) > 0 }

  /// The milliseconds to wait for the reader of the results; negative for no limit. After a signal, the wait is short.
  static var patience: Int32 { isLive ? 0 : isStopped.load(ordering: .relaxed) ? 500 : -1 }

  static func begin() { watches.add(1, ordering: .relaxed) }

  /// A signal ends the run.
  static func stop() { isStopped.store(true, ordering: .relaxed) }

  /// The run has ended. Messages are given a little time, because whoever started the program may read them only after
  /// its end.
  static func end() {
    watches.subtract(1, ordering: .relaxed)
    SteadyOutput.standardError.drain(patience: isStopped.load(ordering: .relaxed) ? 500 : 3000)
  }
}
