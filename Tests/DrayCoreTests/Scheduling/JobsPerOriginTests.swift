// The limit on jobs of one origin.

import DrayCore
import Testing

@Suite struct JobsPerOriginTests {
  @Test func aClosedOriginHasNoRoom() {
    var jobs = JobsPerOrigin(limit: 2, ahead: 9, counts: ["a": 1])
    jobs.closed = ["a", "b"]
    #expect(jobs.room(at: "a") == 0 && jobs.room(at: "b") == 0 && jobs.room(at: "c") == 11)
    #expect(jobs.full == ["a", "b"] && !jobs.take("b"))
  }

  @Test(arguments: [
    // Limit, ahead, own jobs, jobs of others, room.
    (2, 0, 0, 0, 2), (2, 0, 1, 0, 1), (2, 0, 2, 0, 0), (2, 0, 3, 0, -1), (2, 0, 1, 1, 0),
    // Jobs claimed ahead are additional, unless another runner has jobs.
    (2, 3, 1, 0, 4), (2, 3, 1, 1, 0), (2, 3, 0, 1, 1),
  ])
  func room(limit: Int, ahead: Int, mine: Int, others: Int, room: Int) {
    var jobs = JobsPerOrigin(limit: limit, ahead: ahead, counts: ["http://a": mine])
    if others > 0 { jobs.add(others, ofOthersAt: "http://a") }
    #expect(jobs.room(at: "http://a") == room)
    #expect(jobs.room(at: "http://b") == limit + ahead)
    #expect(jobs.full == (room > 0 ? [] : ["http://a"]))
  }

  @Test("an origin keeps its own limit, but shares at most the default with other runners")
  func exceptions() {
    var jobs = JobsPerOrigin(limit: 2, counts: ["http://a": 1, "http://b": 1])
    jobs.exceptions = ["http://a": 100, "http://b": 1]
    #expect([jobs.room(at: "http://a"), jobs.room(at: "http://b"), jobs.room(at: "http://c")] == [99, 0, 2])
    for origin in ["http://a", "http://b"] { jobs.add(1, ofOthersAt: origin) }
    #expect([jobs.room(at: "http://a"), jobs.room(at: "http://b")] == [0, -1])
  }

  @Test func countsFollowWhatBeginsAndEnds() {
    var jobs = JobsPerOrigin(limit: 1)
    let took = (jobs.take("http://a"), jobs.take("http://a"), jobs.take("http://b"))
    #expect(took == (true, false, true))
    jobs.add("http://a")
    jobs.remove("http://a")
    #expect(jobs.room(at: "http://a") == 0)
    jobs.remove("http://a")
    let again = jobs.take("http://a")
    #expect(again)
  }

  @Test func noLimit() {
    var jobs = JobsPerOrigin.unlimited
    for _ in 0..<5 { jobs.add("http://a") }
    #expect(jobs.room(at: "http://a") > 1_000_000)
    #expect(jobs.full.isEmpty)
  }
}
