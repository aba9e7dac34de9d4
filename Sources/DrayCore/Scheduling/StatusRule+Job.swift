// The message for a status, completed with the job's credentials and its bytes on disk.

extension StatusRule {
  /// Returns a failure of this rule with details of the job: the user whose password was rejected, and how to continue
  /// with another link. Other failures are returned unchanged.
  /// - Parameter kept: The number of resumable bytes of the file on disk.
  static func told(_ failure: Failure, request: TransferRequest, kept: Int64) -> Failure {
    var told = failure
    guard let status = failure.httpStatus, failure.reason.hasPrefix("\(status)") else { return failure }
    // With another scheme, the password has not been tried.
    if status == 401, let credentials = request.credentials, !credentials.password.isEmpty,
      (failure.offeredSchemes ?? ["basic"]).contains(where: { request.triedSchemes.contains($0.lowercased()) })
    {
      told.reason = "401: the password\(user(credentials)) was rejected"
      told.advice = "check it"
    }
    guard kept > 0 else { return told }
    switch status {
    // A refusal of S3's keys is not about the link.
    case 403 where told.reason != name(of: status): break
    case 401, 403: told.advice = "link expired? \(.setURL) (\(ByteCount.text(kept)) are kept)"
    case 404, 410: told.advice = "moved? \(.setURL) (\(ByteCount.text(kept)) are kept)"
    default: break
    }
    return told
  }

  /// Returns ` for ann`, printable; empty for a name that may be a token (P7).
  private static func user(_ credentials: Credentials) -> String {
    let user = credentials.user
    return (1...24).contains(user.utf8.count) && !mayBeToken(user) ? " for \(TextSafety.escaped(user))" : ""
  }

  /// Whether a name has a run of characters as long as a short token's, of letters and digits.
  private static func mayBeToken(_ name: String) -> Bool {
    name.utf8.split { !$0.isLetter && !$0.isDigit && !tokenMarks.contains($0) }.contains { run in
      run.count >= 16 && run.contains { $0.isLetter } && run.contains { $0.isDigit }
    }
  }

  /// The other characters of tokens: of base64, and of RFC 6750's `b64token`.
  private static let tokenMarks = Set("-._~+/=".utf8)
}

extension TransferRequest {
  /// The schemes that the password is used with, if the server offers them.
  fileprivate var triedSchemes: [String] {
    switch authentication?.scheme {
    case .any: AuthenticationOptions.Scheme.allCases.map(\.rawValue)
    case let scheme?: [scheme.rawValue]
    case nil: [AuthenticationOptions.Scheme.basic.rawValue]
    }
  }
}
