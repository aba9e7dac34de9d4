// Options of a request for schemes other than http and https.

/// Options for `ftp`, `ftps` and `sftp`.
public struct SchemeOptions: Sendable, Equatable, Codable {
  /// Whether `ftp` uses TLS (RFC 4217). `ftps` always is.
  public enum TLSUse: String, Sendable, Codable {
    /// If the server supports it.
    case wanted
    /// Required.
    case required
  }

  /// TLS for `ftp`; `nil` is none.
  public var tls: TLSUse?
  /// The SHA-256 of the key that an `sftp` server must have, in base64 without `=`, as ssh-keygen(1) writes it; `nil`
  /// asks the file of known hosts.
  public var hostKey: String?
  /// The file of known hosts; `nil` is `~/.ssh/known_hosts`.
  public var knownHostsFile: String?
  /// The file of the private key for `sftp`; `nil` for the usual ones, and the agent.
  public var privateKeyFile: String?

  /// None of all this.
  public init() {}

  /// The digest of a host key in the form of ``hostKey``, from what users write: `SHA256:…`, with or without `=`;
  /// `nil` if invalid.
  public static func hostKey(_ text: String) -> String? {
    var text = text[...]
    if text.lowercased().hasPrefix("sha256:") { text = text.dropFirst(7) }
    while text.last == "=" { text = text.dropLast() }
    let isBase64 = text.utf8.allSatisfy {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
    }
    return text.utf8.count == 43 && isBase64 ? String(text) : nil
  }
}
