// Converts host names in other scripts to the form of DNS (IDNA 2008, RFC 5891; UTS 46) with libidn2.
//
// libcurl uses libidn2, too, but with the encoding of the locale: if that is not UTF-8, libcurl refuses every such URL.
// Besides, two spellings of the same host must belong to the same origin.

internal import CIDN2

enum InternationalName {
  /// Each non-ASCII label becomes `xn--…`. Letters become lowercase, and variants of a letter become that letter:
  /// full-width forms, ligatures, a separate accent.
  static func ascii(_ name: String) throws(URLParseError) -> String {
    guard let ascii = lookedUp(name), !isHiding(ascii, in: name) else {
      throw URLParseError("the host \(quoted(name)) cannot be turned into a DNS name: write its xn-- form")
    }
    return ascii
  }

  private static func lookedUp(_ name: String) -> String? {
    // In C, the name would end at a NUL.
    guard !name.utf8.contains(0) else { return nil }
    var found: UnsafeMutablePointer<UInt8>?
    defer { idn2_free(found) }
    guard idn2_lookup_u8(name, &found, Int32(IDN2_NONTRANSITIONAL.rawValue)) == IDN2_OK.rawValue, let found else {
      return nil
    }
    return String(cString: found)
  }

  /// Whether a character of the name was converted to one that ends a host: the single character "a/c" must not become
  /// a host and a path.
  private static func isHiding(_ ascii: String, in name: String) -> Bool {
    let typed = Set(name.utf8)
    return ascii.utf8.contains { byte in
      !byte.isLetter && !byte.isDigit && !"-.".utf8.contains(byte) && !typed.contains(byte)
    }
  }
}
