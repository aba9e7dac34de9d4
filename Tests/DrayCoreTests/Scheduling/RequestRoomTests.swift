// When jobs of an origin may start: each row of the table of ``RequestRoom``.

import Testing

@testable import DrayCore

@Suite struct RequestRoomTests {
  private static func wait(_ lines: String...) -> ServerWait { ServerWait(ResponseHead(200, lines), now: 0) }

  private static func hold(until: Double, since: Double = 0) throws -> OriginHold {
    OriginHold(try RequestURL.parse("http://h/").url.origin, until: until, since: since)
  }

  /// How many jobs of the origin start at once.
  private static func starts(_ room: RequestRoom, now: Double) -> Int {
    var room = room
    for count in 0..<50 {
      guard room.admits("http://h", now: now) else { return count }
      room.started("http://h", now: now)
    }
    return 50
  }

  @Test func nothingIsKnown() {
    let room = RequestRoom()
    #expect(room.isEmpty && room.closed(now: 0).isEmpty && Self.starts(room, now: 0) == 50)
  }

  @Test func anOriginOnHold() throws {
    var room = RequestRoom()
    let hold = try Self.hold(until: 10)
    let origin = hold.origin
    room.hold(hold)
    room.hold(try Self.hold(until: 5))
    #expect(room.pending == [hold] && room.closed(now: 1) == [origin] && !room.admits(origin, now: 20))
    room.recorded([hold])
    #expect(room.pending.isEmpty)
    // A request that was already on its way gets a refusal with the same wait.
    room.hold(try Self.hold(until: 10.4, since: 0.4))
    #expect(room.pending.isEmpty)
    // The store lets only a job with a pass start. Answers from before the hold do not end it.
    room.heard(Self.wait(), of: origin, others: 3, isOwn: true, now: 2)
    room.heard(Self.wait("RateLimit: \"a\";r=0;t=8"), of: origin, others: 3, isOwn: true, now: 2)
    room.started(origin, now: 3)
    #expect(!room.admits(origin, now: 3))
    room.left(origin, others: 1)
    #expect(!room.admits(origin, now: 3))
    room.left(origin, others: 0)
    #expect(room.admits(origin, now: 3))
    // Then one job sends a request, and its answer decides.
    room.started(origin, now: 10)
    #expect(!room.admits(origin, now: 10) && room.closed(now: 10) == [origin])
    room.heard(Self.wait(), of: origin, others: 0, isOwn: true, now: 11)
    #expect(room.isEmpty)
  }

  /// The number of requests left, of other requests without an answer, and of starts.
  @Test(arguments: [(19, 4, 15), (19, 0, 19), (3, 3, 0), (3, 5, 0), (1, 0, 1), (0, 0, 0), (1001, 0, 50)])
  func whatIsLeft(remaining: Int, others: Int, starts: Int) throws {
    var room = RequestRoom()
    let wait = Self.wait("RateLimit: \"a\";r=\(remaining);t=60")
    room.heard(wait, of: "http://h", others: others, isOwn: true, now: 100)
    #expect(Self.starts(room, now: 101) == starts)
    guard remaining <= 1000 else { return }
    // After the reset, or if the clock was set back, one job sends a request.
    #expect(Self.starts(room, now: 160) == 1 && Self.starts(room, now: 99) == 1)
    #expect(Self.starts(room, now: 101) == starts)
    // An answer from a server that the origin redirects to says nothing about the origin.
    room.heard(Self.wait(), of: "http://h", others: others, isOwn: false, now: 101)
    #expect(Self.starts(room, now: 101) == starts)
    room.heard(Self.wait(), of: "http://h", others: others, isOwn: true, now: 101)
    #expect(room.isEmpty)
  }

  /// The answers, with the number of other requests on their way, and how many start after the last one.
  @Test(
    arguments: [
      ([(5, 3), (9, 2)], 3), ([(9, 3), (5, 2)], 3), ([(5, 1), (9, 0)], 9), ([(5, 9), (9, 1)], 4),
      ([(0, 1), (9, 1)], 0),
    ] as [([(Int, Int)], Int)])
  func answersThatOvertakeEachOther(answers: [(Int, Int)], starts: Int) {
    var room = RequestRoom()
    for (remaining, others) in answers {
      let wait = Self.wait("RateLimit: \"a\";r=\(remaining);t=60")
      room.heard(wait, of: "http://h", others: others, isOwn: true, now: 0)
    }
    #expect(Self.starts(room, now: 1) == starts)
    // The next window has its own count.
    room.heard(Self.wait("RateLimit: \"a\";r=20;t=60"), of: "http://h", others: 1, isOwn: true, now: 30)
    #expect(Self.starts(room, now: 31) == 19)
  }

  @Test func theLastRequestBringsNoAnswer() {
    var room = RequestRoom()
    room.heard(Self.wait("RateLimit: \"a\";r=2;t=60"), of: "http://h", others: 2, isOwn: true, now: 0)
    room.left("http://h", others: 1)
    #expect(Self.starts(room, now: 1) == 0)
    room.left("http://h", others: 0)
    #expect(Self.starts(room, now: 1) == 1)
  }
}
