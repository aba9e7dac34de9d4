// A page of `dray list`: it shows a few jobs of a store with millions, and does not read the others.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct PageArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Show at most this many jobs, and say where the next ones begin.",
      discussion: "In the order of the ids. With --after this reads a list of millions page by page.",
      valueName: "number"))
  var limit: String?

  @Option(
    help: ArgumentHelp("Show only the jobs after this one, in the order of the ids.", valueName: "id"))
  var after: String?

  /// Whether the options select a part of the list.
  var isChosen: Bool { limit != nil || after != nil }

  /// Returns the page that the options select; `nil` for the whole list.
  /// - Throws: Kind `usage`, for example if the order is not that by id.
  func page(_ sort: ListOrder) throws(Failure) -> ListPage? {
    guard isChosen else { return nil }
    guard sort == .id else {
      throw OptionValue.bad("--sort", "pages (--limit, --after) are in the order of the ids: leave it out")
    }
    var page = ListPage()
    if let after { page.after = try OptionValue.read(after, .id, "--after") }
    if let limit { page.limit = try OptionValue.count(limit, "--limit", 1...1_000_000) }
    return page
  }
}

/// A part of the jobs in the order of their ids.
struct ListPage: Sendable {
  /// The id after which the page begins.
  var after: JobID = 0
  /// The maximum number of jobs on the page; `nil` for all that follow.
  var limit: Int?

  /// Calls `body` with each job of the page.
  /// - Returns: The last job of the page if other matching jobs follow it; otherwise `nil`.
  func forEach(
    _ jobs: any JobReading, _ filter: ListFilter, _ body: (JobSummary) -> Void
  ) async throws(Failure) -> JobID? {
    var (last, shown, lastShown) = (after, 0, after)
    while true {
      // A filter may drop most of the jobs that are read, so with a filter even a small limit needs large reads.
      let size = filter.isChoice ? min((limit ?? .max) - shown, 999) + 1 : 1000
      let rows = try await jobs.summaries(after: last, of: filter.choice, limit: size)
      for row in rows where filter.takes(row) {
        if shown == limit { return lastShown }
        body(row)
        (shown, lastShown) = (shown + 1, row.id)
      }
      guard rows.count == size, let id = rows.last?.id else { return nil }
      last = id
    }
  }
}
