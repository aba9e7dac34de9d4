// Changes the order of the queue and the limits for runners, from any process.

internal import DrayEngine
public import DrayStore
internal import Posix
internal import Threads

extension LocalZone {
  /// The time zone of this machine, from `TZ` or the system's configuration.
  public static let current = LocalZone { moment in
    System.zoneOffset(at: Int(saturating: moment.rounded(.down)))
  }
}

extension DownloadManager {
  /// Moves waiting jobs to a position in the queue, in the order in which they are given. They get the priority of that
  /// position.
  /// - Throws: Kind `usage` for a job that does not wait; no job is moved then.
  public func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure) {
    try await store.move(ids, to: place)
  }

  /// Limits the rate of every runner, including those that are running, until ``clearLimit()``.
  /// - Parameter rule: The limit, in the syntax of `RateRule.parse(_:)`.
  /// - Throws: Kind `usage` for an invalid rule.
  public func setLimit(_ rule: String) async throws(Failure) {
    do throws(QuantityParseError) { _ = try RateRule.parse(rule) } catch {
      throw Failure(.usage, "the limit", error.message)
    }
    try await store.set(.rateLimit, to: rule)
  }

  /// Ends the limit; each runner uses the rate with which it was started.
  public func clearLimit() async throws(Failure) { try await store.set(.rateLimit, to: nil) }

  /// Returns the limit that ``setLimit(_:)`` set, as text and parsed; `nil` if there is none.
  public func limit() async throws(Failure) -> (text: String, rule: RateRule)? {
    guard let text = try await store.setting(.rateLimit) else { return nil }
    return (try? RateRule.parse(text)).map { (text, $0) }
  }

  /// Sets how many jobs every runner transfers at once, including those that are running, until ``clearJobs()``. If
  /// more are active, they continue to their ends.
  public func setJobs(_ limit: JobsLimit) async throws(Failure) {
    try await store.set(.jobs, to: limit.description)
  }

  /// Ends the limit; each runner uses the number of jobs with which it was started.
  public func clearJobs() async throws(Failure) { try await store.set(.jobs, to: nil) }

  /// Returns the limit that ``setJobs(_:)`` set; `nil` if there is none.
  public func jobsLimit() async throws(Failure) -> JobsLimit? {
    try await store.setting(.jobs).flatMap(JobsLimit.init)
  }

  /// Limits the times at which every runner transfers, including those that are running, until ``clearWindow()``. At
  /// other times, transfers are stopped, and their bytes are kept.
  /// - Parameter window: The times; `nil` for all times, even for a runner that was started with a window.
  public func setWindow(_ window: TransferWindow?) async throws(Failure) {
    try await store.set(.window, to: window.map { "\($0)" } ?? "off")
  }

  /// Ends the limit; each runner uses the window with which it was started.
  public func clearWindow() async throws(Failure) { try await store.set(.window, to: nil) }

  /// Returns the window that ``setWindow(_:)`` set, as text; `nil` if there is none.
  public func window() async throws(Failure) -> (text: String, window: TransferWindow?)? {
    guard let text = try await store.setting(.window) else { return nil }
    do throws(SettingProblem) { return (text, try SettingForm<TransferWindow?>.window.value(of: text)) } catch {
      return nil
    }
  }

  package func runnerCount() async throws(Failure) -> Int { try await store.livingRunners().count }

  /// Returns the state of the shares that the store knows or the user names; empty for a store of one machine.
  package func shareStates() async throws(Failure) -> [ShareState] {
    try await shares?.lookAtAll()
    return shares?.known ?? []
  }

  /// Returns whether a live runner owns a job.
  package func isTransferring() async throws(Failure) -> Bool {
    let holders = try await store.activeRunners()
    let dead = try await store.deadRunners(among: holders)
    return !dead.isSuperset(of: holders)
  }

  /// Returns whether any live process transfers jobs.
  public func hasRunners() async throws(Failure) -> Bool {
    try await runnerCount() > 0
  }
}
