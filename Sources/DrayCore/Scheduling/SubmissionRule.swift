// Decides about the answer to a request that must not be repeated: a POST, PUT, DELETE, PATCH and others (P10).

/// The rule for the final answer to such a request. All redirects have been followed before.
package enum SubmissionRule {
  /// What to do with an answer.
  package enum Action: Sendable, Equatable {
    /// The request succeeded, and the body is the file. `length` is `nil` if unknown.
    case write(length: Int64?)
    /// The request succeeded, and there is no body, so nothing is published (RFC 9110 §15.3.5, §15.3.6).
    case done
    /// The request was refused, or the answer violates the protocol.
    case fail(Failure)
  }

  /// Decides by `head`, after all redirects. Any 2xx is a success.
  /// - Parameters:
  ///   - head: The head of the answer.
  ///   - keepsAnswer: Whether the body is kept (``keepsAnswer(to:output:)``).
  ///   - subject: The URL, without secrets.
  ///   - now: The time in seconds since 1970, for a `Retry-After` that is a date.
  package static func action(
    on head: ResponseHead, keepsAnswer: Bool = true, subject: String, now: Int64
  ) -> Action {
    switch head.status {
    case 204, 205:
      return .done
    case 200..<300 where !keepsAnswer:
      return .done
    case 206:
      return .fail(broken("it sent a part of a file (206) that was not requested", subject))
    case 200..<300:
      do throws(ContentLengthError) {
        let length = head.hasTransferEncoding ? nil : try ContentLength.parse(head.all("content-length"))
        return length == 0 ? .done : .write(length: length)
      } catch {
        return .fail(broken(error.message, subject))
      }
    default:
      return .fail(StatusRule.failure(head, subject: subject, now: now))
    }
  }

  /// The methods that change what is at the URL. An answer to one of them only reports the change (RFC 9110 §9.3.4,
  /// §9.3.5; RFC 5789; RFC 4918 §9).
  private static let changing: Set<String> = ["PUT", "PATCH", "DELETE", "MKCOL", "MOVE", "COPY"]

  /// Whether the body of the answer is kept. It is not kept if it only reports on an upload or a removal and the user
  /// gave no name for it (H17).
  /// - Parameter output: The name that the user gave for the answer; `nil` if none was given.
  package static func keepsAnswer(to request: TransferRequest, output: String?) -> Bool {
    output != nil || urlNamesAnswer(to: request)
  }

  /// Whether the name in the URL is a suitable name for the answer. It is not if the request uploads something: because
  /// of its method, or because its body is neither form fields nor the query of an API.
  package static func urlNamesAnswer(to request: TransferRequest) -> Bool {
    if changing.contains(request.method) { return false }
    guard let body = request.body else { return true }
    guard let type = body.contentType.map({ MediaType($0).essence }) else { return false }
    return type == FormEncoding.contentType || type == "application/json" || type.hasSuffix("+json")
  }

  /// Returns the note about a finished job that has no file.
  /// - Parameter head: The head of the answer; `nil` if unknown.
  package static func note(on request: TransferRequest, _ head: ResponseHead?) -> String {
    let status = head.flatMap { $0.isHTTP ? StatusRule.name(of: $0.status) : nil }
    if let body = request.body { return "sent \(ByteCount.text(body.length))" + (status.map { ": \($0)" } ?? "") }
    if changing.contains(request.method) || !(head?.isHTTP ?? true) { return "\(request.method): \(status ?? "done")" }
    return "no file: the server answered \(status ?? "nothing") without a body"
  }

  /// Returns the failure of an attempt that ended after its request may have been sent. Such a request is never
  /// repeated automatically; the user decides whether to repeat it.
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - subject: The URL, without secrets.
  ///   - reason: Why the attempt ended.
  ///   - job: The number of the job; `nil` without a job.
  package static func unanswered(
    _ kind: Failure.Kind, _ method: String, subject: String, reason: String, job: JobID?
  ) -> Failure {
    Failure(
      kind, subject,
      "\(reason); the \(TextSafety.escaped(method)) may have taken effect, so it is not repeated automatically",
      advice: job.map { "check the server; \(.resume, $0) sends it again, \(.remove, $0) removes it" }
        ?? "check the server; the same command sends it again",
      recovery: .wait)
  }

  private static func broken(_ reason: String, _ subject: String) -> Failure {
    Failure(
      .protocolViolation, subject, "the server's answer violates the protocol: \(reason)",
      advice: "check the server before it is sent again: it may have taken effect", recovery: .final)
  }
}
