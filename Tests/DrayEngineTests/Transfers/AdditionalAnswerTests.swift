// An answer to an additional connection concerns that connection only: the others continue, and the rest is requested
// once more, alone (R38).

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite(.serialized) struct AdditionalAnswerTests {
  private static let size: Int64 = 8 << 20
  private let version = FaultServer.Version.named("v1", size: AdditionalAnswerTests.size)

  /// An unusable answer.
  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var answer: FaultServer.Answer

    init(_ name: String, _ answer: FaultServer.Answer) { (testDescription, self.answer) = (name, answer) }
  }

  private static func page(_ lines: [String]) -> FaultServer.Answer {
    FaultServer.Answer(200) {
      $0.body = Array("<html><body>Too many connections</body></html>".utf8)
      $0.headers = ["Content-Type: text/html"] + lines
      $0.without = lines.isEmpty ? ["ETag"] : []
    }
  }

  static let bad: [Bad] = [
    Bad("401", .status(401)), Bad("403", .status(403)), Bad("404", .status(404)), Bad("410", .status(410)),
    Bad("412", .status(412)), Bad("416", .status(416)),
    Bad("416 with another length", .status(416, headers: ["Content-Range: bytes */17"])),
    Bad("a page", page([])), Bad("a page with an ETag", page(["ETag: \"page\""])),
    Bad("a page with a weak ETag", page(["ETag: W/\"page\""])),
    Bad("206 with another ETag", FaultServer.Answer { $0.headers = ["ETag: \"v2\""] }),
    Bad("200 with another ETag", FaultServer.Answer { ($0.headers, $0.ignoresRange) = (["ETag: \"v2\""], true) }),
    Bad("206 without its ETag", FaultServer.Answer { $0.without = ["ETag"] }),
    Bad("another total", FaultServer.Answer { $0.headers = ["Content-Range: bytes {first}-{last}/9999999"] }),
    Bad("multipart", FaultServer.Answer { $0.multipart = true }),
    Bad("gzip", FaultServer.Answer { $0.headers = ["Content-Encoding: gzip"] }),
    Bad("no Content-Range", FaultServer.Answer { $0.without = ["Content-Range"] }),
    Bad("from zero", FaultServer.Answer { $0.start = .at(0) }),
    Bad("shifted by one", FaultServer.Answer { $0.start = .shifted(1) }),
    Bad("the whole as a part", FaultServer.Answer(206) { $0.headers = ["Content-Length: 8388608"] }),
  ]

  /// The first connection is cut later: one connection requests the rest, and gets it.
  @Test("missing bytes are requested once more, over one connection", arguments: bad)
  func once(_ bad: Bad) async throws {
    let gate = FaultServer.Gate()
    let lead = FaultServer.Answer {
      $0.holds = [.gate(gate, after: 1 << 20)]
      $0.bodyCut = 3 << 20
    }
    try await Site.use(version, lead, bad.answer, .normal, helpful: 2) { site in
      var plan = try site.plan()
      plan.maxConnections = 2
      let watcher = Watcher()
      let outcome = await site.run(plan, watcher, holding: gate) { site.ranges.count >= 2 }
      #expect(outcome.wholeSize == Self.size, "\(outcome.end)")
      #expect(site.difference(version) == nil)
      #expect(watcher.now.startsOver.isEmpty && outcome.startedOver == nil)
    }
  }

  /// The other connections fetch everything.
  @Test("the others go on", arguments: bad)
  func theOthersGoOn(_ bad: Bad) async throws {
    let gate = FaultServer.Gate()
    let held = FaultServer.Answer.held(by: gate, after: 1 << 19)
    try await Site.use(version, held, held, bad.answer, .normal, helpful: 3) { site in
      var plan = try site.plan()
      plan.maxConnections = 3
      let watcher = Watcher()
      let outcome = await site.run(plan, watcher, holding: gate) { site.ranges.count >= 3 }
      #expect(outcome.wholeSize == Self.size, "\(outcome.end)")
      #expect(site.difference(version) == nil)
      #expect(watcher.now.startsOver.isEmpty && outcome.startedOver == nil)
      // The refused bytes were requested once more at most: another answer may have reached them. Later requests are for
      // parts of what a slow connection still has.
      let refused = try #require(site.ranges[2]?.split(separator: "-").first)
      #expect(site.ranges.count { $0?.hasPrefix("\(refused)-") == true } <= 2, "\(site.ranges)")
    }
  }

  /// The second refusal decides the job: interrupted, and the bytes are kept.
  @Test(arguments: [403, 404, 410])
  func twice(status: Int) async throws {
    let gate = FaultServer.Gate()
    let lead = FaultServer.Answer {
      $0.holds = [.gate(gate, after: 1 << 20)]
      $0.bodyCut = 3 << 20
    }
    try await Site.use(version, lead, .status(status), helpful: 2) { site in
      var plan = try site.plan()
      plan.maxConnections = 2
      let outcome = await site.run(plan, holding: gate) { site.ranges.count >= 2 }
      #expect(outcome.failure?.httpStatus == status && outcome.failure?.recovery == .keep)
      #expect(outcome.reached == 3 << 20)
      // The last request is for the whole file, because the status might concern only the range.
      #expect(site.ranges.count == 4)
    }
  }
}
