// The verdict on the digests of a whole file.

import DrayCore
import Testing

@Suite struct DigestCheckTests {
  static func value(_ algorithm: DigestAlgorithm, _ byte: UInt8) -> DigestValue {
    DigestValue(algorithm, bytes: Array(repeating: byte, count: algorithm.byteCount))
  }

  static func offer(_ algorithm: DigestAlgorithm, _ byte: UInt8, _ field: String = "Repr-Digest") -> SourcedDigest {
    SourcedDigest(value(algorithm, byte), DigestSource(rawValue: field))
  }

  static let given = SourcedDigest(value(.sha512, 1), .given)
  static let offered = offer(.sha256, 2)

  @Test("every algorithm is computed once, and only the best of the offered ones")
  func algorithms() {
    let check = DigestCheck(
      binding: [DigestCheckTests.given, SourcedDigest(DigestCheckTests.value(.sha256, 2), .metalink)],
      offered: [DigestCheckTests.offer(.md5, 3), DigestCheckTests.offered])
    #expect(check.algorithms == [.sha512, .sha256])
    #expect(DigestCheck().algorithms.isEmpty)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var check: DigestCheck
    var computed: [DigestValue]
    var verdict: DigestCheck.Verdict
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "nothing known", check: DigestCheck(), computed: [], verdict: .unknown(doubt: nil)),
    Row(
      name: "given, right", check: DigestCheck(binding: [given]), computed: [value(.sha512, 1)],
      verdict: .proved(given, doubt: nil)),
    Row(
      name: "given, wrong", check: DigestCheck(binding: [given]), computed: [value(.sha512, 9)],
      verdict: .refuted(given, found: value(.sha512, 9))),
    Row(
      name: "offered, right", check: DigestCheck(offered: [offered]), computed: [value(.sha256, 2)],
      verdict: .proved(offered, doubt: nil)),
    Row(
      name: "offered, wrong", check: DigestCheck(offered: [offered]), computed: [value(.sha256, 9)],
      verdict: .refuted(offered, found: value(.sha256, 9))),
    Row(
      name: "both right: the user's word is the proof", check: DigestCheck(binding: [given], offered: [offered]),
      computed: [value(.sha512, 1), value(.sha256, 2)], verdict: .proved(given, doubt: nil)),
    Row(
      name: "given right, offered wrong", check: DigestCheck(binding: [given], offered: [offered]),
      computed: [value(.sha512, 1), value(.sha256, 9)],
      verdict: .proved(
        given, doubt: "the server's Repr-Digest is \(value(.sha256, 2)), which is not the file's")),
    Row(
      name: "given wrong, offered right", check: DigestCheck(binding: [given], offered: [offered]),
      computed: [value(.sha512, 9), value(.sha256, 2)], verdict: .refuted(given, found: value(.sha512, 9))),
    Row(
      name: "the second that is binding is wrong",
      check: DigestCheck(binding: [given, SourcedDigest(value(.md5, 4), .metalink)]),
      computed: [value(.sha512, 1), value(.md5, 5)],
      verdict: .refuted(SourcedDigest(value(.md5, 4), .metalink), found: value(.md5, 5))),
    Row(
      name: "a server that contradicts itself says nothing, and that is told",
      check: DigestCheck(offered: [offered, offer(.sha256, 7, "Digest")]), computed: [],
      verdict: .unknown(
        doubt: "the server's Repr-Digest and Digest contradict each other: their digests were ignored")),
    Row(
      name: "the user's word stands beside it",
      check: DigestCheck(binding: [given], offered: [offered, offer(.sha256, 7)]), computed: [value(.sha512, 1)],
      verdict: .proved(given, doubt: "the server's Repr-Digest contradicts itself: their digests were ignored")),
    Row(
      name: "and so does what it says by another algorithm",
      check: DigestCheck(offered: [offered, offer(.sha256, 7, "Digest"), offer(.md5, 3)]), computed: [value(.md5, 3)],
      verdict: .proved(
        offer(.md5, 3),
        doubt: "the server's Repr-Digest and Digest contradict each other: their digests were ignored")),
  ]

  @Test(arguments: rows)
  func verdict(row: Row) { #expect(row.check.verdict(row.computed) == row.verdict) }
}
