// Why a job waits: the first of all reasons.

import DrayCore
import Testing

@Suite struct WaitReasonTests {
  private static let hold = OriginHold(
    Origin(scheme: "http", host: "h", port: 80), until: 900, since: 10, job: 2, status: 429)

  private struct Row {
    var name: String
    var expected: WaitReason?
    var facts: WaitFacts

    init(_ name: String, _ state: JobState, _ expected: WaitReason?, _ change: (inout WaitFacts) -> Void = { _ in }) {
      (self.name, self.expected, facts) = (name, expected, WaitFacts(state))
      change(&facts)
    }
  }

  private static let full = Failure(.file, "/f", "no space left", recovery: .wait)
  private static let rows = [
    Row("its turn", .queued, nil), Row("over", .complete, nil) { $0.startAt = 900 },
    Row("failed", .failed, nil) { $0.waitsFor = [3] },
    Row("others", .queued, .prerequisites([3])) { ($0.waitsFor, $0.startAt) = ([3], 900) },
    Row("others of a paused job", .paused, .prerequisites([3])) { $0.waitsFor = [3] },
    Row("start", .queued, .start(at: 900)) { ($0.startAt, $0.hold) = (900, hold) },
    Row("a start that has passed", .queued, nil) { $0.startAt = 90 },
    Row("queue", .queued, .queue("q", .paused)) { ($0.queue, $0.hold) = (("q", .paused), hold) },
    Row("queue whose quota is renewed", .queued, nil) { $0.queue = ("q", .spent(until: 90)) },
    Row("queue of a paused job", .paused, nil) { $0.queue = ("q", .paused) },
    Row("hold", .queued, .hold(hold)) { ($0.hold, $0.opening) = (hold, 500) },
    Row("hold of a paused job", .paused, nil) { $0.hold = hold },
    Row("window", .queued, .window(opening: 500)) { ($0.opening, $0.notBefore) = (500, 400) },
    Row("a full queue", .queued, .queueRoom("q", limit: 2)) { $0.fullQueue = ("q", 2) },
    Row("a full queue that is closed", .queued, .queue("q", .paused)) {
      ($0.queue, $0.fullQueue) = (("q", .paused), ("q", 2))
    },
    Row("a full queue and a window", .queued, .window(opening: 500)) { ($0.fullQueue, $0.opening) = (("q", 2), 500) },
    Row("a full queue of a paused job", .paused, nil) { $0.fullQueue = ("q", 2) },
    Row("a full queue of an active job", .active, nil) { $0.fullQueue = ("q", 2) },
    Row("retry", .queued, .retry(at: 400)) { $0.notBefore = 400 },
    Row("long wait", .interrupted, .longWait(until: 400)) { ($0.notBefore, $0.failure) = (400, full) },
    Row("disk", .interrupted, .disk("no space left")) { $0.failure = full },
    Row("another failure", .interrupted, nil) { $0.failure = Failure(.network, "h", "gone") },
    Row("origin", .queued, .origin("http://h", limit: 8, hasRefused: false)) {
      $0.origin = OriginRoom(name: "http://h", active: 8, limit: 8)
    },
    Row("an origin that refused", .queued, .origin("http://h", limit: 1, hasRefused: true)) {
      $0.origin = OriginRoom(name: "http://h", active: 1, limit: 1, hasRefused: true)
    },
    Row("an origin with room", .queued, nil) { $0.origin = OriginRoom(name: "http://h", active: 7, limit: 8) },
    Row("a silent runner", .active, .lease(age: 20)) { $0.leaseAge = 20 },
    Row("a runner that is heard", .active, nil) { $0.leaseAge = 3 },
  ]

  @Test(arguments: WaitReasonTests.rows.indices)
  func reasons(index: Int) {
    let row = Self.rows[index]
    #expect(WaitReason.decide(row.facts, now: 100) == row.expected, "\(row.name)")
  }

  @Test("the time at which a reason ends")
  func ends() {
    #expect(WaitReason.hold(Self.hold).until == 900 && WaitReason.queue("q", .closed(until: 5)).until == 5)
    #expect(WaitReason.queue("q", .paused).until == nil && WaitReason.prerequisites([1]).until == nil)
  }
}
