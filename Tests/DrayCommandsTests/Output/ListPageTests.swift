// Pages of `dray list`: which jobs they have, and where the next one begins.

import DrayCore
import DrayStore
import StoreTesting
import Testing

@testable import DrayCommands

@Suite struct ListPageTests {
  /// Columns: the job before the page, its limit, the states, the jobs of the page, and the last one if others follow.
  private static let pages: [(JobID, Int?, Set<JobState>?, [JobID], JobID?)] = [
    (0, 2, nil, [1, 2], 2), (2, 2, nil, [3, 4], 4), (4, 2, nil, [5], nil), (0, 5, nil, [1, 2, 3, 4, 5], nil),
    (3, nil, nil, [4, 5], nil), (9, 2, nil, [], nil), (0, 1, [.failed], [2], nil), (0, 1, [.queued], [1], 1),
  ]

  @Test(arguments: ListPageTests.pages.indices)
  func jobs(index: Int) async throws {
    let (after, limit, states, expected, next) = Self.pages[index]
    let temporary = try TemporaryStore()
    let store = temporary.store
    for number in 1...5 { _ = try await store.makeJob("f\(number)", in: number == 2 ? .failed : .queued) }
    var ids: [JobID] = []
    let last = try await ListPage(after: after, limit: limit).forEach(store, ListFilter(states: states)) {
      ids.append($0.id)
    }
    #expect(ids == expected && last == next)
  }

  @Test("a filter by label")
  func labels() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var job = try specification("http://h/a")
    job.options.labels = [try label("gpu"), try label("site=n")]
    _ = try await store.add([job, try specification("http://h/b")], now: 1)
    var filter = ListFilter()
    filter.labels = [try label("gpu")]
    var ids: [JobID] = []
    let last = try await ListPage(limit: 9).forEach(store, filter) { ids.append($0.id) }
    #expect(ids == [1] && last == nil && filter.isSelecting && !filter.selectsByState)
  }
}
