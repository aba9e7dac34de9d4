// Named queues in a run: rates, and gates that count the bytes of this run and of others.

import DrayCore
import DrayEngine
import Testing

@testable import DrayKit

@Suite struct QueueLimitsTests {
  private static func films(_ change: (inout QueueSettings) -> Void = { _ in }) -> NamedQueue {
    var queue = NamedQueue("films")
    change(&queue.settings)
    return queue
  }

  @Test func jobsOfOneQueueShareALimiterThatFollowsItsRate() throws {
    let limits = QueueLimits([Self.films { $0.rate = "08:00,1k 20:00,off" }], zone: .utc)
    #expect(limits.limiter(of: nil, at: 0) == nil)
    let day = 43_200.0
    let limiter = try #require(limits.limiter(of: "films", at: day))
    #expect(limits.limiter(of: "films", at: day) === limiter)
    #expect(limits.limiter(of: "books", at: day) !== limiter)
    #expect(limiter.bytesPerSecond == 1024)
    limits.applyRates(at: 75_600)
    #expect(limiter.bytesPerSecond == nil)
    limits.update([Self.films { $0.rate = "2k" }])
    limits.applyRates(at: day)
    #expect(limiter.bytesPerSecond == 2048)
    limits.update([])
    limits.applyRates(at: day)
    #expect(limiter.bytesPerSecond == nil)
  }

  @Test func aQuotaCountsTheBytesOfOtherRunners() {
    var queue = Self.films { $0.quota = QueueQuota(bytes: 100, period: .day) }
    queue.usage = QueueUsage(bytes: 99, since: 0)
    let limits = QueueLimits([queue], zone: .utc)
    #expect(limits.gates(at: 10).admits("films"))
    queue.usage.bytes = 100
    limits.update([queue])
    #expect(!limits.gates(at: 10).admits("films") && limits.gates(at: 10).closed == ["films"])
    #expect(limits.gates(at: 86_400).admits("films"))
    #expect(limits.takeReceived(at: 10).isEmpty)
  }
}
