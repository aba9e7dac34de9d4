// The positions at which body bytes are written to the part file.

import Crypto
import DrayCore
import FaultServer
import Foundation
internal import Posix
import Testing

@testable import DrayEngine

@Suite struct BodyWriterTests {
  private let directory: TemporaryDirectory
  private let part: any PartStorage

  init() throws {
    directory = try TemporaryDirectory()
    part = try directory.destination().createPart("part")
  }

  private func writer(
    at position: Int64 = 0, until: Int64? = nil, span: Int64? = nil, total: Int64? = nil, comparing: Int64 = 0,
    capacity: Int = 8
  ) -> BodyWriter {
    BodyWriter(
      part: part, at: position, until: until, span: span, total: total, comparing: comparing,
      buffer: GatherBuffer(capacity: capacity))
  }

  private func take(_ text: String, _ writer: BodyWriter) -> String {
    switch withBytes(text.utf8, { writer.take($0) }) {
    case .taken: "taken"
    case .excess: "excess"
    case .overrun: "overrun"
    case .differs: "differs"
    case .failed(let failure): String(failure.reason.prefix { $0 != ":" })
    }
  }

  private func flushed(_ writer: BodyWriter) -> [BlockSums.Extent] {
    var all: [BlockSums.Extent] = []
    writer.takeFlushed { all.append($0) }
    return all
  }

  private func sum(_ bytes: ArraySlice<UInt8>) -> CRC32C { bytes.withUnsafeBytes { CRC32C(of: $0) } }

  private var text: String { String(decoding: directory.bytes("part") ?? [], as: UTF8.self) }

  @Test func bytesAreGatheredBeforeTheyAreWritten() throws {
    let writer = writer()
    #expect(take("abc", writer) == "taken")
    #expect(text == "")
    #expect((writer.position, writer.flushed) == (3, 0))
    #expect(take("defghij", writer) == "taken")
    #expect(text == "abcdefgh")
    #expect((writer.position, writer.flushed) == (10, 8))
    try writer.flush()
    #expect(text == "abcdefghij")
    #expect(writer.flushed == 10)
    // Nothing more to write is not an error.
    try writer.flush()
    #expect(text == "abcdefghij")
  }

  @Test("written bytes are hashed, in order or not", arguments: ["/tmp", "/dev/shm"], [0, 1, 700_000])
  func bytesAreHashedAsTheyAreWritten(place: String, gap: Int) throws {
    try #require(FileManager.default.isWritableFile(atPath: place), "\(place) is needed")
    let directory = try TemporaryDirectory(in: place)
    let part = try directory.destination().createPart("part")
    let pool = GatherBufferPool()
    let size = 6 << 20
    let bytes = FaultServer.Version.named("hashed", size: Int64(size)).content.bytes(in: 0..<Int64(size))
    let follower = DigestFollower(part, [.sha256])
    var present = SegmentSet()
    // With a gap, two writers take turns like two connections, the one of the second half first.
    let middle = gap == 0 ? size : size / 2 + gap
    let writers = [(0, middle), (middle, size)].filter { $0.0 < $0.1 }.map { lower, upper in
      let writer = BodyWriter(
        part: part, at: Int64(lower), until: Int64(upper), total: Int64(size), comparing: 0,
        buffer: pool.take(large: true))
      writer.hand(to: follower)
      return writer
    }
    func tell(_ writer: BodyWriter) {
      writer.takeFlushed { present.insert($0.segment) }
      follower.advance(to: present.prefix)
    }
    while !writers.allSatisfy(\.isDone) {
      for writer in writers.reversed() where !writer.isDone {
        let start = Int(writer.position)
        let end = min(start + 60_000, Int(try #require(writer.until)))
        let result = bytes[start..<end].withUnsafeBytes { writer.take($0) }
        guard case .taken = result else {
          Issue.record("\(result)")
          return
        }
        tell(writer)
      }
    }
    for writer in writers {
      try writer.flush()
      tell(writer)
      pool.giveBack(writer.surrender())
    }
    #expect(present.isWhole(Int64(size)))
    #expect(directory.bytes("part") == bytes)
    let wanted = DigestValue(.sha256, bytes: Array(SHA256.hash(data: bytes)))
    #expect(try follower.values([.sha256], size: Int64(size)) { false } == [wanted])
  }

  /// All bytes are written at their places, whether or not the file system has uncached writes.
  @Test(arguments: ["/tmp", "/dev/shm"]) func largeBuffersAreWrittenTheirWay(place: String) throws {
    try #require(FileManager.default.isWritableFile(atPath: place), "\(place) is needed")
    let directory = try TemporaryDirectory(in: place)
    let part = try directory.destination().createPart("part")
    let pool = GatherBufferPool()
    let size = 3 * GatherBufferPool.largeSize + 1000
    let writer = BodyWriter(
      part: part, at: 5, until: nil, total: Int64(size), comparing: 0, buffer: pool.take(large: true))
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    for start in stride(from: 0, to: size, by: 16_000) {
      let result = withBytes(Array(bytes[start..<min(size, start + 16_000)])) { writer.take($0) }
      guard case .taken = result else {
        Issue.record("\(result)")
        return
      }
    }
    try writer.flush()
    #expect(directory.bytes("part") == [0, 0, 0, 0, 0] + bytes)
    // Cut at block boundaries, each piece with its checksum.
    let line = Int(BlockSums.block)
    #expect(
      flushed(writer) == [
        BlockSums.Extent(5..<Int64(line), sum(bytes[..<(line - 5)])),
        BlockSums.Extent(Int64(line)..<Int64(size + 5), sum(bytes[(line - 5)...])),
      ])
    pool.giveBack(writer.surrender())
    #expect(pool.take(large: true).capacity == GatherBufferPool.largeSize)
  }

  @Test("P4 buffered bytes are written in time for a checkpoint within two seconds")
  func patience() {
    // The checks are 0.1 s apart, checkpoints 1.2 s (CheckpointerTests).
    #expect(BodyWriter.patience + 0.1 + 1.2 < 2)
  }

  @Test func whatHasWaitedLongIsWritten() throws {
    let writer = writer()
    #expect(take("abc", writer) == "taken")
    try writer.flush(ifDue: 10)
    try writer.flush(ifDue: 10 + BodyWriter.patience - 0.1)
    #expect(text == "")
    try writer.flush(ifDue: 10 + BodyWriter.patience)
    #expect(text == "abc")
    #expect(flushed(writer) == [BlockSums.Extent(0..<3, sum(Array("abc".utf8)[...]))])
    #expect(flushed(writer).isEmpty)
  }

  @Test func aPieceLargerThanTheBufferIsWrittenInOrder() throws {
    let writer = writer()
    #expect(take("0123456789ABCDEFGHIJ", writer) == "taken")
    try writer.flush()
    #expect(text == "0123456789ABCDEFGHIJ")
  }

  @Test func itAppendsAtItsPosition() throws {
    try directory.write("0123456789".utf8, to: "part")
    let writer = writer(at: 4)
    #expect(take("wxyz", writer) == "taken")
    try writer.flush()
    #expect(text == "0123wxyz89")
  }

  @Test(arguments: [
    (["abcd"], "taken", "abcd", true), (["abc"], "taken", "abc", false), (["abcde"], "excess", "abcd", true),
    (["abc", "de"], "excess", "abcd", true), (["abcd", "e"], "excess", "abcd", true),
    (["abcd", ""], "taken", "abcd", true),
  ])
  func noByteGoesBeyondTheEnd(_ pieces: [String], _ last: String, _ written: String, _ isDone: Bool) throws {
    let writer = writer(until: 4, total: 4)
    let results = pieces.map { take($0, writer) }
    #expect(results.last == last)
    #expect(writer.isDone == isDone)
    try writer.flush()
    #expect(text == written)
  }

  /// Bytes beyond the requested end belong to other pieces; bytes beyond the answer's own end are invalid.
  @Test(arguments: [
    (["abcdef"], "excess", false), (["abcdefg"], "overrun", false), (["abcd", "ef"], "excess", false),
    (["abcd", "efg"], "overrun", false), (["abcd"], "taken", false),
  ])
  func whatGoesPastThePartIsTold(_ pieces: [String], _ last: String, _ hasSpan: Bool) throws {
    let writer = writer(until: 4, span: 6, total: 9)
    #expect(pieces.map { take($0, writer) }.last == last)
    #expect(writer.hasSpan == hasSpan)
    try writer.flush()
    #expect(text == "abcd" && writer.brought == 0..<4)
  }

  @Test func allOfAPartIsThere() throws {
    let writer = writer(at: 2, until: 6, span: 6, total: 9)
    #expect(take("abcd", writer) == "taken")
    #expect(writer.hasSpan)
  }

  @Test func theOverlapIsComparedAndNotWritten() throws {
    try directory.write("0123456789".utf8, to: "part")
    let writer = writer(at: 6, until: 14, total: 14, comparing: 4)
    #expect(take("67", writer) == "taken")
    #expect(writer.isComparing)
    #expect(take("89ab", writer) == "taken")
    #expect(!writer.isComparing)
    #expect(take("cd", writer) == "taken")
    #expect(writer.isDone)
    try writer.flush()
    #expect(text == "0123456789abcd")
  }

  @Test(arguments: [["6x"], ["67", "8x"], ["678x"], ["6789"]])
  func anOverlapThatDiffersIsSeenBeforeAnythingIsWritten(_ pieces: [String]) throws {
    // The last row: as many bytes as are compared, but the file on disk is shorter.
    try directory.write((pieces == ["6789"] ? "01234567" : "0123456789").utf8, to: "part")
    let before = text
    let writer = writer(at: 6, comparing: 4)
    let results = pieces.map { take($0, writer) }
    #expect(results.last == "differs")
    #expect(text == before)
  }

  @Test func largeFilesAreReservedWithoutChangingTheirLength() throws {
    let total: Int64 = 4 << 20
    let writer = writer(until: total, total: total, capacity: 1 << 16)
    let block = String(repeating: "x", count: 1 << 16)
    #expect(take(block, writer) == "taken")
    #expect(try part.identity().size == 1 << 16)
  }

  @Test func aWriteThatFailsIsTold() throws {
    // A position that no file can have.
    let writer = writer(at: -9, capacity: 2)
    #expect(take("ab", writer) == "write")
  }
}
