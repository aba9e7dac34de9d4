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
      failure.advice == AuthenticationChallenge.advice([])
    {
      told.reason = "401: the password\(user(credentials)) was rejected"
      told.advice = "check it"
    }
    guard kept > 0 else { return told }
    switch status {
    case 401, 403: told.advice = "link expired? \(.setURL) (\(ByteCount.text(kept)) are kept)"
    case 404, 410: told.advice = "moved? \(.setURL) (\(ByteCount.text(kept)) are kept)"
    default: break
    }
    return told
  }

  /// Returns ` for ann`, printable; empty for a name as long as a token, because it may be one (P7).
  private static func user(_ credentials: Credentials) -> String {
    (1...24).contains(credentials.user.utf8.count) ? " for \(TextSafety.escaped(credentials.user))" : ""
  }
}
