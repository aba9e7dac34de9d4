// Bytes as a sequence of choices, so that libFuzzer and the generator can make values by mutating bytes.

/// Choices made from bytes. When the bytes run out, every choice is the first one.
struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Whether no bytes are left.
  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }
  mutating func bool() -> Bool { byte() & 1 == 1 }

  /// A small number.
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(byte()) % (range.upperBound - range.lowerBound + 1)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(byte()) % elements.count] }

  /// One of the elements, or none.
  mutating func perhaps<Element>(_ elements: [Element]) -> Element? {
    let index = Int(byte()) % (elements.count + 1)
    return index == 0 ? nil : elements[index - 1]
  }

  /// A number of any size, the ends of ranges more often than others.
  mutating func integer() -> Int64 {
    switch byte() % 8 {
    case 0: return Int64(byte())
    case 1: return -Int64(byte())
    case 2: return Int64.max - Int64(byte())
    case 3: return Int64.min + Int64(byte())
    case 4: return (Int64(1) << Int64(byte() % 63)) + Int64(byte()) - 128
    default:
      var value: UInt64 = 0
      for _ in 0..<8 { value = value << 8 | UInt64(byte()) }
      return Int64(bitPattern: value)
    }
  }

  /// A floating-point number, special values included.
  mutating func real() -> Double {
    switch byte() % 8 {
    case 0: Double(byte())
    case 1: .infinity
    case 2: .nan
    case 3: -Double(byte())
    case 4: .greatestFiniteMagnitude
    case 5: .leastNonzeroMagnitude
    default: Double(integer()) / Double(1 + Int(byte()))
    }
  }

  /// Some bytes.
  mutating func bytes() -> [UInt8] {
    let count = Int(byte()) % 24
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken
  }

  /// Some text.
  mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }
}
