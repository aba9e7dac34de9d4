// The digests that an answer offers, and the choice among several.

import DrayCore
import Testing

@Suite struct OfferedDigestTests {
  /// Digests of the bytes "hello\n", in base64.
  static let sha256 = "WJG1tSLV3whtD/CxEPvZ0hu0/HFjrzTQgoai6Eb2viI="
  static let md5 = "sZRqySSS0jR8YjW00mEhhA=="

  static func offers(_ fields: [(String, String)], status: Int = 200) -> [String] {
    ResponseHead(status: status, fields: fields.map { HeaderField($0, $1) }).offeredDigests.map {
      "\($0.source.rawValue) \($0.digest.algorithm.rawValue) \($0.digest.base64)"
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var fields: [(String, String)]
    var status = 200
    var found: [String]
    var testDescription: String { "\(status) \(fields.map { "\($0): \($1)" }.joined(separator: "; "))" }
  }

  @Test func trailersOfferDigestsToo() {
    func offers(_ fields: [HeaderField], status: Int = 200, head: [HeaderField] = []) -> [String] {
      ResponseHead(status: status, fields: head).offeredDigests(in: fields).map { "\($0.source.rawValue)" }
    }
    let (whole, part) = (
      HeaderField("Repr-Digest", "sha-256=:\(Self.sha256):"), HeaderField("Content-Digest", "sha-256=:\(Self.sha256):")
    )
    #expect(offers([whole, part]) == ["Repr-Digest", "Content-Digest"])
    #expect(offers([whole, part], status: 206) == ["Repr-Digest"])
    #expect(offers([whole], head: [HeaderField("Content-Encoding", "gzip")]).isEmpty)
    #expect(offers([]).isEmpty && offers([HeaderField("ETag", "\"a\"")]).isEmpty)
    // The head's fields apply to its trailers, and a digest that the head offers already is not new.
    let stored = HeaderField("x-goog-hash", "md5=AAAAAAAAAAAAAAAAAAAAAA==")
    #expect(offers([stored]) == ["x-goog-hash"])
    #expect(offers([stored], head: [HeaderField("x-goog-stored-content-encoding", "gzip")]).isEmpty)
    #expect(offers([whole], head: [whole]).isEmpty)
    let full = ResponseHead(status: 200).withDigests(of: [whole, HeaderField("Set-Cookie", "a=b")])
    #expect(full.fields == [whole])
  }

  static let rows = [
    Row(fields: [("Repr-Digest", "sha-256=:\(sha256):")], found: ["Repr-Digest sha-256 \(sha256)"]),
    Row(fields: [("repr-digest", "sha-256=:\(sha256):")], status: 206, found: ["Repr-Digest sha-256 \(sha256)"]),
    Row(
      fields: [("Repr-Digest", "unixsum=:AAE=:, md5=:\(md5):;q=\"a\\\"b\""), ("Repr-Digest", "sha-256=:\(sha256):")],
      found: ["Repr-Digest md5 \(md5)", "Repr-Digest sha-256 \(sha256)"]),
    // The last value of a key counts; a flag and other types are not digests.
    Row(
      fields: [("Repr-Digest", "md5=:AAAA:, x, y=1.5, z=\"t\", md5=:\(md5):")], found: ["Repr-Digest md5 \(md5)"]),
    // Inner lists and parameters are not digests either.
    Row(
      fields: [("Repr-Digest", "a=(1 2), sha-256=:\(sha256):;q=1")], found: ["Repr-Digest sha-256 \(sha256)"]),
    // Malformed values do not count.
    Row(fields: [("Repr-Digest", "sha-256=:\(sha256):,")], found: []),
    Row(fields: [("Repr-Digest", "sha-256=:\(sha256)")], found: []),
    Row(fields: [("Repr-Digest", "sha-256=\(sha256)")], found: []),
    Row(fields: [("Repr-Digest", "SHA-256=:\(sha256):")], found: []),
    Row(fields: [("Repr-Digest", "sha-256=:AAAA:")], found: []),
    // This answer carries only a part of the file.
    Row(fields: [("Content-Digest", "sha-256=:\(sha256):")], found: ["Content-Digest sha-256 \(sha256)"]),
    Row(fields: [("Content-Digest", "sha-256=:\(sha256):")], status: 206, found: []),
    Row(
      fields: [("Content-Digest", "sha-256=:\(sha256):"), ("Content-Range", "bytes 0-5/6")], status: 206,
      found: ["Content-Digest sha-256 \(sha256)"]),
    Row(fields: [("Content-Digest", "sha-256=:\(sha256):"), ("Content-Range", "bytes 0-5/7")], status: 206, found: []),
    Row(fields: [("Content-MD5", md5)], found: ["Content-MD5 md5 \(md5)"]),
    Row(fields: [("Content-MD5", md5)], status: 206, found: []),
    Row(fields: [("Content-MD5", "garbage")], found: []),
    Row(
      fields: [("Digest", "SHA-256=\(sha256),MD5=\(md5),unixsum=30637")],
      found: ["Digest sha-256 \(sha256)", "Digest md5 \(md5)"]),
    Row(fields: [("Digest", "SHA-256=\(sha256)")], status: 206, found: ["Digest sha-256 \(sha256)"]),
    // The body of an error is not the file.
    Row(fields: [("Digest", "SHA-256=\(sha256)")], status: 404, found: []),
    // The digest may be of the bytes before or after the coding.
    Row(fields: [("Repr-Digest", "sha-256=:\(sha256):"), ("Content-Encoding", "gzip")], found: []),
    Row(
      fields: [("Repr-Digest", "md5=:\(md5):"), ("Content-Encoding", "identity")], found: ["Repr-Digest md5 \(md5)"]),
    Row(
      fields: [("x-goog-hash", "crc32c=NjYKcw=="), ("x-goog-hash", "md5=\(md5)")], status: 206,
      found: ["x-goog-hash crc32c NjYKcw==", "x-goog-hash md5 \(md5)"]),
    Row(
      fields: [("x-goog-hash", "crc32c=NjYKcw==,md5=\(md5)"), ("x-goog-stored-content-encoding", "identity")],
      found: ["x-goog-hash crc32c NjYKcw==", "x-goog-hash md5 \(md5)"]),
    // Stored compressed, and unpacked on the way.
    Row(fields: [("x-goog-hash", "md5=\(md5)"), ("x-goog-stored-content-encoding", "gzip")], found: []),
    Row(
      fields: [("x-amz-checksum-crc64nvme", "rosUhgp5mIg=")],
      found: ["x-amz-checksum-crc64nvme crc64nvme rosUhgp5mIg="]),
    Row(
      fields: [("x-amz-checksum-sha256", sha256), ("x-amz-checksum-type", "FULL_OBJECT")],
      found: ["x-amz-checksum-sha256 sha-256 \(sha256)"]),
    // A checksum of the checksums of an upload's parts.
    Row(fields: [("x-amz-checksum-sha256", sha256), ("x-amz-checksum-type", "COMPOSITE")], found: []),
    Row(fields: [("x-amz-checksum-crc32c", "NjYKcw==-3")], found: []),
    Row(fields: [("x-amz-checksum-crc32", "NjYKcw==")], status: 206, found: []),
    Row(
      fields: [("x-checksum-sha256", "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03")],
      found: ["X-Checksum-Sha256 sha-256 WJG1tSLV3whtD/CxEPvZ0hu0/HFjrzTQgoai6Eb2vgM="]),
  ]

  @Test(arguments: rows)
  func offers(row: Row) { #expect(OfferedDigestTests.offers(row.fields, status: row.status) == row.found) }

  /// The digest of a part; some servers repeat the Content-MD5 of the whole file.
  @Test(
    "a part is checked by its own digest",
    arguments: [
      ([("Content-Digest", "sha-256=:\(sha256):")], 206, "Content-Digest sha-256 \(sha256)"),
      ([("Content-Digest", "a=(1 2), md5=:\(md5):;q=1")], 206, "Content-Digest md5 \(md5)"),
      ([("Content-MD5", md5)], 206, "Content-MD5 md5 \(md5)"),
      ([("Content-MD5", md5), ("Content-Digest", "sha-256=:\(sha256):")], 206, "Content-Digest sha-256 \(sha256)"),
      ([("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA==")], 206, nil),
      ([("Content-Digest", "sha-256=:\(sha256):,")], 206, nil),
      ([("Content-Digest", "sha-256=:\(sha256):"), ("Content-Encoding", "gzip")], 206, nil),
      ([("Repr-Digest", "sha-256=:\(sha256):")], 206, nil), ([("Content-Digest", "sha-256=:\(sha256):")], 200, nil),
    ] as [([(String, String)], Int, String?)])
  func ofAPart(fields: [(String, String)], status: Int, expected: String?) throws {
    let head = ResponseHead(status: status, fields: fields.map { HeaderField($0, $1) })
    let whole = try OfferedDigestTests.digest("md5=" + String(repeating: "0", count: 32), "Content-MD5")
    let found = head.contentDigest(knowing: [whole])
    #expect(found.map { "\($0.source.rawValue) \($0.digest.algorithm.rawValue) \($0.digest.base64)" } == expected)
  }

  static func digest(_ text: String, _ field: String = "Repr-Digest") throws -> SourcedDigest {
    SourcedDigest(try DigestValue.parse(text), DigestSource(rawValue: field))
  }

  @Test("the strongest is the best; two that differ count as none")
  func best() throws {
    let sha = try OfferedDigestTests.digest("sha-256=\(OfferedDigestTests.sha256)")
    let md5 = try OfferedDigestTests.digest("md5=\(OfferedDigestTests.md5)", "Content-MD5")
    let check = try OfferedDigestTests.digest("crc32c=e3069283", "x-goog-hash")
    let other = try OfferedDigestTests.digest("sha-256=" + String(repeating: "0", count: 64), "Digest")
    #expect([check, md5, sha].best == sha)
    #expect([check, md5, sha, other].best == md5)
    #expect([sha, other].best == nil)
    #expect([SourcedDigest]().best == nil)
    #expect([md5].identifies)
    #expect(![check].identifies)
  }

  @Test("a difference is one of the same field and algorithm")
  func difference() throws {
    let one = try OfferedDigestTests.digest("md5=" + String(repeating: "1", count: 32))
    let two = try OfferedDigestTests.digest("md5=" + String(repeating: "2", count: 32))
    let elsewhere = try OfferedDigestTests.digest("md5=" + String(repeating: "2", count: 32), "Digest")
    #expect([one].difference(from: [one]) == nil)
    #expect([one].difference(from: []) == nil)
    #expect([one].difference(from: [elsewhere]) == nil)
    let what = try #require([one].difference(from: [two]))
    #expect(what.hasPrefix("Repr-Digest was md5=1111") && what.contains("and is md5=2222"))
  }
}
