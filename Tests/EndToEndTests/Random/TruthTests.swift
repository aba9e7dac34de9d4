// Tests of the oracle: accepted and rejected results. No episode would reveal a wrong oracle.

import FaultServer
import Testing

@Suite("Oracle of the random server")
struct TruthTests {
  private static let size: Int64 = 300_000
  private static let (a, b, c) = (
    Content.generated(seed: 1, size: size), Content.generated(seed: 2, size: size),
    Content.generated(seed: 3, size: size)
  )

  private static func woven(_ parts: (Content, Range<Int64>)...) -> [UInt8] {
    parts.flatMap { $0.0.bytes(in: $0.1) }
  }

  private static let mixed = woven((a, 0..<100_001), (b, 100_001..<size))

  /// Starts with b, and continues with a from 90,000 on.
  private static let grown = Content.fixed(woven((b, 0..<90_000), (a, 90_000..<size)))

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var isRight: Bool
    var truth: Truth

    init(_ name: String, _ bytes: [UInt8], _ isRight: Bool, _ change: (inout Truth) -> Void = { _ in }) {
      (testDescription, self.bytes, self.isRight) = (name, bytes, isRight)
      truth = Truth()
      truth.sent = [0: TruthTests.a, 1: TruthTests.b]
      change(&truth)
    }
  }

  static let rows: [Row] = [
    Row("a version", a.allBytes, true),
    Row("a version that was never sent", c.allBytes, false),
    Row("two versions in one", mixed, false),
    Row("the beginning of a version", a.bytes(in: 0..<size - 1), false),
    Row("more than a version", a.allBytes + [0], false),
    Row("nothing", [], false),
    Row("nothing, of a version without bytes", [], true) { $0.sent[2] = .fixed([]) },
    Row("a byte that is another", [a.allBytes[0] ^ 1] + a.bytes(in: 1..<size), false),
    Row("what was there before", c.allBytes, true) { $0.before = [c] },
    Row("two versions with one strong validator", mixed, true) { $0.identified = ["\"x\"": [0, 1]] },
    Row("two versions with two strong validators", mixed, false) { $0.identified = ["\"x\"": [0], "\"y\"": [1]] },
    Row("three versions, of which two and two have one validator", woven((a, 0..<9), (b, 9..<99), (c, 99..<size)), true)
    {
      $0.sent[2] = c
      $0.identified = ["\"x\"": [0, 1], "\"y\"": [1, 2]]
    },
    Row("one validator, and bytes of none", woven((a, 0..<9)) + [1, 2, 3] + woven((b, 12..<size)), false) {
      $0.identified = ["\"x\"": [0, 1]]
    },
    Row("one validator, and bytes at another place", woven((a, 0..<100_000), (b, 0..<200_000)), false) {
      $0.identified = ["\"x\"": [0, 1]]
    },
    Row("one validator, and a digest is known", mixed, false) {
      $0.identified = ["\"x\"": [0, 1]]
      $0.isProved = true
    },
    Row("the digest that was given", b.allBytes, true) { $0.demanded = [b] },
    Row("another than was given", a.allBytes, false) { $0.demanded = [b] },
    Row("none can have the digest", a.allBytes, false) { $0.demanded = [] },
    Row("continued by an overlap that differs", mixed, false) { $0.overlapping = [0, 1] },
    Row("continued where they differ, though they begin alike", woven((b, 0..<160_000), (a, 160_000..<size)), false) {
      $0.sent = [0: grown, 1: b]
      $0.overlapping = [0, 1]
    },
    Row("continued behind 64 KiB that are the same", patchedWoven, true) {
      $0.sent = [0: patched, 1: b]
      $0.overlapping = [0, 1]
    },
    Row("the same, but nobody may compare an overlap", patchedWoven, false) { $0.sent = [0: patched, 1: b] },
    Row("the same, with a digest", patchedWoven, false) {
      $0.sent = [0: patched, 1: b]
      $0.overlapping = [0, 1]
      $0.isProved = true
    },
  ]

  /// b with other bytes near its beginning and near its end.
  private static let patched = Content.fixed(
    woven((a, 0..<50_000), (b, 50_000..<250_000), (a, 250_000..<size)))
  /// The beginning of the patched version, and the end of b.
  private static let patchedWoven = woven((a, 0..<50_000), (b, 50_000..<size))

  @Test("allowed results at a target", arguments: rows)
  func problems(_ row: Row) {
    #expect((row.truth.problem(with: row.bytes) == nil) == row.isRight, "\(row.truth.problem(with: row.bytes) ?? "")")
  }

  @Test("a prefix of an allowed result")
  func beginnings() {
    var truth = Truth()
    truth.sent = [0: Self.a, 1: Self.b]
    #expect(truth.mayBegin(with: []) && truth.mayBegin(with: Self.b.bytes(in: 0..<5000)))
    #expect(!truth.mayBegin(with: Self.c.bytes(in: 0..<5000)) && !truth.mayBegin(with: Self.b.allBytes + [1]))
  }

  @Test("an episode follows from its seed")
  func repeats() {
    #expect(Episode(seed: 77).summary == Episode(seed: 77).summary)
    #expect(Set((0..<200).map { Episode(seed: $0).client }) == Set(Client.allCases))
  }
}
