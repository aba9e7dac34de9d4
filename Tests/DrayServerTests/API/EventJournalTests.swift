// Events that followers have missed.

import DrayCore
import DrayStore
import Testing

@testable import DrayServer

@Suite("the events of the API")
struct EventJournalTests {
  @Test func newsSinceThen() {
    var journal = EventJournal(era: "e")
    let start = journal.cursor
    journal.changed([1, 2, 1])
    let middle = journal.cursor
    journal.removed([2])
    journal.changed([3])
    journal.reorder()
    #expect(journal.news(since: start) == .init(jobs: [1, 3], removed: [2], isReordered: true))
    #expect(journal.news(since: middle) == .init(jobs: [3], removed: [2], isReordered: true))
    #expect(journal.news(since: journal.cursor)?.isEmpty ?? false)
    // Numbers are never reused. If a removed number appears again, recovery of the store has brought the job back.
    journal.changed([2])
    #expect(journal.news(since: start)?.jobs == [1, 3, 2])
  }

  @Test func whatNobodyKnows() {
    var journal = EventJournal(era: "e")
    journal.changed([1])
    #expect(journal.news(since: EventCursor(era: "f", number: 0)) == nil)
    #expect(journal.news(since: EventCursor(era: "e", number: 9)) == nil)
    let start = journal.cursor
    for id in 0..<(2 * EventJournal.most + 2) { journal.changed([JobID(id)]) }
    #expect(journal.news(since: start) == nil)
    #expect(journal.news(since: EventCursor(era: "e", number: journal.cursor.number - 5))?.jobs.count == 5)
  }

  @Test(arguments: [
    ("e-0", true), ("abc-17", true), ("e", false), ("e-", false), ("e--1", false), ("e-x", false), ("", false),
    ("a-b-3", false),
  ])
  func cursors(_ text: String, _ isGood: Bool) {
    #expect(EventCursor(text)?.description == (isGood ? text : nil))
  }

  @Test func writesWhatIsNew() throws {
    var writer = EventWriter(position: EventCursor(era: "e", number: 0))
    func write(
      _ changes: EventJournal.News, _ number: Int, beats: Int = 0, progress: [JobID: ProgressEntry] = [:],
      _ progressNumber: Int = 0, at time: ContinuousClock.Instant = .now
    ) -> String {
      let news = EventNews(
        changes: changes, cursor: EventCursor(era: "e", number: number), progress: progress,
        progressNumber: progressNumber,
        counts: [.queued: 1], beats: beats)
      return String(decoding: writer.rest(of: changes, news, now: time), as: UTF8.self)
    }
    let first = write(.init(removed: [7]), 1)
    #expect(first.contains("event: removed\ndata: {\"id\":7}\n\n"))
    #expect(first.contains(#"data: {"queued":1,"active":0"#))
    #expect(first.hasSuffix("event: beat\nid: e-1\ndata: {}\n\n"))
    #expect(write(.init(), 1) == "")
    #expect(write(.init(), 1, beats: 1) == "event: beat\nid: e-1\ndata: {}\n\n")
    let start = ContinuousClock.now
    #expect(write(.init(isReordered: true), 2, beats: 1, at: start).contains("event: order\n"))
    // At most one a second, and none is lost.
    #expect(
      !write(.init(isReordered: true), 3, beats: 1, at: start.advanced(by: .milliseconds(300))).contains(
        "event: order\n"))
    #expect(write(.init(), 3, beats: 2, at: start.advanced(by: .seconds(2))).contains("event: order\n"))
    let entry = ProgressEntry(job: 4, received: 5, size: nil, rate: 6.5, phase: .receiving, connections: 2)
    #expect(
      write(.init(), 3, beats: 2, progress: [4: entry], 1)
        == "event: progress\ndata: {\"jobs\":[{\"id\":4,\"received\":5,\"size\":null,\"rate\":6,\"connections\":2,\"phase\":\"receiving\"}],\"rate\":6}\n\n"
    )
    // The end of all activity is sent once.
    #expect(write(.init(), 3, beats: 2, 2).contains(#"{"jobs":[],"rate":0}"#))
    #expect(write(.init(), 3, beats: 2, 3) == "")
  }
}
