// Decides which names of query parameters have secret values. Works on bytes, because a list of 100,000 jobs needs this
// for every parameter of every URL.

enum SecretName {
  /// The form for comparisons: decoded, lowercase, without `-`, `_` and `.`.
  static func folded(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var folded = PercentEncoding.decoded(name)
    folded.removeAll { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
    for index in folded.indices { folded[index] = folded[index].lowercased }
    return folded
  }

  /// Expects a folded name.
  /// - Parameter signed: Whether the URL has a `sig`, and is thus a shared access signature, to which other parameters
  ///   belong.
  static func isSecret(_ name: [UInt8], signed: Bool) -> Bool {
    exact.contains(name) || signed && sharedAccess.contains(name)
      || prefixes.contains { name.starts(with: $0) }
      || endings.contains { name.count >= $0.count && name.suffix($0.count).elementsEqual($0) }
  }

  private static let exact = bytes([
    "auth", "authorization", "awsaccesskeyid", "code", "googleaccessid", "hdnea", "hdnts", "hmac", "jwt", "key",
    "keypairid", "oauth", "pass", "passphrase", "passwd", "password", "policy", "pwd", "session", "sessionid", "sid",
    "sig", "signature", "ticket",
  ])
  /// Parameters of an Azure shared access signature.
  private static let sharedAccess = bytes(["se", "sp", "sr", "st", "sv", "skoid", "sktid", "sip"])
  private static let prefixes = bytes(["xamz", "xgoog", "xoss", "xcos"])
  /// Of names such as `access_token`, `client_secret`, `X-Api-Key`, `userPassword`.
  private static let endings = bytes([
    "token", "secret", "password", "passwd", "signature", "credential", "credentials", "apikey", "accesskey",
    "secretkey", "privatekey", "authkey", "xauth", "sessid", "sessionid",
  ])

  private static func bytes(_ names: [String]) -> Set<[UInt8]> { Set(names.map { Array($0.utf8) }) }
}
