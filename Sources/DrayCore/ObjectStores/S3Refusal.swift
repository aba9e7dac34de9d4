// Decides the meaning of an unsuccessful answer of an object store.

/// An unsuccessful answer.
package struct S3Refusal: Sendable, Equatable {
  /// The meaning of an answer, which decides the next step.
  package enum Meaning: Sendable, Equatable {
    /// The server is overloaded or has failed: try again later.
    case busy
    /// This machine's clock and the server's differ. The value is the server's time, in seconds since 1970, if known.
    case clock(Int64?)
    /// The keys have expired and must be read again.
    case expired
    /// The upload no longer exists.
    case noUpload
    /// The bucket does not exist.
    case noBucket
    /// The object does not exist.
    case noObject
    /// The condition is not met.
    case conditionFailed
    /// Another request is changing the same key.
    case conflict
    /// The server does not support this request, or one of its fields.
    case notImplemented
    /// The bytes were damaged in transit.
    case damaged
    /// The list of parts does not match the parts that the server has.
    case wrongParts
    /// Any other refusal.
    case refused
  }

  /// The status of the answer.
  package var status: Int
  /// The code of the error, such as `NoSuchUpload`; empty if there is none.
  package var code: String
  /// The server's own error message.
  package var text: String
  /// The time of the answer by the server's clock, in seconds since 1970.
  package var date: Int64?
  /// The region of the bucket, if the answer names one.
  package var region: String?
  /// The seconds that the server asked to wait.
  package var retryAfter: Int64?

  /// Reads an answer.
  /// - Parameters:
  ///   - document: The document in the body, if there is one.
  ///   - now: Seconds since 1970.
  package init(_ head: ResponseHead, _ document: S3Element?, now: Int64) {
    let error = document.flatMap { $0.name == "Error" ? $0 : $0.children.first { $0.name == "Error" } }
    status = head.status
    code = error?.value("Code") ?? ""
    text = error?.value("Message") ?? ""
    date = head.serverTime
    region = head.first("x-amz-bucket-region") ?? error?.value("Region")
    retryAfter = ServerWait(head, now: now).delay
  }

  /// Creates a refusal.
  package init(status: Int, code: String = "", text: String = "") {
    (self.status, self.code, self.text) = (status, code, text)
  }

  /// The meaning of the answer.
  package var meaning: Meaning {
    switch code {
    case "RequestTimeTooSkewed": return .clock(date)
    case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired": return .expired
    case "NoSuchUpload": return .noUpload
    case "NoSuchBucket": return .noBucket
    case "NoSuchKey": return .noObject
    case "PreconditionFailed": return .conditionFailed
    case "ConditionalRequestConflict", "OperationAborted": return .conflict
    case "NotImplemented": return .notImplemented
    case "BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch", "IncompleteBody":
      return .damaged
    case "InvalidPart", "InvalidPartOrder", "EntityTooSmall": return .wrongParts
    case "SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout", "Throttling", "ThrottlingException",
      "RequestLimitExceeded", "BandwidthLimitExceeded", "503 SlowDown":
      return .busy
    default: break
    }
    switch status {
    case 404: return .noObject
    case 412: return .conditionFailed
    case 501: return .notImplemented
    case _ where StatusRule.mayPass(status): return .busy
    // Status 200 with an unknown error in the body.
    case 200...299: return .busy
    default: return .refused
    }
  }

  /// Whether this answer to a request about an upload means that the server does not have the upload. Some servers
  /// report a missing key instead of a missing upload.
  package var endsUpload: Bool { code == "NoSuchUpload" || code == "NoSuchKey" }

  /// Returns the failure of the job.
  /// - Parameters:
  ///   - subject: The object or the bucket, for people.
  ///   - access: The keys of the request.
  package func failure(_ subject: String, _ access: ObjectAccess) -> Failure {
    let isSigned = access.credentials != nil
    func make(
      _ kind: Failure.Kind, _ reason: String, _ advice: Advice?, _ recovery: Failure.Recovery
    ) -> Failure {
      Failure(
        kind, subject, reason, advice: advice, httpStatus: status, recovery: recovery, retryAfter: retryAfter)
    }
    if let region, S3Address.isRegion(region), region != access.signature.region, [301, 307, 400, 403].contains(status)
    {
      return make(
        .status, "the bucket is in the region \(region), not in \(access.signature.region)",
        "add \(.awsRegion) \(region)", .keep)
    }
    switch meaning {
    case .busy:
      return make(.status, "the object store is busy (\(answer))", "\(.run) continues", .retry)
    case .clock:
      return make(
        .authentication, "this machine's clock differs from the server's too much", "set the clock, then \(.run)",
        .keep)
    case .expired:
      return make(.authentication, "the keys have expired", "give new keys, then \(.run) continues", .keep)
    case .noUpload:
      return make(
        .status, "the server has forgotten the upload",
        "\(.run) starts it over; a rule of the bucket may discard uploads",
        .retry)
    case .noBucket: return make(.status, "no such bucket", "create it, or check the name and \(.endpoint)", .keep)
    case .noObject: return make(.status, "no such object", "check the key", .keep)
    case .conditionFailed: return make(.file, "an object has that key", "use \(.onConflict)", .final)
    case .conflict: return make(.status, "another upload to this key is in progress", "\(.run) tries again", .retry)
    case .damaged: return make(.network, "bytes were damaged on their way (\(answer))", "\(.run) continues", .retry)
    case .wrongParts:
      return make(
        .integrity, "the server's parts are not those that were uploaded (\(answer))", "\(.retry) uploads them again",
        .retry)
    case .notImplemented, .refused: break
    }
    if let (reason, advice) = optionRefused { return make(.status, "\(reason) (\(answer))", advice, .keep) }
    if let (reason, advice) = keysRefused { return make(.authentication, "\(reason) (\(answer))", advice, .keep) }
    if status == 401 || status == 403 {
      return make(
        .authentication, isSigned ? "access denied with these keys (\(answer))" : "access denied without keys",
        isSigned
          ? "\(code.isEmpty ? "check the keys and the clock; " : "")the keys need the right to write there"
          : "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or add \(.awsProfile)",
        .keep)
    }
    return make(.status, "the object store refused it (\(answer))", nil, .keep)
  }

  /// The status and the code, for people.
  private var answer: String {
    let named = code.isEmpty ? "\(status)" : "\(status) \(TextSafety.escaped(String(code.prefix(60))))"
    return text.isEmpty || code.isEmpty ? named : "\(named): \(TextSafety.escaped(String(text.prefix(160))))"
  }
}
