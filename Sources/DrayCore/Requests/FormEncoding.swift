// Encodes forms as `application/x-www-form-urlencoded`, like the serializer of the URL Standard.

/// A field of a form.
public struct FormField: Sendable, Equatable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The encoding of forms (URL Standard §5.2).
public enum FormEncoding {
  /// The media type of the result.
  public static let contentType = "application/x-www-form-urlencoded"

  /// Bytes that stay unchanged; a space becomes `+`, and any other byte `%XX`.
  private static let plain = ByteSet(lettersDigitsAnd: "*-._")

  /// Returns the encoded form of these bytes.
  package static func encoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      if plain.contains(byte) {
        result.append(byte)
      } else if byte == 0x20 {
        result.append(UInt8(ascii: "+"))
      } else {
        let (high, low) = hexDigits(byte, uppercase: true)
        result += [UInt8(ascii: "%"), high, low]
      }
    }
    return result
  }

  /// Returns a whole form. Line ends become CR LF, as in browsers (HTML Standard §4.10.22.4).
  package static func body(_ fields: some Sequence<FormField>) -> [UInt8] {
    Array(
      fields.map { field in
        encoded(LineEnds.network(field.name)) + [UInt8(ascii: "=")] + encoded(LineEnds.network(field.value))
      }.joined(separator: [UInt8(ascii: "&")]))
  }
}

enum LineEnds {
  /// Returns a text in which each single CR or LF is replaced by CR LF.
  static func network(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    var wasCR = false
    for byte in text.utf8 {
      if byte == 0x0A {
        if !wasCR { result.append(0x0D) }
        result.append(0x0A)
      } else {
        if wasCR { result.append(0x0A) }
        result.append(byte)
      }
      // The byte after a CR decides whether an LF must be added.
      wasCR = byte == 0x0D
    }
    if wasCR { result.append(0x0A) }
    return result
  }
}
