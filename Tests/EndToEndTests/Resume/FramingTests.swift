// Where a body ends and how one finds out: R21–R26 of CASES.md, in transfers that nobody stops.

import FaultServer
import Foundation
import Testing

@Suite("Framing")
struct FramingTests {
  static let version = ResumeCase.v1

  struct Broken: Sendable, CustomTestStringConvertible {
    let id: String
    let what: String
    let first: Answer
    /// A reset takes along what the receiver has not read yet.
    var losesBytes = false
    var testDescription: String { "\(id) \(what)" }

    static let table: [Broken] = [
      .init(id: "R21", what: "FIN mid-body", first: .cut(after: 300_000)),
      .init(
        id: "R21", what: "reset mid-body",
        first: Answer.cut(after: 300_000, .reset).with {
          $0.holds = [.stall(after: 300_000, seconds: 0.2)]
        }, losesBytes: true),
      .init(
        id: "R22", what: "chunked, cut inside",
        first: Answer {
          $0.framing = .chunked(.init())
          $0.bodyCut = 300_000
        }),
      .init(
        id: "R22", what: "chunked, without its last chunk",
        first: Answer {
          $0.framing = .chunked(.init())
          $0.bodyCut = ResumeCase.size
        }),
    ]
  }

  @Test("a body cut short is asked for again from where it ended", arguments: Broken.table)
  func cutIsResumed(_ row: Broken) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: [row.first, .normal])
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"), "--retry-wait", "0.05")
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.version.content], finished)
      let requests = sandbox.server.requests("/f")
      #expect(requests.count == 2, "\(finished)")
      let range = try #require(requests.last?["Range"])
      #expect(range == "bytes=\(requests[0].bodySent)-" || row.losesBytes)
      #expect(requests.last?["If-Range"] == "\"v1\"")
    }
  }

  @Test("a body that is cut short each time is never called complete: 4, bytes kept", arguments: Broken.table)
  func cutEachTime(_ row: Broken) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      // After the first bytes nothing more comes, so that nothing resets the count of retries.
      let nothing = row.first.with { $0.bodyCut = 0 }
      sandbox.server["/f"] = .init(Self.version, script: [row.first.with { $0.bodyCut = 300_000 }, nothing])
      let finished = try await sandbox.dray(
        "get", sandbox.server.url("/f"), "--retry-wait", "0.05", "--retries", "2")
      expect(finished, exits: 4)
      sandbox.expectOnlyPartFile(finished)
      #expect(sandbox.server.requests("/f").count == 3, "\(finished)")
      let job = try await sandbox.onlyJob()
      #expect(job.state == "interrupted" && job.received > 0, "\(finished)")
      #expect(job.received == 300_000 || row.losesBytes, "\(finished)")
    }
  }

  @Test("R23 no length and a plain close: complete, and said to be unverified")
  func closeEndsTheBody() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: [Answer { $0.framing = .close }])
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"))
      expect(finished, exits: 0, saying: "length unverified")
      sandbox.expectFiles(["f": Self.version.content], finished)
    }
  }

  struct Length: Sendable, CustomTestStringConvertible {
    let value: String
    let isAccepted: Bool
    var testDescription: String { "Content-Length: \(value)" }

    static let table: [Length] =
      [Length(value: "42", isAccepted: true), Length(value: "42,42", isAccepted: true)]
      + ["42,30", "-5", "99999999999999999999", "5s", "", "+42", "0x2a"].map {
        Length(value: $0, isAccepted: false)
      }
  }

  @Test("R24 lengths", arguments: Length.table)
  func contentLength(_ length: Length) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let version = Version.named("v1", size: 42)
      sandbox.server["/f"] = .init(
        version,
        script: [
          Answer {
            $0.headers = ["Content-Length: \(length.value)"]
            $0.closes = true
          }
        ])
      let finished = try await sandbox.dray(
        "get", sandbox.server.url("/f"), "--retries", "1", "--retry-wait", "0.05")
      expect(finished, exits: length.isAccepted ? 0 : 7)
      sandbox.expectFiles(length.isAccepted ? ["f": version.content] : [:], finished)
    }
  }

  @Test("R25 zero bytes make an empty target")
  func empty() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      sandbox.server["/f"] = .init(.named("v1", size: 0))
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": .fixed([])], finished)
      #expect(try await sandbox.onlyJob().size == 0)
    }
  }

  @Test("R26 gzip that nobody asked for is stored as sent, and that is said")
  func gzipUnasked() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let zipped = Content.fixed([
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0,
        0, 0,
      ])
      sandbox.server["/f.txt"] = .init(
        Version(zipped, etag: "\"z\""), script: [.init { $0.headers = ["Content-Encoding: gzip"] }])
      let finished = try await sandbox.dray("get", sandbox.server.url("/f.txt"))
      expect(finished, exits: 0, saying: "gzip")
      sandbox.expectFiles(["f.txt": zipped], finished)
    }
  }
}
