// Forms as `application/x-www-form-urlencoded`: the serializer of the URL Standard.

/// One field of a form.
public struct FormField: Sendable, Equatable {
  /// Its name.
  public var name: String
  /// Its value.
  public var value: String

  /// Makes a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The encoding of forms (URL Standard §5.2).
public enum FormEncoding {
  /// The media type of the result.
  public static let contentType = "application/x-www-form-urlencoded"

  /// What is not encoded; a space becomes `+`, everything else `%XX`.
  private static let plain = ByteSet(lettersDigitsAnd: "*-._")

  /// Bytes, encoded.
  public static func encoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
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

  /// A whole form, with every line end as CR LF, as browsers send it (HTML Standard §4.10.22.4).
  public static func body(_ fields: some Sequence<FormField>) -> [UInt8] {
    Array(
      fields.map { field in
        encoded(LineEnds.network(field.name)) + [UInt8(ascii: "=")] + encoded(LineEnds.network(field.value))
      }.joined(separator: [UInt8(ascii: "&")]))
  }
}

/// Line ends of texts.
enum LineEnds {
  /// The bytes of a text, with LF and CR alone as CR LF.
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
      // A CR waits for its LF, which is written with what follows.
      wasCR = byte == 0x0D
    }
    if wasCR { result.append(0x0A) }
    return result
  }
}
