// A file continues from kept bytes: the request, the bytes kept, and the result on disk.

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite struct ResumeTests {
  private let version = FaultServer.Version.named("v1", size: 300_000)
  /// The same file from a server that identifies nothing.
  private let anonymous = FaultServer.Version(FaultServer.Version.named("v1", size: 300_000).content)

  @Test func theRestIsAskedForOnConditionOfTheETag() async throws {
    try await Site.use(version) { site in
      let watcher = Watcher()
      let recorded = try site.receivedBefore(123_456, of: version)
      let outcome = await site.run(try site.plan(recorded: recorded), watcher)
      #expect(outcome.wholeSize == 300_000)
      #expect(outcome.resumedFrom == 123_456)
      #expect(outcome.startedOver == nil)
      #expect(site.difference(version) == nil)
      #expect(site.ranges == ["bytes=57920-"])
      #expect(site.server.requests("/file").first?["If-Range"] == "\"v1\"")
      #expect(site.server.bytesSent("/file") == 300_000 - 57_920)
      #expect(watcher.now.startsOver.isEmpty)
      #expect(watcher.now.answers.map(\.from) == [123_456])
    }
  }

  @Test func orOfTheStoredDate() async throws {
    var dated = anonymous
    dated.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
    try await Site.use(dated) { site in
      var recorded = try site.receivedBefore(1000, of: dated)
      recorded.validators.date = "Mon, 07 Nov 1994 08:49:37 GMT"
      let outcome = await site.run(try site.plan(recorded: recorded))
      #expect(outcome.resumedFrom == 1000)
      #expect(site.server.requests("/file").first?["If-Range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
      #expect(site.difference(dated) == nil)
    }
  }

  @Test func onlyBytesThatArePresentCount() async throws {
    try await Site.use(version) { site in
      var recorded = try site.receivedBefore(50_000, of: version)
      recorded.segments = SegmentSet(0..<200_000)
      let outcome = await site.run(try site.plan(recorded: recorded))
      #expect(outcome.resumedFrom == 50_000)
      #expect(site.difference(version) == nil)
    }
  }

  @Test func bytesBeyondTheRecordAreNotTrusted() async throws {
    try await Site.use(version) { site in
      try site.directory.write(
        version.content.bytes(in: 0..<100_000) + [UInt8](repeating: 0xEE, count: 150_000), to: "part")
      let recorded = Checkpoint(
        segments: SegmentSet(0..<100_000), size: 300_000, validators: Validators(etag: version.etag))
      let outcome = await site.run(try site.plan(recorded: recorded))
      #expect(outcome.resumedFrom == 100_000)
      #expect(site.difference(version) == nil)
    }
  }

  /// R3: a network that answers 200 to an If-Range that holds gets one If-Match.
  @Test func ifMatchIsAskedOnce() async throws {
    try await Site.use(version, .init { $0.refusesIfRange = true }) { site in
      let outcome = await site.run(try site.plan(recorded: try site.receivedBefore(100_000, of: version)))
      #expect(outcome.resumedFrom == 100_000)
      #expect(site.server.requests("/file").map { $0["If-Match"] } == [nil, "\"v1\""])
      #expect(site.difference(version) == nil)
    }
  }

  /// R8, and servers that send only a part of a range.
  @Test func whatIsSentInPiecesIsAskedOn() async throws {
    try await Site.use(version, .init { $0.rangeLimit = 100_000 }) { site in
      let outcome = await site.run(try site.plan(recorded: try site.receivedBefore(30_000, of: version)))
      #expect(outcome.wholeSize == 300_000)
      #expect(site.ranges == ["bytes=0-", "bytes=100000-", "bytes=200000-"])
      #expect(site.difference(version) == nil)
    }
  }

  @Test func piecesThatAreTooSmallAreLeftToTheRetries() async throws {
    try await Site.use(version, .init { $0.rangeLimit = 51_000 }) { site in
      let outcome = await site.run(try site.plan(recorded: try site.receivedBefore(50_000, of: version)))
      #expect(outcome.failure?.recovery == .retry)
      #expect(outcome.reached == 51_000)
      #expect(site.ranges.count == 1)
      #expect(site.directory.bytes("part") == version.content.bytes(in: 0..<51_000))
    }
  }

  /// R14.
  @Test func anUnsatisfiedRangeMayMeanThatAllIsHere() async throws {
    let unsatisfied = FaultServer.Answer(416) { $0.headers = ["Content-Range: bytes */300000"] }
    try await Site.use(version, unsatisfied) { site in
      var recorded = try site.receivedBefore(300_000, of: version)
      recorded.size = nil
      let watcher = Watcher()
      let outcome = await site.run(try site.plan(recorded: recorded), watcher)
      #expect(outcome.wholeSize == 300_000)
      #expect(outcome.proof == .proved)
      #expect(site.server.requests("/file").map(\.status) == [416])
      #expect(watcher.now.startsOver.isEmpty)
      #expect(site.difference(version) == nil)
    }
  }

  /// R17: an overlap is compared where nothing identifies the version.
  @Test(arguments: [200_000, 1000, 65_536] as [Int64])
  func anOverlapThatIsTheSameIsBuiltUpon(_ have: Int64) async throws {
    try await Site.use(anonymous) { site in
      let recorded = try site.receivedBefore(have, of: anonymous)
      let outcome = await site.run(try site.plan(recorded: recorded, resume: .always))
      #expect(outcome.wholeSize == 300_000)
      #expect(outcome.resumedFrom == have)
      #expect(site.ranges == ["bytes=\(max(0, have - Joint.overlap))-"])
      #expect(site.difference(anonymous) == nil)
    }
  }

  @Test func anOverlapThatDiffersIsNot() async throws {
    try await Site.use(anonymous) { site in
      let recorded = try site.receivedBefore(200_000, of: anonymous)
      var bytes = try #require(site.directory.bytes("part"))
      bytes[199_999] ^= 1
      try site.directory.write(bytes, to: "part")
      let watcher = Watcher()
      let outcome = await site.run(try site.plan(recorded: recorded, resume: .always), watcher)
      #expect(outcome.wholeSize == 300_000)
      #expect(outcome.resumedFrom == 0)
      #expect(watcher.now.startsOver.count == 1)
      #expect(site.ranges == ["bytes=134464-", nil])
      #expect(site.difference(anonymous) == nil)
    }
  }

  @Test(arguments: [(ResumeMode.safe, false, StartOver.unidentified), (.never, true, .asked)])
  func whatMayNotBeBuiltUponIsFetchedAgain(_ mode: ResumeMode, _ digest: Bool, _ reason: StartOver) async throws {
    try await Site.use(anonymous) { site in
      let recorded = try site.receivedBefore(200_000, of: anonymous)
      let watcher = Watcher()
      let outcome = await site.run(try site.plan(recorded: recorded, resume: mode, digestIsKnown: digest), watcher)
      #expect(outcome.startedOver == reason)
      #expect(watcher.now.startsOver == [reason])
      #expect(site.ranges == [nil])
      #expect(site.difference(anonymous) == nil)
    }
  }

  @Test func aDigestWillProveIt() async throws {
    try await Site.use(anonymous) { site in
      let recorded = try site.receivedBefore(200_000, of: anonymous)
      let outcome = await site.run(try site.plan(recorded: recorded, digestIsKnown: true))
      #expect(outcome.resumedFrom == 200_000)
      #expect(site.difference(anonymous) == nil)
    }
  }
}
