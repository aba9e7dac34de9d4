// Decodes chunked bodies (RFC 9112 §7.1) incrementally.

/// Extracts a body from its chunks. Extensions and trailers are read and ignored.
struct ChunkedBody: Sendable {
  private enum Place: Equatable {
    /// In the line before a chunk, after this many digits of its size.
    case size(digits: Int)
    /// In an extension.
    case extension_
    /// After the CR of the line before a chunk.
    case sizeEnd
    case data
    /// After the data of a chunk: before CR, or before LF.
    case dataEnd, dataEndLF
    /// At the start of a trailer's line, or of the empty line that ends the body.
    case trailerStart
    case trailer, trailerEnd, lastLF
    case done
  }

  /// The maximum length in bytes of extensions and trailers.
  private static let longestExtras = 4 << 10
  /// The maximum number of digits of a size, more than any body needs.
  private static let mostDigits = 8

  private var place = Place.size(digits: 0)
  private var left = 0
  private var extras = 0
  /// The maximum length of a body in bytes.
  let limit: Int

  /// Creates a decoder at the start of a body.
  init(limit: Int) { self.limit = limit }

  /// Whether the body is complete.
  var isDone: Bool { place == .done }

  /// Decodes the start of `bytes` and appends to `body`.
  /// - Returns: The number of bytes decoded: all, unless the body ends before.
  /// - Throws: ``WebRefusal`` with 400, 413 or 431.
  mutating func take(_ bytes: ArraySlice<UInt8>, to body: inout [UInt8]) throws(WebRefusal) -> Int {
    var index = bytes.startIndex
    while index < bytes.endIndex, place != .done {
      if place == .data {
        let end = min(index + left, bytes.endIndex)
        body.append(contentsOf: bytes[index..<end])
        left -= end - index
        index = end
        if left == 0 { place = .dataEnd }
      } else {
        try step(bytes[index], bodySize: body.count)
        index += 1
      }
    }
    return index - bytes.startIndex
  }

  private mutating func step(_ byte: UInt8, bodySize: Int) throws(WebRefusal) {
    switch place {
    case .size(let digits): try takeSize(byte, digits: digits)
    case .extension_:
      try countExtra(byte)
      if byte == 0x0D { place = .sizeEnd }
    case .sizeEnd:
      try expect(0x0A, byte)
      guard left <= limit - bodySize else { throw .tooLarge(limit) }
      place = left == 0 ? .trailerStart : .data
    case .dataEnd:
      try expect(0x0D, byte)
      place = .dataEndLF
    case .dataEndLF:
      try expect(0x0A, byte)
      place = .size(digits: 0)
    case .trailerStart:
      try countExtra(byte)
      place = byte == 0x0D ? .lastLF : .trailer
    case .trailer:
      try countExtra(byte)
      if byte == 0x0D { place = .trailerEnd }
    case .trailerEnd:
      try expect(0x0A, byte)
      place = .trailerStart
    case .lastLF:
      try expect(0x0A, byte)
      place = .done
    case .data, .done: break
    }
  }

  private mutating func takeSize(_ byte: UInt8, digits: Int) throws(WebRefusal) {
    if let value = byte.hexValue {
      guard digits < Self.mostDigits else { throw .tooLarge(limit) }
      left = left << 4 | value
      place = .size(digits: digits + 1)
      return
    }
    guard digits > 0 else { throw WebRefusal(400, "A chunk has no size.") }
    switch byte {
    case 0x0D: place = .sizeEnd
    case UInt8(ascii: ";"): place = .extension_
    default: throw WebRefusal(400, "The size of a chunk is invalid.")
    }
  }

  /// Counts a byte of an extension or trailer. Refuses a bare LF, which only some programs take for the end of a line.
  private mutating func countExtra(_ byte: UInt8) throws(WebRefusal) {
    extras += 1
    guard extras <= Self.longestExtras else { throw WebRefusal(431, "Too much beside the chunks.") }
    guard byte.isFieldPart || byte == 0x0D else { throw WebRefusal(400, "The chunks are malformed.") }
  }

  private func expect(_ wanted: UInt8, _ byte: UInt8) throws(WebRefusal) {
    guard byte == wanted else { throw WebRefusal(400, "The chunks are malformed.") }
  }
}
