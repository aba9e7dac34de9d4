/// The fields of a server's certificate (RFC 5280) that are shown.
public struct CertificateRecord: Sendable, Equatable, Codable {
  /// The subject: `CN = example.org`.
  public var subject: String
  /// The issuer.
  public var issuer: String
  /// The host names and addresses for which the certificate is valid.
  public var names: [String]
  /// The start of the validity, in seconds since 1970.
  public var notBefore: Double?
  /// The end of the validity, in seconds since 1970.
  public var notAfter: Double?

  /// Creates a record.
  public init(subject: String, issuer: String, names: [String], notBefore: Double? = nil, notAfter: Double? = nil) {
    self.subject = subject
    self.issuer = issuer
    self.names = names
    self.notBefore = notBefore
    self.notAfter = notAfter
  }

  /// The maximum number of names, and of scalars in each text (P13).
  static let limits = (names: 100, text: 512)

  /// Reads libcurl's description of a certificate, lines of `Name:value`; `nil` without a subject.
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

  /// Returns the host in `DNS:example.org` or `IP Address:127.0.0.1`; `nil` for other kinds of name.
  private static func name(_ text: Substring) -> String? {
    let text = text.trimmingSpaces()
    for kind in ["DNS:", "IP Address:"] where text.hasPrefix(kind) {
      return text.dropFirst(kind.count).start(Self.limits.text)
    }
    return nil
  }

  /// Reads a time in OpenSSL's form: `Nov 21 07:10:12 2026 GMT`.
  private static func date(_ text: String) -> Double? {
    let words = text.split(separator: " ")
    guard words.count == 5 else { return nil }
    return HTTPDate.parse("Sun, \(words[1]) \(words[0]) \(words[3]) \(words[2]) \(words[4])").map(Double.init)
  }
}
