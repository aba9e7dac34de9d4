// The order of the queue, and the limits for runners, changed from any process.

internal import DrayEngine
public import DrayStore
internal import Posix
internal import Threads

extension LocalZone {
  /// The zone of this machine, by `TZ` or its configuration.
  public static let current = LocalZone { moment in
    System.zoneOffset(at: Int(saturating: moment.rounded(.down)))
  }
}

extension DownloadManager {
  /// Moves waiting jobs to a position in the queue, in the order given. The jobs take the priority of that position.
  /// - Throws: Kind `usage` for a job that does not wait; no job was moved.
  public func move(_ ids: [JobID], to place: QueuePlace) async throws(Failure) {
    try await store.move(ids, to: place)
  }

  /// Limits the rate of every runner, including running ones, until ``clearLimit()``.
  /// - Parameter rule: In the syntax of `RateRule.parse(_:)`.
  /// - Throws: Kind `usage` for an invalid rule.
  public func setLimit(_ rule: String) async throws(Failure) {
    do throws(QuantityParseError) { _ = try RateRule.parse(rule) } catch {
      throw Failure(.usage, "the limit", error.message)
    }
    try await store.set(.rateLimit, to: rule)
  }

  /// Restores the rates that runners were started with.
  public func clearLimit() async throws(Failure) { try await store.set(.rateLimit, to: nil) }

  /// Returns the limit that ``setLimit(_:)`` set, as text and parsed; `nil` if there is none.
  public func limit() async throws(Failure) -> (text: String, rule: RateRule)? {
    guard let text = try await store.setting(.rateLimit) else { return nil }
    return (try? RateRule.parse(text)).map { (text, $0) }
  }

  /// Sets how many jobs every runner transfers at once, including running ones, until ``clearJobs()``. Transfers above
  /// a smaller number run to their ends.
  public func setJobs(_ limit: JobsLimit) async throws(Failure) {
    try await store.set(.jobs, to: limit.description)
  }

  /// Restores the numbers of jobs that runners were started with.
  public func clearJobs() async throws(Failure) { try await store.set(.jobs, to: nil) }

  /// Returns the limit that ``setJobs(_:)`` set; `nil` if there is none.
  public func jobsLimit() async throws(Failure) -> JobsLimit? {
    try await store.setting(.jobs).flatMap(JobsLimit.init)
  }

  /// Limits the times at which every runner transfers, including running ones, until ``clearWindow()``. Outside of
  /// these times, transfers are stopped, and their bytes kept.
  /// - Parameter window: The times; `nil` for all, even for a runner that was started with a window.
  public func setWindow(_ window: TransferWindow?) async throws(Failure) {
    try await store.set(.window, to: window.map { "\($0)" } ?? "off")
  }

  /// Restores the windows that runners were started with.
  public func clearWindow() async throws(Failure) { try await store.set(.window, to: nil) }

  /// Returns the window that ``setWindow(_:)`` set, as text; `nil` if there is none.
  public func window() async throws(Failure) -> (text: String, window: TransferWindow?)? {
    guard let text = try await store.setting(.window) else { return nil }
    do throws(SettingProblem) { return (text, try SettingForm<TransferWindow?>.window.value(of: text)) } catch {
      return nil
    }
  }

  package func runnerCount() async throws(Failure) -> Int { try await store.livingRunners().count }

  /// Looks at shares that the store knows or the user names; empty for a store of one machine.
  package func shareStates() async throws(Failure) -> [ShareState] {
    try await shares?.lookAtAll()
    return shares?.known ?? []
  }

  /// Whether a live runner owns a job. Jobs of dead runners do not count.
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
