import DrayCore
import Testing

@Suite("Changes of a job between two readings of its record")
struct JobTransitionTests {
  static let rows: [(JobStatus?, JobStatus, [JobTransition])] = [
    (nil, .init(state: .queued), [.added]),
    (
      nil, .init(state: .complete, attempts: 1, hasAnswered: true),
      [.added, .started(attempt: 1), .answered, .complete]
    ),
    (.init(state: .queued), .init(state: .active, attempts: 1), [.started(attempt: 1)]),
    (.init(state: .active, attempts: 1), .init(state: .active, attempts: 1, hasAnswered: true), [.answered]),
    (.init(state: .active, attempts: 1), .init(state: .queued, attempts: 1, notBefore: 9), [.retrying]),
    (.init(state: .active, attempts: 1), .init(state: .queued, attempts: 1), [.queued]),
    (.init(state: .active, attempts: 1), .init(state: .active, attempts: 2), [.started(attempt: 2)]),
    (
      .init(state: .active, attempts: 1), .init(state: .failed, attempts: 3),
      [.started(attempt: 2), .started(attempt: 3), .failed]
    ),
    (.init(state: .active, attempts: 1), .init(state: .interrupted, attempts: 1), [.interrupted]),
    (
      .init(state: .interrupted, attempts: 1), .init(state: .interrupted, attempts: 2),
      [.started(attempt: 2), .interrupted]
    ),
    (.init(state: .interrupted), .init(state: .queued), [.queued]),
    (.init(state: .queued), .init(state: .paused), [.paused]), (.init(state: .queued), .init(state: .queued), []),
    (.init(state: .active, attempts: 1), .init(state: .failed, attempts: 1), [.failed]),
    // The job started over and ended in the same way.
    (
      .init(state: .failed, attempts: 1, finishedAt: 1), .init(state: .failed, attempts: 2, finishedAt: 2),
      [.queued, .started(attempt: 2), .failed]
    ),
    (
      .init(state: .failed, attempts: 1, finishedAt: 1), .init(state: .failed, attempts: 1, finishedAt: 2),
      [.queued, .failed]
    ),
    (.init(state: .failed, attempts: 1, finishedAt: 1), .init(state: .failed, attempts: 1, finishedAt: 1), []),
    (
      .init(state: .complete, attempts: 1, finishedAt: 1), .init(state: .active, attempts: 2),
      [.queued, .started(attempt: 2)]
    ),
  ]

  @Test(arguments: rows.indices)
  func transitions(_ index: Int) {
    let (old, new, expected) = Self.rows[index]
    #expect(JobTransition.between(old, new) == expected)
  }
}
