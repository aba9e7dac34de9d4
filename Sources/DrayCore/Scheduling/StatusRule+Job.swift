// Adds the user name of the job, and its bytes on the disk, to the message about a status.

extension StatusRule {
  /// Adds details of the job: the user whose password was rejected, and how to continue with another link. A failure
  /// with another cause is returned unchanged.
  /// - Parameter kept: The number of bytes of the file that are on the disk and can be continued.
  static func told(_ failure: Failure, request: TransferRequest, kept: Int64) -> Failure {
    var told = failure
    guard let status = failure.httpStatus, failure.reason.hasPrefix("\(status)") else { return failure }
    if status == 401, let credentials = request.credentials,
      failure.rejects(credentials, request.authentication?.scheme)
    {
      told.reason = "401: the password\(user(credentials)) was rejected"
      told.advice = "check it"
    }
    guard kept > 0 else { return told }
    switch status {
    // This refusal concerns the S3 keys and not the link.
    case 403 where told.reason != name(of: status): break
    case 401, 403: told.advice = "link expired? \(.setURL) (\(ByteCount.text(kept)) are kept)"
    case 404, 410: told.advice = "moved? \(.setURL) (\(ByteCount.text(kept)) are kept)"
    default: break
    }
    return told
  }

  /// Adds the user to the failure of a proxy that rejects the password. Any other failure is returned unchanged.
  /// - Parameters:
  ///   - credentials: The user name and password for the proxy.
  ///   - scheme: The authentication scheme that was chosen; `nil` for Basic.
  package static func toldOfProxy(
    _ failure: Failure, _ credentials: Credentials?, _ scheme: AuthenticationOptions.Scheme?
  ) -> Failure {
    guard failure.httpStatus == 407, let credentials, failure.rejects(credentials, scheme) else { return failure }
    var told = failure
    told.reason = "407: the proxy rejected the password\(user(credentials))"
    told.advice = "check it"
    return told
  }

  /// Returns a text such as ` for ann`. It is empty for a name that may be a token (P7).
  private static func user(_ credentials: Credentials) -> String {
    let user = credentials.user
    return (1...24).contains(user.utf8.count) && !mayBeToken(user) ? " for \(TextSafety.escaped(user))" : ""
  }

  /// Whether a name contains a run of letters and digits that is as long as a short token.
  private static func mayBeToken(_ name: String) -> Bool {
    name.utf8.split { !$0.isLetter && !$0.isDigit && !tokenMarks.contains($0) }.contains { run in
      run.count >= 16 && run.contains { $0.isLetter } && run.contains { $0.isDigit }
    }
  }

  /// The other characters that tokens may contain: in base64, and in RFC 6750's `b64token`.
  private static let tokenMarks = Set("-._~+/=".utf8)
}

extension Failure {
  /// Whether a challenge means that the password is wrong. A challenge for another scheme does not mean that, because
  /// the password was not tried with that scheme.
  fileprivate func rejects(_ credentials: Credentials, _ scheme: AuthenticationOptions.Scheme?) -> Bool {
    let tried = scheme == .any ? AuthenticationOptions.Scheme.allCases : [scheme ?? .basic]
    return !credentials.password.isEmpty
      && (offeredSchemes ?? ["basic"]).contains { offered in tried.contains { $0.rawValue == offered.lowercased() } }
  }
}
