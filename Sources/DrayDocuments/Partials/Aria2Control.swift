// Reads aria2's control file, which lies next to an incomplete file and records its fetched pieces.

package import DrayCore

package struct Aria2Control: Sendable, Equatable {
  /// The length of the whole file.
  package var size: Int64
  /// The fetched bytes, ascending. No two touch.
  package var done: [Segment]

  static let kind = "a control file of aria2"
  /// The maximum length of a control file in bytes. Each piece has one bit, and the pieces of a large file are at least
  /// 1 MiB.
  package static let longest = 16 << 20
  /// The block size in bytes. A piece that is being fetched has one bit per block.
  static let block: Int64 = 16 << 10

  /// Reads a control file of version 1, or of version 0 in the little-endian form that aria2 wrote on present-day
  /// machines.
  /// - Throws: ``DocumentError`` for anything that aria2 does not write.
  package static func parse(_ bytes: [UInt8]) throws(DocumentError) -> Aria2Control {
    var reader = Reader(bytes: bytes[...])
    switch try reader.number(2) {
    case 1: break
    case 0: reader.isLittleEndian = true
    case let version: throw broken("its version is \(version), and 1 is the last one known")
    }
    // The extension's contents concern only torrents.
    _ = try reader.number(4)
    let hash = try reader.number(4)
    guard hash == 0 || hash == 20 else { throw broken("its info hash has \(hash) bytes") }
    _ = try reader.take(hash)
    let piece = try reader.number(4)
    let size = try reader.number(8)
    guard piece > 0 || size == 0 else { throw broken("its pieces have no length") }
    _ = try reader.number(8)
    let pieces = size == 0 ? 0 : (size - 1) / piece + 1
    guard pieces <= Int64(longest) * 8 else { throw broken("it has \(pieces) pieces") }
    func segment(_ index: Int64) -> Segment { index * piece..<(index == pieces - 1 ? size : (index + 1) * piece) }

    var runs = Runs()
    let field = try reader.field(bits: pieces, "its bit field")
    for index in 0..<pieces where field.has(index) { runs.add(segment(index)) }
    for _ in 0..<(try reader.number(4)) {
      let index = try reader.number(4)
      guard index < pieces else { throw broken("piece \(index) of \(pieces) is being fetched") }
      let own = segment(index)
      guard try reader.number(4) == own.count else { throw broken("piece \(index) has another length than its place") }
      let blocks = (Int64(own.count) - 1) / block + 1
      let field = try reader.field(bits: blocks, "the bit field of piece \(index)")
      for one in 0..<blocks where field.has(one) {
        let lower = own.lowerBound + one * block
        runs.add(lower..<min(lower + block, own.upperBound))
      }
    }
    guard reader.bytes.isEmpty else { throw broken("it continues past its end") }
    return Aria2Control(size: size, done: runs.merged)
  }

  private static func broken(_ reason: String) -> DocumentError { DocumentError(kind, reason) }

  private struct Reader {
    var bytes: ArraySlice<UInt8>
    var isLittleEndian = false

    mutating func take(_ count: Int64) throws(DocumentError) -> ArraySlice<UInt8> {
      guard count <= bytes.count else { throw broken("it ends early") }
      defer { bytes = bytes.dropFirst(Int(count)) }
      return bytes.prefix(Int(count))
    }

    mutating func number(_ count: Int64) throws(DocumentError) -> Int64 {
      let own = try take(count)
      var value: UInt64 = 0
      for byte in isLittleEndian ? Array(own.reversed()) : Array(own) { value = value << 8 | UInt64(byte) }
      guard let number = Int64(exactly: value) else { throw broken("a length in it is beyond all bounds") }
      return number
    }

    /// Reads the length, then `count` bits. No bit may be set beyond them.
    mutating func field(bits count: Int64, _ what: String) throws(DocumentError) -> BitField {
      let length = try number(4)
      guard length == (count + 7) / 8 else { throw broken("\(what) has \(length) bytes for \(count) bits") }
      let field = BitField(bytes: try take(length))
      for index in count..<length * 8 where field.has(index) { throw broken("\(what) has bits past its end") }
      return field
    }
  }

  /// Most significant bit first.
  private struct BitField {
    var bytes: ArraySlice<UInt8>

    func has(_ index: Int64) -> Bool { bytes[bytes.startIndex + Int(index / 8)] & (0x80 >> UInt8(index % 8)) != 0 }
  }

  /// Most segments continue the one read before.
  private struct Runs {
    private var all: [Segment] = []

    mutating func add(_ segment: Segment) {
      if let last = all.last, last.upperBound == segment.lowerBound {
        all[all.count - 1] = last.lowerBound..<segment.upperBound
      } else {
        all.append(segment)
      }
    }

    /// Ascending. Touching segments are merged.
    var merged: [Segment] {
      var result: [Segment] = []
      for segment in all.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let last = result.last, last.upperBound >= segment.lowerBound {
          result[result.count - 1] = last.lowerBound..<max(last.upperBound, segment.upperBound)
        } else {
          result.append(segment)
        }
      }
      return result
    }
  }
}
