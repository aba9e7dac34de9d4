// A server's certificate: who it is for, who vouches for it, and for how long.

/// What a certificate says (RFC 5280), as far as people ask.
public struct CertificateRecord: Sendable, Equatable, Codable {
  /// Whom it is for: `CN = example.org`.
  public var subject: String
  /// Who signed it.
  public var issuer: String
  /// The host names and addresses that it is good for.
  public var names: [String]
  /// When it begins to be good, in seconds since 1970.
  public var notBefore: Double?
  /// When it ends, in seconds since 1970.
  public var notAfter: Double?

  /// Makes a record.
  public init(subject: String, issuer: String, names: [String], notBefore: Double? = nil, notAfter: Double? = nil) {
    self.subject = subject
    self.issuer = issuer
    self.names = names
    self.notBefore = notBefore
    self.notAfter = notAfter
  }

  /// Names that are kept of one certificate, and scalars of each text (P13).
  static let limits = (names: 100, text: 512)

  /// Reads what libcurl tells of a certificate, lines `Name:value`; `nil` if it does not name its subject.
  public init?(lines: [String]) {
    var values: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[String(line[..<colon])] = String(line[line.index(after: colon)...])
    }
    guard let subject = values["Subject"] else { return nil }
    let names = values["X509v3 Subject Alternative Name"]?.split(separator: ",") ?? []
    self.init(
      subject: subject.start(Self.limits.text),
      issuer: (values["Issuer"] ?? "").start(Self.limits.text),
      names: names.prefix(Self.limits.names).compactMap(Self.name),
      notBefore: values["Start date"].flatMap(Self.date), notAfter: values["Expire date"].flatMap(Self.date))
  }

  /// `DNS:example.org` or `IP Address:127.0.0.1`, without its kind; other kinds are not names of hosts.
  private static func name(_ text: Substring) -> String? {
    let text = text.trimmingSpaces()
    for kind in ["DNS:", "IP Address:"] where text.hasPrefix(kind) {
      return text.dropFirst(kind.count).start(Self.limits.text)
    }
    return nil
  }

  /// `Nov 21 07:10:12 2026 GMT`, OpenSSL's form.
  private static func date(_ text: String) -> Double? {
    let words = text.split(separator: " ")
    guard words.count == 5 else { return nil }
    return HTTPDate.parse("Sun, \(words[1]) \(words[0]) \(words[3]) \(words[2]) \(words[4])").map(Double.init)
  }
}
