// Refuses control characters in credentials: in a line-based protocol, a line end would begin a new command.

/// Decides which characters credentials may contain.
package enum CredentialRule {
  /// Whether a text can be sent as a name or a password (RFC 7617 §2 forbids control characters, too).
  package static func isSendable(_ text: String) -> Bool {
    text.utf8.allSatisfy { !$0.isControl || $0 == UInt8(ascii: "\t") }
  }

  /// Whether the user name and the password can be sent.
  package static func isSendable(_ credentials: Credentials) -> Bool {
    isSendable(credentials.user) && isSendable(credentials.password)
  }

  /// Returns a clause that names a credential that cannot be sent, without its secret; `nil` if all credentials can be
  /// sent.
  package static func objection(to request: TransferRequest) -> String? {
    guard request.credentials != nil || request.netrcUser != nil || request.authentication != nil else { return nil }
    let options = request.authentication
    let texts: [(name: String, text: String?)] = [
      ("the user name", request.credentials?.user), ("the password", request.credentials?.password),
      ("the user name", request.netrcUser), ("the token", options?.bearer),
      ("the proxy's user name", options?.proxyCredentials?.user),
      ("the proxy's password", options?.proxyCredentials?.password),
    ]
    let bad = texts.first { row in row.text.map { !isSendable($0) } ?? false }
    return bad.map { "\($0.name) contains a control character" }
  }

  /// Refuses a request with a credential that cannot be sent.
  /// - Throws: ``Failure`` of the kind `usage`.
  package static func check(_ request: TransferRequest) throws(Failure) {
    guard let objection = objection(to: request) else { return }
    throw Failure(.usage, request.url.description, objection, advice: "remove it")
  }
}
