// Which names of query parameters say that the value is a secret.

enum SecretName {
  /// A parameter's name as it is compared: decoded, in lower case, without `-`, `_` and `.`.
  static func folded(_ name: ArraySlice<UInt8>) -> String {
    let bytes = PercentEncoding.decoded(name).lazy.map(\.lowercased).filter { !"-_.".utf8.contains($0) }
    return String(decoding: Array(bytes), as: UTF8.self)
  }

  /// Whether a parameter of that folded name is hidden.
  ///
  /// - Parameter signed: Whether the URL has a `sig`: then it is a shared access signature, whose other
  ///   parameters are part of it.
  static func isSecret(_ name: String, signed: Bool) -> Bool {
    exact.contains(name) || signed && sharedAccess.contains(name)
      || prefixes.contains(where: name.hasPrefix) || endings.contains(where: name.hasSuffix)
  }

  private static let exact: Set<String> = [
    "auth", "authorization", "awsaccesskeyid", "code", "googleaccessid", "hdnea", "hdnts", "hmac", "jwt", "key",
    "keypairid", "oauth", "pass", "passphrase", "passwd", "password", "policy", "pwd", "session", "sessionid", "sid",
    "sig", "signature", "ticket",
  ]
  /// The parameters of an Azure shared access signature.
  private static let sharedAccess: Set<String> = ["se", "sp", "sr", "st", "sv", "skoid", "sktid", "sip"]
  private static let prefixes = ["xamz", "xgoog", "xoss", "xcos"]
  /// Ends of names such as `access_token`, `client_secret`, `X-Api-Key`, `userPassword`.
  private static let endings = [
    "token", "secret", "password", "passwd", "signature", "credential", "credentials", "apikey", "accesskey",
    "secretkey", "privatekey", "authkey", "xauth", "sessid", "sessionid",
  ]
}
