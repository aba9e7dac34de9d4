// The order of the queue and the limits that hold while it is worked on, from any process.

internal import DrayEngine
public import DrayStore
internal import Glibc
internal import Threads

extension LocalZone {
  /// The zone of this machine, as `TZ` or its configuration has it.
  public static let current = LocalZone { moment in
    var time = time_t(saturating: moment.rounded(.down))
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
  }
}

extension DownloadManager {
  /// Moves jobs that wait to a place in the queue, in the order given; they take the priority that rules there.
  /// - Throws: kind `usage` for a job that does not wait; nothing was moved then.
  public func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure) {
    try await store.move(ids, to: place)
  }

  /// Limits the rate of every runner, those that run already among them, until ``clearLimit()``.
  /// - Parameter rule: what `RateRule.parse(_:)` reads.
  /// - Throws: kind `usage` for what it does not.
  public func setLimit(_ rule: String) async throws(Failure) {
    do throws(QuantityParseError) { _ = try RateRule.parse(rule) } catch {
      throw Failure(.usage, "the limit", error.message)
    }
    try await store.set(.rateLimit, to: rule)
  }

  /// Leaves the rate of runners to what each of them was started with.
  public func clearLimit() async throws(Failure) { try await store.set(.rateLimit, to: nil) }

  /// The limit that ``setLimit(_:)`` set, as it was written and as it is read; `nil` if there is none.
  public func limit() async throws(Failure) -> (text: String, rule: RateRule)? {
    guard let text = try await store.setting(.rateLimit) else { return nil }
    return (try? RateRule.parse(text)).map { (text, $0) }
  }

  /// Sets how many jobs every runner transfers at once, those that run already among them, until ``clearJobs()``. Transfers
  /// beyond a smaller number go on to their end.
  public func setJobs(_ limit: JobsLimit) async throws(Failure) {
    try await store.set(.jobs, to: limit.description)
  }

  /// Leaves the number of jobs to what each runner was started with.
  public func clearJobs() async throws(Failure) { try await store.set(.jobs, to: nil) }

  /// What ``setJobs(_:)`` set; `nil` if that is nothing.
  public func jobsLimit() async throws(Failure) -> JobsLimit? {
    try await store.setting(.jobs).flatMap(JobsLimit.init)
  }

  /// How many runners live.
  package func runnerCount() async throws(Failure) -> Int { try await store.livingRunners().count }

  /// Whether some process that is alive transfers jobs.
  public func hasRunners() async throws(Failure) -> Bool {
    try await runnerCount() > 0
  }
}
