// Bodies in chunks (RFC 9112 §7.1), byte by byte as they come.

/// Takes a body out of its chunks. Extensions and trailers are read and forgotten.
struct ChunkedBody: Sendable {
  private enum Place: Equatable {
    /// In the line before a chunk: so many digits of its size.
    case size(digits: Int)
    /// In an extension.
    case extension_
    /// After the CR of the line before a chunk.
    case sizeEnd
    case data
    /// After the data: CR, then LF.
    case dataEnd, dataEndLF
    /// At the start of a trailer's line, or of the empty line that ends the body.
    case trailerStart
    case trailer, trailerEnd, lastLF
    case done
  }

  /// The bytes of extensions and trailers that are put up with.
  private static let longestExtras = 4 << 10
  /// The digits of the largest size: more than any body may have.
  private static let mostDigits = 8

  private var place = Place.size(digits: 0)
  private var left = 0
  private var extras = 0
  /// Bytes of the largest body.
  let limit: Int

  /// Makes a body of which nothing has come.
  init(limit: Int) { self.limit = limit }

  /// Whether all of it has come.
  var isDone: Bool { place == .done }

  /// Takes from the beginning of `bytes` and adds to `body`.
  /// - Returns: how many were taken: all of them, unless the body ends before.
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

  /// A bare LF would end a line for some and not for others.
  private mutating func countExtra(_ byte: UInt8) throws(WebRefusal) {
    extras += 1
    guard extras <= Self.longestExtras else { throw WebRefusal(431, "Too much beside the chunks.") }
    guard byte.isFieldPart || byte == 0x0D else { throw WebRefusal(400, "The chunks are malformed.") }
  }

  private func expect(_ wanted: UInt8, _ byte: UInt8) throws(WebRefusal) {
    guard byte == wanted else { throw WebRefusal(400, "The chunks are malformed.") }
  }
}
