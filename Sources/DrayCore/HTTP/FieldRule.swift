/// Decides which header fields may be set, and which characters they may contain.
public enum FieldRule {
  /// The party that sets a field.
  public enum Setter: Sendable {
    /// The user of this machine.
    case user
    /// A client of the service, which may be any program.
    case client
  }

  /// The lowercase names of the fields that nobody may set. They frame the message, request ranges or codings, or
  /// contain the proxy's secret, which the server must not see.
  public static let own: Set<String> = [
    "range", "if-range", "if-match", "accept-encoding", "content-length", "transfer-encoding", "connection", "te",
    "trailer", "upgrade", "proxy-authorization",
  ]

  /// Whether only dray itself may set a field. The user may also set `Host`, to a host other than the URL's.
  public static func isOwn(_ name: String, from setter: Setter = .user) -> Bool {
    let folded = name.lowercased()
    return own.contains(folded) || setter == .client && folded == "host"
  }

  /// Whether bytes are a token: a method or a field name (RFC 9110 §5.6.2).
  public static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
  }

  /// Whether a token may contain this byte.
  public static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true  // !#$%&'*+-.^_`|~
    default: false
    }
  }

  /// Whether a field value may contain this byte: any byte except control characters, but including the tab (RFC 9110
  /// §5.5).
  public static func isValueByte(_ byte: UInt8) -> Bool { !byte.isControl || byte == 0x09 }

  /// Request fields whose values reveal nothing about the user.
  public static let harmless: Set<String> = [
    "accept", "accept-language", "accept-charset", "cache-control", "pragma", "dnt", "origin", "user-agent",
    "x-requested-with", "if-none-match", "if-modified-since", "content-type",
  ]

  /// Whether the value of a field that the user typed may be secret.
  @Sendable public static func isSecret(line: String) -> Bool {
    guard let colon = line.firstIndex(of: ":"), line[colon...].dropFirst().contains(where: { $0 != " " }) else {
      return false
    }
    return !harmless.contains(line[..<colon].lowercased())
  }

  /// Whether a text may be a field value.
  public static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy(isValueByte) }
}
