// What became of a hook.

internal import DrayCore

/// What became of a hook. It never changes the job, its file, or the exit status of the run.
public struct HookReport: Sendable, Equatable {
  /// How it ended.
  public enum Ending: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
    /// It was ended, as it had not come to its end after that many seconds.
    case timedOut(Double)
    /// It could not be started; why.
    case notStarted(String)
  }

  /// The program.
  public var program: String
  /// How it ended.
  public var ending: Ending
  /// The last lines that it wrote, escaped.
  public var output: [String]

  /// Makes a report.
  public init(program: String, ending: Ending, output: [String] = []) {
    (self.program, self.ending, self.output) = (program, ending, output)
  }

  /// What went wrong, a clause; `nil` if nothing did.
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
