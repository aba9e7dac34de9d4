// The demands of a repeated request on a file that is complete, or that another process is transferring (P12).

import Foundation
import Testing

@testable import DrayCore

@Suite struct FileDemandTests {
  /// A complete job with a file of 1000 bytes, whose digest dray computed.
  private func complete(_ change: (inout Job) -> Void = { _ in }) throws -> Job {
    var job = Job(id: 7, uuid: UUID(), specification: try asked([]), addedAt: 1)
    job.state = .complete
    job.published = FileIdentity(device: 1, inode: 2, size: 1000, modified: 3)
    (job.digest, job.digestSource) = (Self.digest(1), .computed)
    change(&job)
    return job
  }

  private func asked(
    _ given: Set<String>?, _ change: (inout JobOptions) -> Void = { _ in }
  ) throws -> JobSpecification {
    var asked = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("http://h/f").url), directory: "/d", output: "f")
    change(&asked.options)
    asked.given = given
    return asked
  }

  private static func digest(_ byte: UInt8) -> DigestValue {
    DigestValue(.sha256, bytes: Array(repeating: byte, count: 32))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let given: Set<String>?
    let asked: @Sendable (inout JobOptions) -> Void
    var job: @Sendable (inout Job) -> Void = { _ in }
    /// The demands that remain.
    let left: @Sendable (inout FileDemands) -> Void
  }

  static let rows: [Row] = [
    Row(testDescription: "nothing", given: [], asked: { _ in }, left: { _ in }),
    Row(
      testDescription: "another digest", given: ["checksum"], asked: { $0.digest = digest(2) },
      left: { $0.digest = digest(2) }),
    Row(testDescription: "the same digest", given: ["checksum"], asked: { $0.digest = digest(1) }, left: { _ in }),
    Row(testDescription: "another length", given: ["size"], asked: { $0.expectedSize = 7 }, left: { $0.size = 7 }),
    Row(testDescription: "the same length", given: ["size"], asked: { $0.expectedSize = 1000 }, left: { _ in }),
    Row(
      testDescription: "a lower limit", given: ["max-filesize"], asked: { $0.maxSize = 999 },
      left: { $0.mostBytes = 999 }),
    Row(testDescription: "a sufficient limit", given: ["max-filesize"], asked: { $0.maxSize = 1000 }, left: { _ in }),
    Row(testDescription: "a configured limit", given: [], asked: { $0.maxSize = 999 }, left: { _ in }),
    Row(
      testDescription: "a type", given: ["expect-type"], asked: { $0.expectedType = ExpectedType("image/png") },
      left: { $0.type = ExpectedType("image/png") }),
    Row(
      testDescription: "the job's own type", given: ["expect-type"],
      asked: { $0.expectedType = ExpectedType("image/png") },
      job: { $0.specification.options.expectedType = ExpectedType("image/png") }, left: { _ in }),
    Row(testDescription: "auto", given: ["verify"], asked: { $0.verify = .auto }, left: { $0.verify = .auto }),
    Row(
      testDescription: "auto again", given: ["verify"], asked: { $0.verify = .auto },
      job: { $0.specification.options.verify = .auto }, left: { _ in }),
    Row(
      testDescription: "require after auto", given: ["verify"], asked: { $0.verify = .require },
      job: { $0.specification.options.verify = .auto }, left: { $0.verify = .require }),
    Row(
      testDescription: "require again, without a proof", given: ["verify"], asked: { $0.verify = .require },
      job: { $0.specification.options.verify = .require }, left: { $0.verify = .require }),
    Row(
      testDescription: "require after a proof", given: ["verify"], asked: { $0.verify = .require },
      job: { $0.digestSource = DigestSource(rawValue: "http://h/f.sha256") }, left: { _ in }),
    Row(
      testDescription: "offered after none", given: ["verify"], asked: { _ in },
      job: { $0.specification.options.verify = VerifyMode.none }, left: { $0.verify = .offered }),
    Row(
      testDescription: "none", given: ["verify"], asked: { $0.verify = VerifyMode.none }, left: { _ in }),
    Row(
      testDescription: "require beside a digest", given: ["verify", "checksum"],
      asked: { ($0.verify, $0.digest) = (.require, digest(2)) }, left: { $0.digest = digest(2) }),
    Row(testDescription: "without names", given: nil, asked: { $0.maxSize = 999 }, left: { $0.mostBytes = 999 }),
  ]

  @Test("a complete file is judged by what is not known from its job", arguments: rows)
  func judged(_ row: Row) throws {
    var left = FileDemands()
    row.left(&left)
    let demands = FileDemands(of: try asked(row.given, row.asked), judging: try complete(row.job))
    #expect(demands == left && demands.areMet == (left == FileDemands()))
  }

  @Test("a file that no job knows is judged by what is given, not by what is configured")
  func judgeMore() throws {
    let type = try asked(["expect-type"]) { $0.expectedType = ExpectedType("image/png") }
    let limit = try asked(["max-filesize"]) { $0.maxSize = 999 }
    let list = try asked(["verify"]) { $0.verify = .auto }
    for var one in [type, limit, list] {
      #expect(FileDemands.judgeMore(one, length: 1000))
      one.given = []
      #expect(!FileDemands.judgeMore(one, length: 1000))
    }
    #expect(!FileDemands.judgeMore(limit, length: 999))
    #expect(!FileDemands.judgeMore(try asked(["verify"]) { $0.verify = VerifyMode.none }, length: 1000))
  }

  @Test("a transfer that has begun does not check what is demanded later; what it checks already is no obstacle")
  func unchecked() throws {
    let names: Set = ["checksum", "size", "max-filesize", "expect-type", "verify", "limit-rate"]
    let all = try asked(names) {
      ($0.digest, $0.expectedSize, $0.maxSize) = (Self.digest(1), 5, 10)
      ($0.expectedType, $0.verify, $0.rateLimit) = (ExpectedType("image/png"), .require, 1)
    }
    let found = FileDemands.unchecked(of: all, by: try asked([]))
    #expect(found == ["checksum", "size", "max-filesize", "expect-type", "verify"])
    #expect(FileDemands.words(Array(found.prefix(2))) == "this digest and this length")
    #expect(FileDemands.words(found).split(separator: " and ").count == found.count)
    #expect(FileDemands.unchecked(of: all, by: all).isEmpty)
    var configured = all
    configured.given = []
    #expect(FileDemands.unchecked(of: configured, by: try asked([])).isEmpty)
    let looser = try asked(names) { ($0.maxSize, $0.verify) = (100, VerifyMode.none) }
    #expect(FileDemands.unchecked(of: looser, by: try asked([]) { $0.maxSize = 10 }).isEmpty)
    // A digest proves more than a list.
    #expect(FileDemands.unchecked(of: try asked(["verify"]) { $0.verify = .require }, by: all).isEmpty)
  }
}
