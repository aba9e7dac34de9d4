// Calls of every store that are made of others of its contract.

package import DrayCore

extension JobReading {
  /// Returns the first `limit` jobs in these states (`nil` means all) with numbers above `id`, in ascending order.
  package func summaries(
    after id: JobID, states: Set<JobState>?, limit: Int
  ) async throws(Failure) -> [JobSummary] {
    try await summaries(after: id, of: JobChoice(states: states), limit: limit)
  }

  /// Adds jobs at the end of the queue: either all of them or none. This call is durable.
  package func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double, seen: Set<JobID>?
  ) async throws(Failure) -> [AddedJob] {
    try await add(specifications, marks: marks, now: now, seen: seen, entering: Entrance())
  }

  /// Deletes complete and failed jobs in batches, so that other processes never wait for long.
  /// - Parameter before: Only jobs that ended before this time; `nil` means all.
  /// - Returns: The number of deleted jobs.
  package func forgetFinished(before: Double?) async throws(Failure) -> Int {
    let limit = 5000
    var deleted = 0
    while true {
      let batch = try await forgetFinished(before: before, limit: limit)
      deleted += batch
      guard batch == limit else { return deleted }
    }
  }

  /// A store of one machine knows no shares: all its files are on that machine.
  package func shares() async throws(Failure) -> [String: String] { [:] }

  package func enter(share path: String, mark: String) async throws(Failure) -> String { mark }

  /// Adds arrangements to jobs. The jobs get no mirrors.
  package func arrange(
    _ wanted: [JobID: [SourceArrangement]], mayReplace: Bool
  ) async throws(Failure) -> [JobID: JobState] {
    try await arrange(wanted, for: [:], mayReplace: mayReplace)
  }

  /// Removes jobs, whether or not other names wait for their files.
  package func remove(_ ids: [JobID]) async throws(Failure) -> [(id: JobID, result: ControlResult)] {
    try await remove(ids, with: nil)
  }

  /// Counts the jobs that are neither complete nor failed.
  package func unfinishedCount() async throws(Failure) -> Int {
    try await counts(ids: nil).reduce(0) { $1.key.isFinished ? $0 : $0 + $1.value }
  }

  /// Calls `body` with every job in these states (`nil` means all), ordered by number, like ``forEachSummary(of:_:)``.
  package func forEachSummary(
    states: Set<JobState>? = nil, _ body: (JobSummary) throws -> Void
  ) async throws {
    try await forEachSummary(of: JobChoice(states: states), body)
  }

  /// Calls `body` with every job of a selection, ordered by number.
  ///
  /// Jobs are read in pages; each page is consistent. No transaction is open while `body` runs, so a slow reader delays
  /// no writer.
  /// - Throws: Any error of `body`, and a failure of kind `store`.
  package func forEachSummary(of choice: JobChoice, _ body: (JobSummary) throws -> Void) async throws {
    // Large pages cost less time, small pages less memory.
    let limit = 1000
    var last: JobID = 0
    while true {
      let page = try await summaries(after: last, of: choice, limit: limit)
      for summary in page { try body(summary) }
      guard page.count == limit, let id = page.last?.id else { return }
      last = id
    }
  }
}
