/// The options for authentication and trust, beyond user name and password. All of them except those for the proxy
/// belong to the origin of the job's URL.
public struct AuthenticationOptions: Sendable, Equatable, Codable {
  /// An authentication scheme of libcurl.
  public enum Scheme: String, Sendable, Codable, CaseIterable {
    case basic, digest, ntlm, negotiate, any
  }

  /// The scheme for the server; `nil` means Basic.
  public var scheme: Scheme?
  /// A bearer token (RFC 6750).
  public var bearer: String?
  /// The file of the client certificate (PEM).
  public var clientCertificate: String?
  /// The file of the client certificate's key (PEM); `nil` if the key is in the certificate's file.
  public var clientKey: String?
  /// The password of the key.
  public var clientKeyPassword: String?
  /// Hashes or a file of the server's required public key, in libcurl's syntax.
  public var pinnedPublicKey: String?
  /// A directory of trusted certificates.
  public var caPath: String?
  /// The user name and password for the proxy.
  public var proxyCredentials: Credentials?
  /// The scheme for the proxy; `nil` means Basic.
  public var proxyScheme: Scheme?

  /// Creates options that leave everything to the defaults.
  public init() {}
}

extension TransferRequest {
  /// Whether libcurl may answer a 401 or 407 by itself, within the transfer.
  public var answersChallenges: Bool {
    [authentication?.scheme, authentication?.proxyScheme].contains { $0 != nil && $0 != .basic }
  }
}
