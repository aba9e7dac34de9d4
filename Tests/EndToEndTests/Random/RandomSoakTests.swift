// The program against servers that misbehave at random: episodes drawn from a seed, and episodes that once found a
// defect. The gate runs 200, `make soak` 20,000; TestSeed chooses the seed.
//
// A second draw has a bucket as its destination, which lies as well. DRAY_RANDOM_EPISODE=SEED repeats one episode; DRAY_RANDOM_SEED draws other ones, DRAY_RANDOM_COUNT sets their number.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Random server")
struct RandomSoakTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let only = environment["DRAY_RANDOM_EPISODE"].flatMap { UInt64($0) }
  private static let count =
    environment["DRAY_RANDOM_COUNT"].flatMap { Int($0) } ?? (CrashSweep.isSoak ? 20_000 : 200)
  private static let seed = TestSeed.value("DRAY_RANDOM_SEED")

  /// Episodes at once: most wait for something, most of the time.
  private static let width = 8
  /// Failures reported in full.
  private static let told = 10

  @Test("exit 0 means exactly one version of the server's, whatever it does")
  func episodes() async throws {
    try await run(Self.seeds(Self.count).map { Episode(seed: $0) })
  }

  @Test("exit 0 means exactly one version of the server's in the bucket, whatever server and bucket do")
  func objects() async throws {
    // Two of three have a client that can do it.
    try await run(Self.seeds(max(1, Self.count / 5)).compactMap { Episode(seed: $0).intoBucket() })
  }

  private func run(_ episodes: [Episode]) async throws {
    let begin = ContinuousClock.now
    print("random server: \(episodes.count) episodes, seed \(Self.seed)")
    var failed: [UInt64] = []
    await withTaskGroup(of: EpisodeReport.self) { group in
      var left = episodes.makeIterator()
      func begin() {
        if let episode = left.next() { group.addTask { await episode.report() } }
      }
      for _ in 0..<Self.width { begin() }
      for await report in group {
        if !report.problems.isEmpty {
          failed.append(report.episode.seed)
          print("random server: episode \(report.episode.seed) failed")
          if failed.count <= Self.told { Issue.record("\(report)") }
        }
        begin()
      }
    }
    if failed.count > Self.told { Issue.record("\(failed.count) of \(episodes.count) episodes: \(failed.sorted())") }
    let seconds = (ContinuousClock.now - begin).components.seconds
    print("random server: \(episodes.count) episodes, seed \(Self.seed), \(failed.count) failed, \(seconds) s")
  }

  /// The seeds of all episodes.
  private static func seeds(_ count: Int) -> [UInt64] {
    if let only { return [only] }
    var dice = Dice(seed: seed)
    return (0..<count).map { _ in dice.next() >> 32 }
  }

  // MARK: Found once

  /// An episode that has found a defect.
  struct Found: Sendable, CustomTestStringConvertible {
    var seed: UInt64
    /// Its findings.
    var defect: String
    /// The beginning of its plan. If it differs, the draw has changed, and another seed must be found.
    var plan: String

    var testDescription: String { defect }
  }

  /// Each failed with the program of commit 6c4fcd0 or later.
  static let found: [Found] = [
    Found(
      seed: 599_262_307, defect: "a 206 whose length contradicts its range was used",
      plan: "several -x 4 -j 4, 1 hosts, signals none"),
    Found(
      seed: 1_908_102_360, defect: "a repair believed what it fetched",
      plan: "repair -x 16 -j 1, 1 hosts, signals none"),
    Found(
      seed: 349_673_276, defect: "bytes left over on a connection became the next job's answer",
      plan: "leftover -x 4 -j 1, 2 hosts"),
    Found(
      seed: 22_317, defect: "a mirror that changed after its samples was mixed in",
      plan: "mirrored -x 4 -j 1, 2 hosts, signals none"),
    Found(
      seed: 1_940_647_350, defect: "bytes that a repair fetched, and that went bad again, became what was expected",
      plan: "repair -x 1 -j 1, 1 hosts, signals 15"),
    Found(
      seed: 246_758_831, defect: "a 416 after a start over ended the job for good",
      plan: "redirected -x 4 -j 1 --resume always, 3 hosts, signals 15 at 0, 9 at 0, none"),
  ]

  @Test(
    "former findings pass", .unlessChosen(by: "DRAY_RANDOM_EPISODE"),
    arguments: found)
  func repeats(_ found: Found) async throws {
    let episode = Episode(seed: found.seed)
    #expect(episode.summary.hasPrefix(found.plan), "the draw has changed: \(episode.summary)")
    let report = await episode.report()
    if !report.problems.isEmpty { Issue.record("\(report)") }
  }
}
