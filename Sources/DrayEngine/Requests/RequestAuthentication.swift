// Sets the credentials of a request, and the trust in servers, on a handle.

internal import Curl
internal import DrayCore

enum RequestAuthentication {
  static func apply(_ fields: RequestFields, on handle: EasyHandle) throws(CurlError) {
    if let bearer = fields.bearer {
      try handle.set(.authentication, AuthenticationScheme.bearer)
      try handle.set(.bearer, bearer)
    } else if let credentials = fields.credentials {
      try check(credentials)
      try handle.set(.authentication, mask(fields.scheme ?? .basic))
      try handle.set(.userName, credentials.user)
      try handle.set(.password, credentials.password)
      try bind(fields.scheme, on: handle)
    }
    if let certificate = fields.clientCertificate {
      try handle.set(.clientCertificate, certificate.file)
      if isPKCS12(certificate.file) { try handle.set(.clientCertificateType, "P12") }
      if let key = certificate.key { try handle.set(.clientKey, key) }
      // Set a password in any case: without one, OpenSSL would ask for it on the terminal, and block this thread.
      try handle.set(.clientKeyPassword, certificate.password ?? "")
    }
  }

  /// Checks credentials that come from a host rule, a .netrc, or a job of an older program, and were therefore not
  /// checked with the request.
  static func check(_ credentials: Credentials) throws(CurlError) {
    guard !CredentialRule.isSendable(credentials) else { return }
    throw CurlError(.unsendable, "they contain a control character")
  }

  /// Sets the options for the proxy and the options that apply to all servers.
  static func way(_ request: TransferRequest, on handle: EasyHandle) throws(CurlError) {
    guard let options = request.authentication else { return }
    if let key = options.pinnedPublicKey { try handle.set(.pinnedPublicKey, key) }
    if let path = options.caPath { try handle.set(.caPath, path) }
    if let credentials = options.proxyCredentials {
      try check(credentials)
      try handle.set(.proxyUserName, credentials.user)
      try handle.set(.proxyPassword, credentials.password)
    }
    if let scheme = options.proxyScheme {
      try handle.set(.proxyAuthentication, mask(scheme))
      try bind(scheme, on: handle)
    }
  }

  /// Keeps other requests off the connection: NTLM and Negotiate authenticate a connection, not a request.
  private static func bind(_ scheme: AuthenticationOptions.Scheme?, on handle: EasyHandle) throws(CurlError) {
    switch scheme {
    case .ntlm, .negotiate, .any:
      try handle.set(.freshConnection, true)
      try handle.set(.forbidReuse, true)
      try handle.set(.httpVersion, HTTPVersionCode.http11)
    case .basic, .digest, nil:
      break
    }
  }

  private static func mask(_ scheme: AuthenticationOptions.Scheme) -> Int {
    switch scheme {
    case .basic: AuthenticationScheme.basic
    case .digest: AuthenticationScheme.digest
    case .ntlm: AuthenticationScheme.ntlm
    case .negotiate: AuthenticationScheme.negotiate
    case .any:
      AuthenticationScheme.basic | AuthenticationScheme.digest | AuthenticationScheme.ntlm
        | AuthenticationScheme.negotiate
    }
  }

  private static func isPKCS12(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".p12") || name.hasSuffix(".pfx")
  }
}

extension CurlError.Code {
  /// `CURLE_AUTH_ERROR`: the credentials cannot be sent.
  static let unsendable = Self(rawValue: 94)
}
