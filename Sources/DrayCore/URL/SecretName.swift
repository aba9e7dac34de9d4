// Decides by the names of query parameters which of their values are secret. The functions work on bytes for speed:
// every parameter of every URL in a list of 100,000 jobs is checked.

enum SecretName {
  /// Returns the form of a name for comparisons: decoded, lowercase, without `-`, `_` and `.`.
  static func folded(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var folded = PercentEncoding.decoded(name)
    folded.removeAll { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
    for index in folded.indices { folded[index] = folded[index].lowercased }
    return folded
  }

  /// Whether the parameter with a folded name has a secret value.
  /// - Parameter signed: Whether the URL has a parameter `sig`. It is then a shared access signature, whose other
  ///   parameters are secret, too.
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
  /// The endings of names such as `access_token`, `client_secret`, `X-Api-Key`, `userPassword`.
  private static let endings = bytes([
    "token", "secret", "password", "passwd", "signature", "credential", "credentials", "apikey", "accesskey",
    "secretkey", "privatekey", "authkey", "xauth", "sessid", "sessionid",
  ])

  private static func bytes(_ names: [String]) -> Set<[UInt8]> { Set(names.map { Array($0.utf8) }) }
}
