// The number of connections for a file, by simulation: shared links, limits per connection, bursts, latency, refusals.
// Nothing here waits; seconds are the model's.

import TestSupport
import Testing

@testable import DrayCore

private let mib = 1_048_576.0

@Suite struct ConnectionGrowthTests {
  /// The time at which this number was first allowed.
  private func reached(_ limit: Int, _ run: NetRun) -> Double {
    run.limits.first { $0.limit >= limit }?.time ?? .infinity
  }

  @Test(arguments: [(1.0, 0.0, false), (10, 0, false), (100, 0, false), (1, 0.1, true), (10, 0.03, false)])
  func aSharedLinkEndsWithFew(rate: Double, latency: Double, slowStart: Bool) {
    let net = NetModel(total: rate * mib, latency: latency, slowStart: slowStart)
    var run = NetRun(net, size: Int64(200 * rate * mib), ceiling: 8)
    run.run(until: 195)
    let limits = run.limits.filter { $0.time > 15 }.map(\.limit)
    #expect(limits.allSatisfy { $0 <= (slowStart ? 3 : 2) })
    // More than one was tried for about a second at a time, ever less often.
    #expect(limits.count { $0 > 1 } <= limits.count / 10)
    if !slowStart { #expect((run.limits.first { $0.time > 1.3 + 6 * latency }?.limit ?? 9) <= 2) }
    #expect(run.growth.learned == 1)
  }

  @Test(arguments: [4, 8, 16], [false, true])
  func whereEachIsLimitedAllAreUsedAtOnce(count: Int, isBursty: Bool) {
    var run = NetRun(.init(perConnection: { _, _ in 2 * mib }, isBursty: isBursty), size: 200 << 20, ceiling: count)
    let seconds = run.run()
    #expect(reached(count, run) <= (isBursty ? 0.6 : 0.1 + 0.06 * Double(count)))
    #expect(run.limits.allSatisfy { $0.limit <= count } && run.growth.learned == count)
    // Nearly as fast as with all connections from the start.
    #expect(seconds / (100 / Double(count)) <= 1.06)
    #expect(run.fetched == 200 << 20)
  }

  /// Each connection delivers a second's bytes at once, and then nothing: `limit_rate` of nginx.
  @Test func aFewBurstsAreSharedByMany() {
    var run = NetRun(.init(perConnection: { _, _ in 0.7 * mib }, isBursty: true), size: 26 << 20, ceiling: 16)
    let seconds = run.run()
    #expect(reached(16, run) <= 0.6)
    // Sixteen from the start need three bursts.
    #expect(seconds <= 2.7)
  }

  @Test func whatSomeConnectionsFillNeedsNoMoreOfThem() {
    // Three connections fill the link.
    let net = NetModel(total: 6 * mib, perConnection: { _, _ in 2 * mib })
    var run = NetRun(net, size: 2000 << 20, ceiling: 8)
    #expect(run.run() / (2000 / 6) <= 1.02)
    #expect(run.growth.learned == 3)
    #expect(run.limits.filter { $0.time > 2 }.allSatisfy { $0.limit <= 4 })
  }

  @Test func aThreadThatIsBusyGetsNoMore() {
    var run = NetRun(.init(perConnection: { _, _ in 2 * mib }), size: 100 << 20, ceiling: 8)
    run.isSaturated = true
    run.run(until: 5)
    #expect(reached(2, run) == .infinity)
    run.isSaturated = false
    run.run(until: 8)
    #expect(reached(8, run) < 6)
  }

  @Test(arguments: [100, 1000, 3 << 20]) func whatIsOverSoonGetsNoMore(size: Int64) {
    var run = NetRun(.init(perConnection: { _, _ in 2 * mib }), size: size, ceiling: 8)
    run.run()
    #expect(run.opened == 1)
  }

  @Test func whatAServerRefusesIsNotAskedForAtOnce() {
    var run = NetRun(.init(perConnection: { _, _ in 2 * mib }), size: 800 << 20, ceiling: 8)
    run.refusesBeyond = 4
    let seconds = run.run()
    #expect(seconds / 100 <= 1.02)
    #expect(run.growth.learned == 4)
    // Refused once at the start, and by later tries, ever less often.
    #expect((1...8).contains(run.refused))
  }

  /// Two servers. The first is faster and accepts one connection only. The second gets the others at once.
  @Test func whatOneServerRefusesTheOtherServes() {
    let net = NetModel(perConnection: { _, source in source == 0 ? 3 * mib : 2 * mib })
    var run = NetRun(net, size: 200 << 20, ceiling: 8, sources: 2)
    run.accepts = [1, 8]
    #expect(run.run() / (200 / 17) <= 1.25)
    // Refused by the first steps, and by a later try of one more.
    #expect((1...6).contains(run.refused))
    // Both refuse: then the total is the number that they accept together.
    run = NetRun(net, size: 200 << 20, ceiling: 8, sources: 2)
    run.accepts = [1, 3]
    #expect(run.run() / (200 / 9) <= 1.25)
    #expect(run.growth.limit <= 5)
  }

  @Test(arguments: [(nil, 1), (1, 1), (4, 4), (99, 8)] as [(Int?, Int)])
  func whatWasLearnedIsWhereItBegins(learned: Int?, first: Int) {
    #expect(ConnectionGrowth(ceiling: 8, learned: learned).limit == first)
    #expect(ConnectionGrowth(ceiling: 0, learned: learned).limit == 1)
  }

  @Test func conditionsThatChangeAreNoticed() {
    // Learned on a fast line: one connection. Now each connection is limited.
    var run = NetRun(.init(perConnection: { _, _ in 2 * mib }), size: 2000 << 20, ceiling: 8, learned: 1)
    run.run(until: 40)
    #expect(run.growth.learned == 8)
    // Learned with a limit on each connection: eight. Now the connections share a line.
    run = NetRun(.init(total: 2 * mib), size: 2000 << 20, ceiling: 8, learned: 8)
    run.run(until: 60)
    #expect((run.growth.learned ?? 8) <= 2)
  }

  @Test(arguments: [0, 3, 7], [false, true])
  func oneOfEightThatCrawlsCostsLittle(crawling: Int, isBursty: Bool) {
    let net = NetModel(perConnection: { number, _ in number == crawling ? 100_000 : 2 * mib }, isBursty: isBursty)
    var run = NetRun(net, size: 200 << 20, ceiling: 8)
    #expect(run.run() / (100 / 7) <= 1.1)
  }

  @Test(arguments: 0..<6) func aLinkThatWaversIsNotMistakenForOneThatHelps(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let noise = (0..<2000).map { _ in Double.random(in: 0.6...1.4, using: &random) }
    let net = NetModel(total: 10 * mib, noise: { noise[Int($0 * 20) % noise.count] })
    var run = NetRun(net, size: 1 << 30, ceiling: 8)
    run.run(until: 30)
    let limits = run.limits.map(\.limit)
    #expect(limits.reduce(0, +) <= 2 * limits.count)
  }

  /// At most two connections to each of three sources; each source limits a connection to a different rate.
  @Test(arguments: [([2, 2, 2], 12), ([8, 1, 1], 18), ([1, 8, 0.05], 17)] as [([Double], Double)])
  func sourcesOfDifferentSpeedAddUp(rates: [Double], sum: Double) {
    var run = NetRun(
      .init(perConnection: { _, source in rates[source] * mib }), size: 200 << 20, ceiling: 6, sources: 3)
    run.perSource = [2, 2, 2]
    #expect(run.run() / (200 / sum) <= 1.15)
    #expect(run.opened <= 24)
  }

  /// The throughput of a line, second by second, recorded over the lines of `Benchmarks/net` with as many connections
  /// as allowed. With `isChanging` each connection was replaced in turn, like connections with small pieces.
  private func limit(
    after seconds: [(rate: Double, isLossy: Bool)], latency: Double, isChanging: Bool, from learned: Int? = nil
  ) -> Int {
    var growth = ConnectionGrowth(ceiling: 16, learned: learned)
    var (bytes, lost, now) = (0.0, 0, 0.0)
    for (rate, isLossy) in seconds {
      for tick in 0..<33 {
        now += 0.03
        bytes += rate * mib * 0.03
        if isLossy, tick % 11 == 0 { lost += 1 }
        let isOpening = isChanging && growth.limit > 1 && tick % 12 < 6
        growth.look(
          .init(
            connections: growth.limit - (isOpening ? 1 : 0), opening: isOpening ? 1 : 0, bytes: Int64(bytes),
            remaining: 64 << 20, latency: latency, outOfOrder: lost),
          now: now)
      }
    }
    return growth.limit
  }

  @Test("lost packets add connections, even while connections are replaced", arguments: [false, true])
  func losses(isChanging: Bool) {
    // 150 ms, 100 Mbit/s: one connection fills the line, a packet is lost, and cubic recovers slowly.
    let full = [0.5, 6, 11.5, 11.5].map { (rate: $0, isLossy: false) }
    let lossy = [9.0, 5, 4, 2, 2].map { (rate: $0, isLossy: true) }
    #expect(limit(after: full + lossy, latency: 0.15, isChanging: isChanging, from: 2) >= 6)
    // The same rates without a loss mean a shared line.
    let shared = [9.0, 8, 8, 8, 8].map { (rate: $0, isLossy: false) }
    #expect(limit(after: full + shared, latency: 0.15, isChanging: isChanging, from: 2) <= 4)
  }
}
