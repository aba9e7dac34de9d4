// The hooks of a run, with their environment and their input.

public import DrayCore
internal import FoundationEssentials

/// The hooks of a run.
public struct RunHooks: Sendable {
  /// The commands for jobs that have no commands of their own.
  public var commands = Hooks()
  /// The seconds after which a running hook is terminated.
  public var timeout: Double = 600
  /// Returns the description of an ended job, for a hook's standard input.
  public var describe: @Sendable (Job) -> [UInt8] = { RunHooks.describe($0) }

  /// Creates hooks without commands.
  public init() {}

  /// Returns a line of JSON with `id`, `uuid`, `url` without secrets, `state` and `target`.
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

enum HookEnvironment {
  /// Returns the variables for a hook; their names must differ from those for options, which also begin with `DRAY_`.
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
    // An environment variable cannot contain NUL.
    return all.filter { !$0.value.contains("\0") }
  }
}

enum HookChoice {
  /// Returns the command for an event; `nil` if the event has none.
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
