// The line of requests at a server: their order, shared starts, and requests that are given up.

import Curl
import DrayCore
import Synchronization
import Testing

@testable import DrayEngine

@Suite struct RequestPacerTests {
  private let origin: Origin
  private let pace: RequestPace

  init() throws {
    origin = try RequestURL.parse("http://h/").url.origin
    pace = try #require(RequestPace("20/s"))
  }

  /// Waits until a request may start.
  private func start(of turn: RequestPacer.Turn) async throws -> Double {
    while true {
      let now = TransferLoop.now()
      let start = turn.start(now: now)
      if start <= now { return start }
      try await Task.sleep(for: .seconds(start - now))
    }
  }

  @Test("requests start in their order, with a pause between them")
  func order() async throws {
    let pacer = RequestPacer()
    let turns = (0..<4).compactMap { _ in pacer.turn(at: origin, pace, jitter: nil) }
    try #require(turns.count == 4)
    var starts: [Double] = []
    for turn in turns { starts.append(try await start(of: turn)) }
    // A start may come late, and the next one in time, so that half the pause is left.
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= 0.024 }, "\(starts)")
    let other = try RequestURL.parse("http://other/").url.origin
    let elsewhere = try #require(pacer.turn(at: other, pace, jitter: nil))
    _ = try await start(of: elsewhere)
  }

  @Test("a request that was given up leaves its start to the next one")
  func givenUp() async throws {
    let asked = Mutex(0)
    let pacer = RequestPacer { _, _ in
      asked.withLock { count in
        count += 1
        return count == 2 ? 0.3 : 0
      }
    }
    let first = try #require(pacer.turn(at: origin, pace, jitter: nil))
    _ = try await start(of: first)
    var second = pacer.turn(at: origin, pace, jitter: nil)
    let third = try #require(pacer.turn(at: origin, pace, jitter: nil))
    while asked.withLock(\.self) < 2 { try await Task.sleep(for: .milliseconds(1)) }
    let due = try #require(second).start(now: TransferLoop.now())
    second = nil
    let wasInTime = TransferLoop.now() < due
    _ = try await start(of: third)
    let count = asked.withLock(\.self)
    #expect(count == 2 || !wasInTime && count == 3)
  }

  @Test("without a store that answers, the process keeps the pace alone")
  func noStore() async throws {
    let pacer = RequestPacer { _, _ in nil }
    let turns = (0..<2).compactMap { _ in pacer.turn(at: origin, pace, jitter: nil) }
    var starts: [Double] = []
    for turn in turns { starts.append(try await start(of: turn)) }
    #expect(starts.count == 2 && starts[1] - starts[0] >= 0.024)
  }

  @Test("a random time is a pause of its own, or is added to that of the pace")
  func jitter() async throws {
    let pauses = Mutex<[Double]>([])
    let pacer = RequestPacer { _, pause in
      pauses.withLock { $0.append(pause) }
      return 0
    }
    #expect(pacer.turn(at: origin, nil, jitter: nil) == nil)
    #expect(pacer.turn(at: origin, nil, jitter: 0) == nil)
    let now = TransferLoop.now()
    if let alone = pacer.turn(at: origin, nil, jitter: 1000) {
      let due = alone.start(now: now)
      #expect(due > now && due <= TransferLoop.now() + 1000)
    }
    let paced = try #require(pacer.turn(at: origin, pace, jitter: 7))
    _ = try await start(of: paced)
    let all = pauses.withLock(\.self)
    #expect(all.count == 1 && all.allSatisfy { (0.05...7.05).contains($0) })
  }
}
