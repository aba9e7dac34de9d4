// Host names in other scripts, in the form that DNS uses (IDNA 2008, RFC 5891; UTS 46), by libidn2.
//
// libcurl leaves this to libidn2, too, but in the locale's encoding: without a UTF-8 locale it refuses every such URL. And
// two ways to write one host must be one origin. So it is done here.

internal import CIDN2

enum InternationalName {
  /// The name with each label that is not ASCII as `xn--…`. Letters are folded to lower case, and other ways to write a
  /// letter become that letter: full-width forms, ligatures, an accent by itself.
  static func ascii(_ name: String) throws(URLParseError) -> String {
    guard let ascii = lookedUp(name), !isHiding(ascii, in: name) else {
      throw URLParseError("the host \(quoted(name)) cannot be turned into a DNS name: write its xn-- form")
    }
    return ascii
  }

  private static func lookedUp(_ name: String) -> String? {
    // A name in C ends at a NUL.
    guard !name.utf8.contains(0) else { return nil }
    var found: UnsafeMutablePointer<UInt8>?
    defer { idn2_free(found) }
    guard idn2_lookup_u8(name, &found, Int32(IDN2_NONTRANSITIONAL.rawValue)) == IDN2_OK.rawValue, let found else {
      return nil
    }
    return String(cString: found)
  }

  /// Whether a character of the name became one that ends hosts: "a/c" in one character must not become a path.
  private static func isHiding(_ ascii: String, in name: String) -> Bool {
    let typed = Set(name.utf8)
    return ascii.utf8.contains { byte in
      !byte.isLetter && !byte.isDigit && !"-.".utf8.contains(byte) && !typed.contains(byte)
    }
  }
}
