// What a run does when one of its jobs ends, and what became of it.

public import DrayCore
internal import Foundation

/// The hooks of a run.
public struct RunHooks: Sendable {
  /// The commands for jobs that have none of their own.
  public var commands = Hooks()
  /// Seconds until a hook that still runs is ended.
  public var timeout: Double = 600
  /// Makes what a hook reads on its standard input out of the job that ended.
  public var describe: @Sendable (Job) -> [UInt8] = { RunHooks.describe($0) }

  /// None.
  public init() {}

  /// The least that is worth knowing, as a line of JSON: `id`, `uuid`, `url` without secrets, `state`, `target`.
  static func describe(_ job: Job) -> [UInt8] {
    var json = JSONText()
    json.beginObject()
    json.field("id", job.id)
    json.field("uuid", job.uuid.uuidString)
    json.field("url", job.specification.request.url.description)
    json.field("state", job.state.rawValue)
    json.field("target", job.target)
    json.endObject()
    json.endLine()
    return json.bytes
  }
}

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

  /// What went wrong, a clause; `nil` where nothing did.
  public var problem: String? {
    switch ending {
    case .exited(0): nil
    case .exited(let status): "it ended with exit status \(status)"
    case .signalled(let number): "signal \(number) ended it"
    case .timedOut(let seconds): "it was ended, as it took more than \(TimeSpan.text(seconds))"
    case .notStarted(let reason): reason
    }
  }
}

/// What a hook finds in its environment.
enum HookEnvironment {
  /// The variables about a job. Their names cannot be those of options, which begin with `DRAY_` as well.
  static func variables(of job: Job) -> [String: String] {
    var all = [
      "DRAY_JOB_ID": "\(job.id)", "DRAY_JOB_UUID": job.uuid.uuidString,
      "DRAY_JOB_URL": job.specification.request.url.description, "DRAY_JOB_STATE": job.state.rawValue,
      "DRAY_JOB_DIRECTORY": job.specification.directory,
      "DRAY_JOB_EXIT_STATUS": "\(job.state == .complete ? 0 : job.failure?.exitStatus.rawValue ?? 1)",
    ]
    all["DRAY_JOB_TARGET"] = job.target
    all["DRAY_JOB_SIZE"] = (job.published?.size ?? job.checkpoint.size).map { "\($0)" }
    all["DRAY_JOB_DIGEST"] = job.digest?.description
    all["DRAY_JOB_ERROR"] = job.state == .complete ? nil : job.failure?.message
    // The environment cannot hold it, and a file name may.
    return all.filter { !$0.value.contains("\0") }
  }
}

/// Which hook a job's ending calls for.
enum HookChoice {
  /// The words of the command; `nil` where there is none.
  static func command(for kind: JobEvent.Kind, of job: Job, _ hooks: RunHooks) -> [String]? {
    let own = job.specification.options.hooks
    let words: [String]? =
      switch kind {
      case .complete, .completeWithoutFile: own?.onComplete ?? hooks.commands.onComplete
      case .failed, .interrupted(.some): own?.onError ?? hooks.commands.onError
      default: nil
      }
    return words?.isEmpty == false ? words : nil
  }
}
