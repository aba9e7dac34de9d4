// What a run does when one of its jobs ends, and what became of it.

public import DrayCore
internal import FoundationEssentials

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
    all["DRAY_JOB_ERROR"] = job.state == .complete ? nil : job.failure?.description
    // The environment cannot hold it, and a file name may.
    return all.filter { !$0.value.contains("\0") }
  }
}

/// Which hook a job's ending calls for.
enum HookChoice {
  /// The words of the command; `nil` if there is none.
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
