// Which sockets are watched, and what is reported of them, also where libcurl closes a descriptor and another socket
// gets its number.

import Glibc
import Posix
import Testing

@testable import Curl

#if !DRAY_PORTABLE
@Suite struct SocketTableTests {
  /// A call of the table, and the change that must follow. Tags are given by their generation.
  private enum Step {
    case want(Readiness, own: Bool = true, SocketTable.Change)
    case forget(SocketTable.Change)
    case take(generation: UInt64, Readiness, reported: Readiness?, SocketTable.Change)
  }

  private static let socket: Int32 = 7
  private static func tag(_ generation: UInt64) -> UInt64 { generation << 32 | UInt64(socket) }
  private static let first = SocketTable.Change.add(.readable, tag: tag(1))

  private static let stories: [[Step]] = [
    // A connection: it is opened, used, idle, used again, closed.
    [
      .want(.writable, .add(.writable, tag: tag(1))), .want(.readable, .modify(.readable, tag: tag(1))),
      .take(generation: 1, .readable, reported: .readable, .none), .want([], .none), .want(.readable, .none),
      .want([.readable, .writable], .modify([.readable, .writable], tag: tag(1))), .forget(.remove), .forget(.none),
    ],
    // The server closes an idle connection: the system reports it once.
    [
      .want(.readable, first), .want([], .none), .take(generation: 1, [.readable, .gone], reported: nil, .remove),
      .take(generation: 1, .readable, reported: nil, .none), .want(.readable, .add(.readable, tag: tag(2))),
    ],
    // Another socket gets the number before an event of the earlier socket is handled.
    [
      .want(.readable, first), .forget(.remove), .want(.readable, .add(.readable, tag: tag(2))),
      .take(generation: 1, .readable, reported: nil, .none),
      .take(generation: 2, .readable, reported: .readable, .none),
    ],
    // A socket that libcurl opens itself, such as the resolver's, is closed without notice.
    [
      .want(.readable, own: false, first), .want([], own: false, .remove), .want([], own: false, .none),
      .take(generation: 1, .readable, reported: nil, .none),
      .want(.readable, own: false, .add(.readable, tag: tag(2))),
    ],
    // Events of unknown sockets.
    [.take(generation: 1, .readable, reported: nil, .none), .forget(.none), .want([], .none)],
  ]

  @Test(arguments: stories.indices) func aStory(_ index: Int) {
    var table = SocketTable()
    let socket = SocketTableTests.socket
    for (number, step) in SocketTableTests.stories[index].enumerated() {
      switch step {
      case .want(let events, let isOwn, let change):
        #expect(table.want(socket, events, isOwn: isOwn) == change, "step \(number)")
      case .forget(let change):
        #expect(table.forget(socket) == change, "step \(number)")
      case .take(let generation, let ready, let reported, let change):
        let taken = table.take(SocketTableTests.tag(generation), ready)
        #expect(taken.socket == socket && taken.ready == reported && taken.change == change, "step \(number)")
      }
    }
  }

  @Test func aSocketThatCouldNotBeWatchedIsAskedForAgain() {
    var table = SocketTable()
    #expect(table.want(3, .readable, isOwn: true) == .add(.readable, tag: 1 << 32 | 3))
    table.fail(3)
    #expect(table.want(3, .readable, isOwn: true) == .add(.readable, tag: 2 << 32 | 3))
  }
}

@Suite struct SocketEventTests {
  private static func close(_ sockets: Int32...) { for socket in sockets { System.close(socket) } }

  private static func send(_ socket: Int32) { _ = write(socket, "x", 1) }

  private func all(_ events: SocketEvents, _ seconds: Double = 0) -> [Int32] {
    events.wait(seconds, now: TransferLoop.now())
    var sockets: [Int32] = []
    while let (socket, _) = events.next() { sockets.append(socket) }
    return sockets
  }

  @Test func reportsWhatIsWanted() throws {
    let events = try SocketEvents()
    let (near, far) = try System.pair()
    defer { SocketEventTests.close(near, far) }
    #expect(all(events).isEmpty)
    events.want(near, .readable, isOwn: true)
    #expect(all(events).isEmpty)
    SocketEventTests.send(far)
    // The events repeat until the byte is read.
    #expect(all(events, 60) == [near])
    #expect(all(events, 60) == [near])
    events.want(near, .writable, isOwn: true)
    #expect(all(events, 60) == [near])
    events.want(near, [], isOwn: true)
    #expect(all(events).isEmpty)
    events.want(near, .readable, isOwn: true)
    #expect(all(events, 60) == [near])
  }

  @Test func aDescriptorIsUsedAgain() throws {
    let events = try SocketEvents()
    let (near, far) = try System.pair()
    events.want(near, .readable, isOwn: true)
    SocketEventTests.send(far)
    events.wait(60, now: TransferLoop.now())
    events.forget(near)
    SocketEventTests.close(near, far)
    // The system gives out the lowest free numbers.
    let (next, peer) = try System.pair()
    defer { SocketEventTests.close(next, peer) }
    events.forget(next)
    events.want(next, .readable, isOwn: true)
    #expect(events.next() == nil)
    SocketEventTests.send(peer)
    #expect(all(events, 60) == [next])
  }

  @Test func aDescriptorThatWasClosedWithoutNoticeIsWatchedAgain() throws {
    let events = try SocketEvents()
    let (near, far) = try System.pair()
    events.want(near, .readable, isOwn: true)
    SocketEventTests.close(near, far)
    let (next, peer) = try System.pair()
    defer { SocketEventTests.close(next, peer) }
    // The table believes that the system watches a descriptor that the system does not know.
    events.want(next, [.readable, .writable], isOwn: true)
    events.want(next, .readable, isOwn: true)
    SocketEventTests.send(peer)
    #expect(all(events, 60) == [next])
  }

  @Test func noMoreThanItsCapacityAtOnceAndEachInItsTurn() throws {
    let events = try SocketEvents()
    let pairs = try (0..<SocketEvents.capacity + 20).map { _ in try System.pair() }
    defer { for pair in pairs { SocketEventTests.close(pair.0, pair.1) } }
    for (near, far) in pairs {
      events.want(near, .readable, isOwn: true)
      SocketEventTests.send(far)
    }
    let (one, two) = (all(events, 60), all(events, 60))
    #expect(one.count == SocketEvents.capacity)
    #expect(Set(one + two) == Set(pairs.map(\.0)))
  }

  @Test func theDeadlineEndsAWaitAndIsTakenOnce() throws {
    let events = try SocketEvents()
    let start = TransferLoop.now()
    #expect(!events.takeDeadline(now: start + 1e9))
    events.setTimer(20, now: start)
    #expect(!events.takeDeadline(now: start + 0.01))
    events.wait(60, now: start)
    let end = TransferLoop.now()
    #expect(end >= start + 0.02 && end < start + 50)
    #expect(events.takeDeadline(now: end) && !events.takeDeadline(now: end))
    events.setTimer(0, now: end)
    events.setTimer(-1, now: end)
    #expect(!events.takeDeadline(now: end + 1e9))
    events.setTimer(0, now: end)
    #expect(events.takeDeadline(now: end))
  }

  @Test func aCallFromAnotherThreadEndsTheNextWaitOnly() throws {
    let events = try SocketEvents()
    for _ in 0..<3 {
      let start = TransferLoop.now()
      events.wake()
      events.wake()
      #expect(all(events, 60).isEmpty && events.wasWoken)
      #expect(TransferLoop.now() < start + 50)
      // No further event is left of the two calls.
      let middle = TransferLoop.now()
      #expect(all(events, 0.02).isEmpty && !events.wasWoken)
      #expect(TransferLoop.now() >= middle + 0.02)
    }
  }
}
#endif
