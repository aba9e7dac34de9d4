// Authentication beyond user name and password, and trust.

/// Ways to authenticate and to trust. All of it belongs to the origin of the job's URL, except for the proxy's.
public struct AuthenticationOptions: Sendable, Equatable, Codable {
  /// A scheme that libcurl speaks.
  public enum Scheme: String, Sendable, Codable, CaseIterable {
    case basic, digest, ntlm, negotiate, any
  }

  /// The scheme for the server; `nil` is Basic.
  public var scheme: Scheme?
  /// A bearer token (RFC 6750).
  public var bearer: String?
  /// The file of the client's certificate, PEM.
  public var clientCertificate: String?
  /// The file of its key, PEM; `nil` if it is with the certificate.
  public var clientKey: String?
  /// The password of the key.
  public var clientKeyPassword: String?
  /// Hashes or a file of the public key that the server must have, as libcurl writes them.
  public var pinnedPublicKey: String?
  /// A directory of certificates to trust.
  public var caPath: String?
  /// User name and password for the proxy.
  public var proxyCredentials: Credentials?
  /// The scheme for the proxy; `nil` is Basic.
  public var proxyScheme: Scheme?

  /// Nothing of all this.
  public init() {}
}

extension TransferRequest {
  /// Whether a 401 or 407 may be answered by libcurl itself, within one transfer.
  public var answersChallenges: Bool {
    [authentication?.scheme, authentication?.proxyScheme].contains { $0 != nil && $0 != .basic }
  }
}
