/// The options of a request that apply only to `ftp`, `ftps` and `sftp`.
public struct SchemeOptions: Sendable, Equatable, Codable {
  /// Whether `ftp` uses TLS (RFC 4217); `ftps` always does.
  public enum TLSUse: String, Sendable, Codable {
    /// Use TLS if the server supports it.
    case wanted
    /// Fail if the server does not support TLS.
    case required
  }

  /// Whether `ftp` uses TLS; `nil` means no.
  public var tls: TLSUse?
  /// The SHA-256 of an `sftp` server's required key, in base64 without `=` as in ssh-keygen(1); `nil` to check the
  /// known hosts.
  public var hostKey: String?
  /// The file of known hosts; `nil` means `~/.ssh/known_hosts`.
  public var knownHostsFile: String?
  /// The private key file for `sftp`; `nil` means the default files and the agent.
  public var privateKeyFile: String?

  /// Creates options that leave all to the defaults.
  public init() {}

  /// Returns a host key's digest in the form of ``hostKey``, from `SHA256:…` with or without `=`; `nil` if invalid.
  package static func hostKey(_ text: String) -> String? {
    var text = text[...]
    if text.lowercased().hasPrefix("sha256:") { text = text.dropFirst(7) }
    while text.last == "=" { text = text.dropLast() }
    let isBase64 = text.utf8.allSatisfy {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
    }
    return text.utf8.count == 43 && isBase64 ? String(text) : nil
  }
}
