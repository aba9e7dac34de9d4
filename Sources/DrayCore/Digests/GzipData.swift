// Unpacks gzip (RFC 1952) and the DEFLATE data in it (RFC 1951) up to a limit, for compressed documents.

/// A defect of gzip data.
public enum GzipError: Error, Sendable, Equatable {
  /// The data is damaged or truncated.
  case malformed
  /// The unpacked data exceeds the limit.
  case tooLong
}

/// Data in the gzip format. Meant for small data, because it is read byte by byte.
public enum GzipData {
  /// Whether bytes begin like gzip data.
  public static func isStart(of bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

  /// Unpacks all members and checks their checksums and lengths.
  /// - Parameter limit: The maximum number of output bytes (P13).
  /// - Throws: ``GzipError``.
  public static func unpacked(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
    var inflater = Inflater(bytes, limit: limit)
    repeat {
      try skipHeader(&inflater)
      let start = inflater.output.count
      try inflater.inflate()
      var sum = CyclicChecksum(.crc32)
      inflater.output[start...].withUnsafeBytes { sum?.update($0) }
      let (found, length) = (try inflater.word(4), try inflater.word(4))
      let computed = (sum?.bytes ?? []).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard computed == found, length == UInt32(truncatingIfNeeded: inflater.output.count - start) else {
        throw .malformed
      }
      // Padding after the last member is ignored, as by gzip(1).
    } while isStart(of: inflater.rest)
    return inflater.output
  }

  private static func skipHeader(_ inflater: inout Inflater) throws(GzipError) {
    guard isStart(of: inflater.rest) else { throw .malformed }
    try inflater.skip(3)
    let flags = try inflater.word(1)
    try inflater.skip(6)
    if flags & 4 != 0 { try inflater.skip(Int(try inflater.word(2))) }
    for flag in [UInt32(8), 16] where flags & flag != 0 {
      while try inflater.word(1) != 0 {}
    }
    if flags & 2 != 0 { try inflater.skip(2) }
  }
}

/// Reads DEFLATE data.
private struct Inflater {
  private let input: [UInt8]
  private let limit: Int
  private var at = 0
  private var held: UInt32 = 0
  private var heldBits = 0
  private(set) var output: [UInt8] = []

  init(_ input: [UInt8], limit: Int) { (self.input, self.limit) = (input, limit) }

  /// The unread input.
  var rest: ArraySlice<UInt8> { input[at...] }

  mutating func skip(_ count: Int) throws(GzipError) {
    guard count <= input.count - at else { throw .malformed }
    at += count
  }

  /// Reads a little-endian number of `count` bytes.
  mutating func word(_ count: Int) throws(GzipError) -> UInt32 {
    guard count <= input.count - at else { throw .malformed }
    var value: UInt32 = 0
    for index in 0..<count { value |= UInt32(input[at + index]) << UInt32(8 * index) }
    at += count
    return value
  }

  /// Reads all blocks.
  mutating func inflate() throws(GzipError) {
    (held, heldBits) = (0, 0)
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try stored()
      case 1: try block(.fixedLengths, .fixedDistances)
      case 2:
        let (lengths, distances) = try tables()
        try block(lengths, distances)
      default: throw .malformed
      }
    }
  }

  private mutating func bits(_ count: Int) throws(GzipError) -> Int {
    while heldBits < count {
      held |= try word(1) << UInt32(heldBits)
      heldBits += 8
    }
    defer {
      held >>= UInt32(count)
      heldBits -= count
    }
    return Int(held & (1 << UInt32(count) - 1))
  }

  private mutating func stored() throws(GzipError) {
    (held, heldBits) = (0, 0)
    let (length, check) = (try word(2), try word(2))
    guard length == ~check & 0xFFFF else { throw .malformed }
    guard Int(length) <= input.count - at else { throw .malformed }
    guard output.count + Int(length) <= limit else { throw .tooLong }
    output += input[at..<at + Int(length)]
    at += Int(length)
  }

  private mutating func block(_ lengths: Codes, _ distances: Codes) throws(GzipError) {
    while true {
      let symbol = try lengths.next(&self)
      if symbol == 256 { return }
      if symbol < 256 {
        guard output.count < limit else { throw .tooLong }
        output.append(UInt8(symbol))
        continue
      }
      guard symbol < 286 else { throw .malformed }
      let length = Self.lengthBases[symbol - 257] + (try bits(Self.lengthBits[symbol - 257]))
      let place = try distances.next(&self)
      guard place < 30 else { throw .malformed }
      let distance = Self.distanceBases[place] + (try bits(Self.distanceBits[place]))
      guard distance <= output.count else { throw .malformed }
      guard output.count + length <= limit else { throw .tooLong }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  /// Reads the code tables of a block with dynamic codes (RFC 1951 §3.2.7).
  private mutating func tables() throws(GzipError) -> (Codes, Codes) {
    let (count, distances, own) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
    guard count <= 286, distances <= 30 else { throw .malformed }
    var lengths = [Int](repeating: 0, count: 19)
    for index in 0..<own { lengths[Self.order[index]] = try bits(3) }
    let codes = try Codes(lengths[...])
    lengths = []
    while lengths.count < count + distances {
      let symbol = try codes.next(&self)
      switch symbol {
      case 0..<16: lengths.append(symbol)
      case 16:
        guard let last = lengths.last else { throw .malformed }
        lengths += [Int](repeating: last, count: 3 + (try bits(2)))
      case 17: lengths += [Int](repeating: 0, count: 3 + (try bits(3)))
      default: lengths += [Int](repeating: 0, count: 11 + (try bits(7)))
      }
    }
    guard lengths.count == count + distances, lengths[256] > 0 else { throw .malformed }
    return (try Codes(lengths[..<count]), try Codes(lengths[count...]))
  }

  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12289, 16385, 24577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
  ]

  /// A canonical Huffman code (RFC 1951 §3.2.2).
  fileprivate struct Codes {
    private var counts = [Int](repeating: 0, count: 16)
    private var symbols: [Int] = []

    fileprivate static let fixedLengths = Codes(
      fixed: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
        + [Int](repeating: 8, count: 8))
    fileprivate static let fixedDistances = Codes(fixed: [Int](repeating: 5, count: 30))

    private init(fixed lengths: [Int]) { fill(lengths[...]) }

    /// Creates a code from the lengths of its symbols.
    /// - Throws: ``GzipError/malformed`` if there are more codes of a length than possible.
    fileprivate init(_ lengths: ArraySlice<Int>) throws(GzipError) {
      fill(lengths)
      var left = 1
      for count in counts.dropFirst() {
        left = left * 2 - count
        guard left >= 0 else { throw .malformed }
      }
    }

    private mutating func fill(_ lengths: ArraySlice<Int>) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      for length in 1..<16 where counts[length] > 0 {
        for (symbol, own) in lengths.enumerated() where own == length { symbols.append(symbol) }
      }
    }

    /// Reads the next symbol.
    fileprivate func next(_ inflater: inout Inflater) throws(GzipError) -> Int {
      var (code, first, index) = (0, 0, 0)
      for length in 1..<16 {
        code |= try inflater.bits(1)
        let count = counts[length]
        if code - count < first { return symbols[index + (code - first)] }
        index += count
        first = (first + count) << 1
        code <<= 1
      }
      throw .malformed
    }
  }
}
