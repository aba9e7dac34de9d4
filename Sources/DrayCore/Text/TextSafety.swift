// Makes text from servers and URLs printable, so that it cannot move the cursor, change colours or reverse the reading
// order (P8).

extension Unicode.Scalar {
  /// Whether the scalar affects a terminal or a reader, rather than being visible: controls (C0, DEL, C1), format
  /// characters (bidi overrides, zero-width), line and paragraph separators, noncharacters, and code points reserved
  /// for such characters.
  var isUnprintable: Bool {
    if value < 0x7F { return value < 0x20 }
    if value < 0xA0 { return true }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
    case .unassigned: return properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
    default: return properties.isNoncharacterCodePoint
    }
  }
}

extension StringProtocol {
  /// Returns at most `count` scalars from the start of an untrusted text. Characters are not counted, because one
  /// character may have an unlimited number of marks.
  package func start(_ count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }
}

/// Makes text printable.
public enum TextSafety {
  /// Returns the text with every unprintable scalar made visible, as `\n`, `\r`, `\t`, or in the form `\u{1B}`.
  ///
  /// A text without unprintable scalars is returned unchanged.
  public static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x7F && $0 >= 0x20 }) { return text }
    guard text.unicodeScalars.contains(where: \.isUnprintable) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      if scalar.isUnprintable { safe += escape(scalar) } else { safe.unicodeScalars.append(scalar) }
    }
    return safe
  }

  /// Whether the first bytes of a file show that it is not text (MIME Sniffing §7.2).
  public static func isBinary(_ start: some Sequence<UInt8>) -> Bool {
    start.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
  }

  /// Returns bytes as printable text. A byte that is not UTF-8 becomes `\x{FF}`.
  public static func escaped(utf8 bytes: some Collection<UInt8>) -> String {
    escaped(decoded(bytes) { "\\x{\(hex($0))}" })
  }

  /// Decodes bytes as UTF-8; `replacement` returns the text for an invalid byte.
  static func decoded(_ bytes: some Collection<UInt8>, replacement: (UInt8) -> String) -> String {
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes[...]
    var source = bytes.makeIterator()
    while true {
      switch parser.parseScalar(from: &source) {
      case .valid(let encoded):
        text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) { text += replacement(byte) }
        rest = rest.dropFirst(length)
      case .emptyInput:
        return text
      }
    }
  }

  /// Returns a byte as two hexadecimal digits in uppercase.
  static func hex(_ byte: UInt8) -> String {
    let (high, low) = hexDigits(byte, uppercase: true)
    return String(decoding: [high, low], as: UTF8.self)
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
}
