// The number of concurrent jobs, over lines that are simulated round trip by round trip. Nothing here waits.

import Testing

@testable import DrayCore

@Suite struct JobGrowthTests {
  /// A line and a server: a file takes a round trip, or longer if the line is saturated.
  private struct Line {
    var roundTrip = 0.04
    /// The seconds that the server takes for a file, however many it serves.
    var seconds = 0.0
    /// The most files a second that the line or this machine allows.
    var files = 1e9
    var isMultiplexed = false
    /// The most files a second that losses allow on each connection that carries streams.
    var perCarrier = 1e9
    /// Jobs that the server serves at once; it refuses the others.
    var serves = Int.max
  }

  /// Fetches files over a line.
  /// - Returns: The seconds of the run, the largest number of jobs, and the number of refusals.
  private func run(_ growth: inout JobGrowth, _ line: Line, files: Int, size: Int64 = 10_240)
    -> (seconds: Double, most: Int, refused: Int)
  {
    var (now, left, most, refused, free, carriers) = (0.0, files, 0, 0, 0.0, 1)
    var running: [(ends: Double, begins: Double, size: SizeClass)] = []
    while left > 0 || !running.isEmpty {
      let room = min(growth.limit, growth.limit(of: "o", now: now))
      while running.count < room, left > 0 {
        if growth.takeOpening("o") { carriers += 1 }
        guard running.count < line.serves else {
          refused += 1
          growth.failed(
            Failure(.status, "u", "busy", httpStatus: 503), "o", others: running.count, now: now)
          break
        }
        left -= 1
        let used = (JobGrowth.streams + growth.streamsPerConnection - 1) / growth.streamsPerConnection
        let carried = line.perCarrier * Double(line.isMultiplexed ? min(used, carriers) : 1)
        free = max(free, now) + 1 / min(line.files, carried)
        let found = growth.answered("o", size: size, isMultiplexed: line.isMultiplexed)
        running.append((max(now + line.roundTrip + line.seconds, free), now, found))
      }
      most = max(most, running.count)
      guard let next = running.indices.min(by: { running[$0].ends < running[$1].ends }) else { break }
      let one = running.remove(at: next)
      now = one.ends
      growth.ended(
        "o", one.size, isComplete: true,
        pace: FilePace(seconds: now - one.begins, roundTrip: line.roundTrip), seconds: now - one.begins, now: now)
    }
    return (now, most, refused)
  }

  @Test(
    "small files soon use all the connections of an origin", arguments: [(0.04, false), (0.15, false), (0.04, true)])
  func small(roundTrip: Double, isMultiplexed: Bool) {
    var growth = JobGrowth()
    let most = isMultiplexed ? JobGrowth.streams : JobGrowth.connections
    let found = run(&growth, Line(roundTrip: roundTrip, isMultiplexed: isMultiplexed), files: 1000)
    #expect(found.most == most)
    // The time of a run with this number from the start, plus five round trips.
    #expect(found.seconds <= roundTrip * (1000 / Double(most) + 6))
  }

  @Test(
    "a long list begins with more, and soon has as many as the line completes in a round trip",
    arguments: [(0.04, false, 1e9), (0.15, false, 1e9), (0.04, true, 1e9), (0.02, false, 1500)])
  func longList(roundTrip: Double, isMultiplexed: Bool, files: Double) {
    var (growth, short) = (JobGrowth(), JobGrowth())
    growth.expect(1000)
    #expect(growth.limit == JobGrowth.many)
    short.expect(JobGrowth.long - 1)
    #expect(short.limit == JobGrowth.few)
    let line = Line(roundTrip: roundTrip, files: files, isMultiplexed: isMultiplexed)
    let found = run(&growth, line, files: 1000)
    let most = isMultiplexed ? JobGrowth.streams : JobGrowth.connections
    // The time of a run with this number from the start, plus four round trips.
    #expect(found.seconds <= max(roundTrip * 1000 / Double(most), 1000 / files) + 4 * roundTrip)
    #expect(found.seconds <= run(&short, line, files: 1000).seconds)
  }

  @Test("over a line that completes few files in a round trip, a long list stays near its first number for long")
  func longListOnASlowLine() {
    var growth = JobGrowth()
    growth.expect(1000)
    #expect(run(&growth, Line(roundTrip: 0.02, files: 400), files: 60).most <= JobGrowth.many + JobGrowth.few)
  }

  @Test("the number of a long list rises by one for each end, not at once")
  func paced() {
    var growth = JobGrowth()
    growth.expect(1000)
    for _ in 0..<13 {
      _ = growth.answered("o", size: 10_240, isMultiplexed: false)
      growth.ended("o", .small, isComplete: true, seconds: 0.04, now: 0.04)
    }
    #expect(growth.limit == 2 * JobGrowth.many)
    var limits: [Int] = []
    for _ in 0..<3 {
      growth.ended("o", .small, isComplete: true, seconds: 0.02, now: 0.06)
      limits.append(growth.limit)
    }
    #expect(limits == [33, 34, 35])
  }

  @Test(
    "the streams of a long list get more connections with the first file, if they save round trips",
    arguments: [(0.1, 1000, 16), (0.1, 100, 1), (0.0001, 1000, 1)] as [(Double, Int, Int)])
  func earlyCarriers(roundTrip: Double, files: Int, carriers: Int) {
    var growth = JobGrowth()
    growth.expect(files)
    _ = growth.answered("o", size: 10_240, isMultiplexed: true)
    growth.ended("o", .small, isComplete: true, seconds: 3 * roundTrip, now: 1)
    #expect(growth.limit(of: "o", now: 1) == JobGrowth.streams && growth.limit == JobGrowth.streams)
    #expect(growth.streamsPerConnection == (JobGrowth.streams + carriers - 1) / carriers)
  }

  @Test("a later run begins with what an earlier one found", arguments: [false, true])
  func remembered(isMultiplexed: Bool) {
    let line = Line(isMultiplexed: isMultiplexed)
    var (first, without) = (JobGrowth(), JobGrowth())
    _ = run(&first, line, files: 1000)
    #expect(first.learned == ["o": isMultiplexed ? JobGrowth.streams : JobGrowth.connections])
    var second = JobGrowth(known: first.learned)
    let (fast, slow) = (run(&second, line, files: 100), run(&without, line, files: 100))
    // Streams cost nothing, so every run uses all of them from the first answer.
    #expect(isMultiplexed ? fast.seconds == slow.seconds : fast.seconds < slow.seconds)
    // The number does not apply at once, because the name may belong to another machine now.
    #expect(JobGrowth(known: first.learned).limit == JobGrowth.few)
    // A given number stays.
    var given = JobGrowth(jobs: 7, known: first.learned)
    #expect(run(&given, line, files: 100).most == 7)
  }

  @Test("a later run stays as careful with a server that refused jobs")
  func rememberedRefusal() {
    var first = JobGrowth()
    _ = run(&first, Line(serves: 4), files: 100)
    #expect(first.learned == ["o": 4])
    var second = JobGrowth(known: first.learned, now: 0)
    let found = run(&second, Line(serves: 4), files: 500)
    #expect(found.most == 4 && found.refused == 0)
    #expect(second.limit(of: "o", now: 31) == JobGrowth.connections && second.limit(of: "other", now: 0) > 4)
  }

  @Test("a result from several origins is not recorded for any of them")
  func rememberedOfOne() {
    var growth = JobGrowth()
    _ = growth.answered("other", size: 1, isMultiplexed: false)
    _ = run(&growth, Line(), files: 1000)
    #expect(growth.learned.isEmpty)
  }

  @Test("a wait for more jobs does not look like a saturated line")
  func starved() {
    var growth = JobGrowth()
    let before = run(&growth, Line(), files: 60)
    // The queue was empty for a while; the last jobs end without a successor.
    for _ in 0..<20 {
      _ = growth.answered("o", size: 1, isMultiplexed: false)
      growth.starved()
      growth.ended("o", .small, isComplete: true, now: before.seconds + 5)
    }
    var later = growth
    _ = run(&later, Line(), files: 500)
    #expect(later.limit >= JobGrowth.connections)
  }

  @Test("a step that brings a tenth is kept, and one that brings nothing is taken back")
  func lastStep() {
    // 20 jobs complete 500 files a second, and 40 jobs a fifth more.
    var growth = JobGrowth()
    #expect(run(&growth, Line(files: 600), files: 1000).most == JobGrowth.connections)
    #expect(growth.limit == 40 && growth.learned == ["o": 40])
    // 40 jobs complete 1,000 files a second, and 64 jobs half as many again, although 64 is less than twice 40.
    growth = JobGrowth()
    #expect(run(&growth, Line(files: 1500), files: 1000).most == JobGrowth.connections)
    #expect(growth.limit >= JobGrowth.connections && growth.learned == ["o": JobGrowth.connections])
  }

  @Test(
    "streams are spread over more connections while that helps",
    arguments: [(50.0, nil, 16), (50, 2, 2), (50, 1, 1), (1e9, nil, 1)] as [(Double, Int?, Int)])
  func carriers(perCarrier: Double, perOrigin: Int?, expected: Int) {
    var growth = JobGrowth(perOrigin: perOrigin)
    let found = run(&growth, Line(roundTrip: 0.08, isMultiplexed: true, perCarrier: perCarrier), files: 1000)
    #expect(found.most == JobGrowth.streams)
    #expect(growth.streamsPerConnection == (JobGrowth.streams + expected - 1) / expected)
    #expect(growth.streamsPerConnection * JobGrowth.streamConnections >= JobGrowth.streams)
    // On one connection it takes 20 seconds.
    if expected == 16 { #expect(found.seconds < 8) }
  }

  @Test("a refusal, and another origin, bring the streams back to one connection", arguments: [false, true])
  func fewerCarriers(isRefused: Bool) {
    var growth = JobGrowth()
    _ = run(&growth, Line(roundTrip: 0.08, isMultiplexed: true, perCarrier: 50), files: 1000)
    #expect(growth.streamsPerConnection < JobGrowth.streams)
    if isRefused {
      growth.failed(Failure(.status, "u", "busy", httpStatus: 429), "o", others: 50, now: 100)
    } else {
      _ = growth.answered("p", size: 1, isMultiplexed: true)
    }
    #expect(growth.streamsPerConnection == JobGrowth.streams)
    let opens = [growth.takeOpening("o"), growth.takeOpening("p")]
    #expect(opens == [false, false])
  }

  @Test("few jobs stay if more do not help")
  func full() {
    var growth = JobGrowth()
    _ = run(&growth, Line(roundTrip: 0.0001, files: 8000), files: 300)
    #expect(growth.limit <= 4 * JobGrowth.few)
  }

  @Test("few large files run at once", arguments: [4 << 20, 1 << 40])
  func large(size: Int64) {
    var growth = JobGrowth()
    #expect(run(&growth, Line(), files: 200, size: size).most == JobGrowth.few)
  }

  @Test("more files of a middle length run at once where each takes long", arguments: [4 << 20, JobGrowth.middle])
  func middle(size: Int64) {
    var growth = JobGrowth()
    let found = run(&growth, Line(seconds: 3), files: 200, size: size)
    #expect(found.most == JobGrowth.slow)
    // The time of a run with this number from the start, plus two files.
    #expect(found.seconds <= 3.1 * (200 / Double(JobGrowth.slow) + 2))
    // A given number stays.
    var given = JobGrowth(jobs: 7)
    #expect(run(&given, Line(seconds: 3), files: 200, size: size).most == 7)
    var larger = JobGrowth()
    #expect(run(&larger, Line(seconds: 30), files: 50, size: size + JobGrowth.middle).most == JobGrowth.few)
  }

  @Test("large files in all first slots delay small ones until one of them ends")
  func mixed() {
    var growth = JobGrowth()
    _ = run(&growth, Line(), files: 500)
    #expect(growth.limit > JobGrowth.few)
    let found = (0..<JobGrowth.few).map { _ in growth.answered("o", size: nil, isMultiplexed: false) }
    #expect(found.allSatisfy { $0 == .large } && growth.limit == JobGrowth.few)
    growth.ended("o", .large, isComplete: true, now: 100)
    #expect(growth.limit > JobGrowth.few)
  }

  @Test("a server that serves four gets four, at once")
  func refusals() {
    var growth = JobGrowth()
    let found = run(&growth, Line(serves: 4), files: 500)
    #expect(found.most == 4 && found.refused == 1)
    #expect(growth.limit(of: "o", now: 0) == 4 && growth.limit(of: "other", now: 0) == JobGrowth.connections)
    // A higher number is tried again later, and ever less often.
    #expect(growth.limit(of: "o", now: 31) == JobGrowth.connections)
    growth.failed(Failure(.status, "u", "busy", httpStatus: 429), "o", others: 3, now: 40)
    #expect(growth.limit(of: "o", now: 99) == 3 && growth.limit(of: "o", now: 101) == JobGrowth.connections)
  }

  @Test("refusals of one burst count once for each remaining job")
  func burst() {
    var growth = JobGrowth()
    for others in (4..<32).reversed() {
      growth.failed(Failure(.network, "u", "reset", recovery: .retry), "o", others: others, now: 1)
    }
    #expect(growth.limit(of: "o", now: 2) == 4 && growth.exceptions(now: 2) == ["o": 4])
    // A broken line is not a refusal.
    growth.failed(Failure(.network, "u", "reset", recovery: .retry), "o", others: 0, now: 2)
    #expect(growth.limit(of: "o", now: 3) == 4)
    // Refusals that say nothing about room do not count.
    growth.failed(Failure(.status, "u", "gone", httpStatus: 404), "p", others: 1, now: 2)
    #expect(growth.limit(of: "p", now: 3) == JobGrowth.connections)
  }

  @Test("a refusal of the only job gives one at a time, and more as files complete; a later run knows nothing of it")
  func alone() {
    var growth = JobGrowth()
    growth.failed(Failure(.status, "u", "busy", httpStatus: 503), "o", others: 0, now: 0)
    #expect(growth.limit(of: "o", now: 1) == 1 && growth.restraints == ["o": 1])
    #expect(JobGrowth(known: growth.learned, now: 1).exceptions(now: 1).isEmpty)
    var limits: [Int] = []
    for _ in 0..<7 {
      growth.ended("o", .small, isComplete: true, now: 2)
      limits.append(growth.limit(of: "o", now: 2))
    }
    #expect(limits == [2, 2, 4, 4, 4, 4, JobGrowth.connections])
    #expect(growth.restraints == ["o": JobGrowth.few])
  }

  @Test(
    "a given number is not lowered by what an earlier run found",
    arguments: [(3, nil), (nil, 8), (3, 8)] as [(Int?, Int?)])
  func given(jobs: Int?, perOrigin: Int?) {
    let growth = JobGrowth(jobs: jobs, perOrigin: perOrigin, known: ["o": 1], now: 0)
    #expect(growth.limit(of: "o", now: 0) == perOrigin ?? JobGrowth.connections)
    // It is forgotten.
    #expect(growth.learned == ["o": JobGrowth.few] && growth.restraints == growth.learned)
  }

  @Test("the time of a refusal ends by itself, also for later runs")
  func lapse() {
    var growth = JobGrowth(known: ["o": 2], now: 0)
    let early = growth.lapse(now: 29)
    #expect(!early && growth.restraints == ["o": 2])
    let (late, again) = (growth.lapse(now: 31), growth.lapse(now: 32))
    #expect(late && !again && growth.learned == ["o": JobGrowth.few] && growth.restraints == growth.learned)
  }

  @Test("a given number is kept", arguments: [1, 5, 64])
  func fixed(jobs: Int) {
    var growth = JobGrowth(jobs: jobs, perOrigin: jobs)
    #expect(run(&growth, Line(), files: 500).most == jobs)
    #expect(JobGrowth(jobs: jobs, most: 3).limit == min(jobs, 3) && JobGrowth(most: 3).limit == 3)
  }

  @Test("a number for one origin limits connections, not the jobs on one connection", arguments: [1, 2, 40])
  func sharedConnection(perOrigin: Int) {
    var (apart, together) = (JobGrowth(perOrigin: perOrigin), JobGrowth(perOrigin: perOrigin))
    #expect(run(&apart, Line(), files: 500).most == perOrigin)
    #expect(run(&together, Line(isMultiplexed: true), files: 500).most == JobGrowth.streams)
    #expect(together.exceptions(now: 99) == ["o": JobGrowth.streams])
    // Another origin is still unknown.
    #expect(together.limit(of: "p", now: 99) == perOrigin)
  }

  /// The number of jobs, of those without an answer, and the limit.
  @Test(
    arguments: [
      (nil, 0, 5), (nil, 2, 7), (nil, 4, 9), (nil, 5, 69), (nil, 30, 94), (nil, 100, 128), (3, 3, 3), (1, 9, 1),
    ] as [(Int?, Int, Int)])
  func jobsBesideThoseWithoutAnAnswer(jobs: Int?, silent: Int, limit: Int) {
    #expect(JobGrowth(jobs: jobs).limit(besides: silent) == limit)
  }

  @Test func descriptorsLimitThemToo() { #expect(JobGrowth(most: 20).limit(besides: 9) == 20) }
}
