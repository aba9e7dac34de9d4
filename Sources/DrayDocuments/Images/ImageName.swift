// The grammar of the parts of image names.

/// Which texts can be parts of a name in a registry.
enum ImageName {
  private static let most = 255

  static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || isDigit(byte) }
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isAlphanumeric(_ byte: UInt8) -> Bool { isLower(byte) || (0x41...0x5A).contains(byte) }
  /// A letter, a digit, `-`, `.` or `_`.
  static func isPlain(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || [0x2D, 0x2E, 0x5F].contains(byte) }

  /// Whether a text is a tag: at most 128 bytes, and neither `.` nor `-` first.
  static func isTag(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 128 else { return false }
    return first != 0x2D && first != 0x2E && text.utf8.allSatisfy(isPlain)
  }

  /// Whether a text is a repository: components in lowercase with single separators (`.`, `_`, `__`, any number of `-`)
  /// between letters and digits.
  static func isRepository(_ text: some StringProtocol) -> Bool {
    guard text.utf8.count <= most else { return false }
    return text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { component in
      guard let first = component.utf8.first, let last = Array(component.utf8).last, isLower(first), isLower(last),
        component.utf8.allSatisfy({ isPlain($0) && !(0x41...0x5A).contains($0) })
      else { return false }
      return component.split(whereSeparator: { $0.isLowercase || $0.isNumber }).allSatisfy { separator in
        separator == "." || separator == "_" || separator == "__" || separator.allSatisfy { $0 == "-" }
      }
    }
  }

  /// Whether a text is a part of a model's name.
  static func isModelPart(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 80 else { return false }
    return (isAlphanumeric(first) || first == 0x5F) && text.utf8.allSatisfy(isPlain)
  }

  /// Whether a text is a host with an optional port.
  static func isHost(_ text: some StringProtocol) -> Bool {
    guard text.utf8.count <= most else { return false }
    var host = text[...]
    if let colon = text.lastIndex(of: ":"), text.last != "]" {
      let port = text[text.index(after: colon)...]
      guard port.utf8.allSatisfy(isDigit), let number = Int(port), (1...65535).contains(number) else { return false }
      host = text[..<colon]
    }
    if host.first == "[" {
      return host.last == "]" && host.dropFirst().dropLast().utf8.allSatisfy { $0 == 0x3A || isHexadecimal($0) }
    }
    return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      guard let first = label.utf8.first, let last = Array(label.utf8).last, label.utf8.count <= 63 else {
        return false
      }
      return isAlphanumeric(first) && isAlphanumeric(last) && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2D }
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}
