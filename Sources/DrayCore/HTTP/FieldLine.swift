// Header fields of requests as users and programs hand them in: one list of those that nobody may set, one definition of a name and
// of a value.

/// Why a line is not a header field that a request may carry. No case has the value, which may be a secret.
public enum FieldObjection: Error, Sendable, Equatable {
  /// The line has no colon.
  case noColon
  /// This name is not a token (RFC 9110 §5.1).
  case notAName(String)
  /// dray decides about the field of this name itself.
  case isOwn(String)
  /// The value of the field of this name has a control character.
  case controlCharacter(String)
}

/// The rules for header fields.
public enum FieldRule {
  /// Who sets a field.
  public enum Setter: Sendable {
    /// The user of this machine.
    case user
    /// A client of the service, which may be anybody's program.
    case client
  }

  /// The fields that nobody may set, in lower case: they frame the message, ask for ranges or codings, or carry the secret of the
  /// proxy, which the server must not see.
  public static let own: Set<String> = [
    "range", "if-range", "if-match", "accept-encoding", "content-length", "transfer-encoding", "connection", "te",
    "trailer", "upgrade", "proxy-authorization",
  ]

  /// Whether dray decides about a field itself. Only the user may name another `Host` than that of the URL.
  public static func isOwn(_ name: String, from setter: Setter = .user) -> Bool {
    let folded = name.lowercased()
    return own.contains(folded) || setter == .client && folded == "host"
  }

  /// Whether bytes are a token: a method, or the name of a field (RFC 9110 §5.6.2).
  public static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
  }

  /// Whether a token may have this byte.
  public static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true  // !#$%&'*+-.^_`|~
    default: false
    }
  }

  /// Whether the value of a field may have this byte: any but control characters; the tab is none (RFC 9110 §5.5).
  public static func isValueByte(_ byte: UInt8) -> Bool { !byte.isControl || byte == 0x09 }

  /// Whether a text may be the value of a field.
  public static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy(isValueByte) }
}

/// `Name: value`.
public enum FieldLine {
  /// Reads a line.
  /// - Returns: the field, without the blanks around its value.
  /// - Throws: the reason why it is none that may be set.
  public static func parse(
    _ line: String, from setter: FieldRule.Setter = .user
  ) throws(FieldObjection) -> HeaderField {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
    let name = String(line[..<colon])
    try check(name, from: setter)
    let value = line.utf8[line.utf8.index(after: colon)...].trimmingBlanks
    guard value.allSatisfy(FieldRule.isValueByte) else { throw .controlCharacter(name) }
    return HeaderField(name, String(decoding: value, as: UTF8.self))
  }

  /// Checks the name of a field.
  public static func check(_ name: String, from setter: FieldRule.Setter = .user) throws(FieldObjection) {
    guard FieldRule.isToken(name.utf8) else { throw .notAName(name) }
    guard !FieldRule.isOwn(name, from: setter) else { throw .isOwn(name) }
  }
}
