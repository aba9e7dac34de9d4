// The record of an upload: the parts that count after a crash, and the tags of objects.

import DrayCore
import Testing

@Suite struct ObjectUploadTests {
  private typealias Part = ObjectUpload.Part

  private func upload(_ parts: [ObjectUpload.Part]) -> ObjectUpload {
    ObjectUpload(key: "k", id: "u", plan: .unknownLength, algorithm: .crc64nvme, parts: parts)
  }

  /// The server's list entry for a recorded part, and whether the part counts.
  @Test(
    arguments: [
      (Part(number: 1, size: 8, etag: "\"AB\"", checksum: "c"), true),
      (Part(number: 1, size: 8, etag: "ab"), true),
      (Part(number: 1, size: 8, etag: "ab", checksum: "d"), false),
      (Part(number: 1, size: 7, etag: "ab", checksum: "c"), false),
      (Part(number: 1, size: 8, etag: "ac", checksum: "c"), false),
      (Part(number: 2, size: 8, etag: "ab", checksum: "c"), false),
    ])
  func onlyWhatBothKnowCounts(_ listed: ObjectUpload.Part, _ counts: Bool) {
    let mine = Part(number: 1, size: 8, etag: "ab", checksum: "c", tail: "t")
    #expect(upload([mine]).confirmed(by: [listed]) == (counts ? [mine] : []))
  }

  @Test func whatTheRecordDoesNotKnowDoesNotCount() {
    #expect(upload([]).confirmed(by: [Part(number: 1, size: 8, etag: "ab")]).isEmpty)
  }

  @Test func itsBytesAndItsStart() {
    var upload = upload([Part(number: 1, size: 8 << 20, etag: "a"), Part(number: 3, size: 5, etag: "b")])
    #expect(upload.segments.description == "0-8388608,16777216-16777221")
    #expect(upload.startBytes.isEmpty)
    upload.startBytes = [0, 255, 65]
    #expect(upload.startBytes == [0, 255, 65])
  }

  @Test func tags() {
    #expect(ObjectTag.bare("W/\"a\"") == "a" && ObjectTag.bare("\"a-1\"") == "a-1" && ObjectTag.bare("a") == "a")
    #expect(ObjectTag.areEqual("\"AF\"", "af"))
    let md5 = "d41d8cd98f00b204e9800998ecf8427e"
    #expect(ObjectTag.md5(md5)?.count == 16 && ObjectTag.md5("\"\(md5)\"") != nil)
    #expect(ObjectTag.md5(md5 + "-2") == nil && ObjectTag.md5("g" + md5.dropFirst()) == nil)
    #expect(ObjectTag.isOfParts("\"\(md5)-12\"") && !ObjectTag.isOfParts(md5) && !ObjectTag.isOfParts("a-1"))
    #expect(ObjectTag.ofParts([md5, md5]) { "\($0.count)" } == "32-2")
    #expect(ObjectTag.ofParts([md5, "other"]) { _ in "" } == nil)
    #expect(ObjectTag.ofParts([]) { _ in "" } == nil)
    #expect(ObjectTag.number("\"AB\"") == ObjectTag.number("ab") && ObjectTag.number("a") != ObjectTag.number("b"))
  }

  @Test func checksumsOfPiecesMakeThatOfTheWhole() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 7) }
    func sum(_ range: Range<Int>) throws -> [UInt8] {
      var sum = try #require(CyclicChecksum(.crc64nvme))
      bytes[range].withUnsafeBytes { sum.update($0) }
      return sum.bytes
    }
    for borders in [[0, 100_000], [0, 1, 100_000], [0, 0, 65_536, 65_537, 99_999, 100_000]] {
      let pieces = try zip(borders, borders.dropFirst()).map {
        (checksum: try sum($0..<$1), count: Int64($1 - $0))
      }
      #expect(CyclicChecksum.joined(pieces) == (try sum(0..<100_000)))
    }
    #expect(CyclicChecksum.joined([(checksum: [1], count: 1)]) == nil)
  }
}
