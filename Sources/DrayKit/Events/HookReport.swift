internal import DrayCore

/// The result of running a hook. The result never affects the job, its file, or the exit status of the run.
public struct HookReport: Sendable, Equatable {
  /// How the hook ended.
  public enum Ending: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
    /// The hook was terminated after this many seconds.
    case timedOut(Double)
    /// The hook could not be started, for this reason.
    case notStarted(String)
  }

  /// The program.
  public var program: String
  /// How the hook ended.
  public var ending: Ending
  /// The last lines of the hook's output, escaped for printing.
  public var output: [String]

  /// Creates a report.
  package init(program: String, ending: Ending, output: [String] = []) {
    (self.program, self.ending, self.output) = (program, ending, output)
  }

  /// The problem with the hook, as a clause; `nil` if there was none.
  public var problem: String? {
    switch ending {
    case .exited(0): nil
    case .exited(let status): "it ended with exit status \(status)"
    case .signalled(let number): "signal \(number) ended it"
    case .timedOut(let seconds): "it was stopped because it took more than \(TimeSpan.text(seconds))"
    case .notStarted(let reason): reason
    }
  }
}
