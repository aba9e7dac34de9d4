// What is done with the answer to a request that is not safe: POST, PUT, DELETE, PATCH and others (P10).

/// The decision on the head of a final answer, not a redirect, to a request that must not be repeated.
public enum SubmissionRule {
  /// What is done with an answer.
  public enum Action: Sendable, Equatable {
    /// It was done, and the body of the answer is the file. The length is `nil` if unknown.
    case write(length: Int64?)
    /// It was done, and there is no body: nothing is published (RFC 9110 §15.3.5, §15.3.6).
    case done
    /// It was refused, or the answer violates the protocol.
    case fail(Failure)
  }

  /// Decides on `head`: any 2xx is a success.
  /// - Parameters:
  ///   - head: the head of the answer.
  ///   - keepsAnswer: whether the body of the answer is kept (``keepsAnswer(to:output:)``).
  ///   - subject: the URL, without secrets.
  ///   - now: seconds since 1970, for a `Retry-After` that is a date.
  public static func action(
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

  /// Methods that change the resource at the URL. Their answers report on the change (RFC 9110 §9.3.4, §9.3.5; RFC
  /// 5789; RFC 4918 §9).
  private static let changing: Set<String> = ["PUT", "PATCH", "DELETE", "MKCOL", "MOVE", "COPY"]

  /// Whether the body of the answer is kept: always, unless it is the report on an upload or a removal and no name was
  /// given (H17).
  /// - Parameter output: the given name of the answer.
  public static func keepsAnswer(to request: TransferRequest, output: String?) -> Bool {
    output != nil || !changing.contains(request.method)
  }

  /// Whether the name in the URL describes the answer. It does not if the request uploads something there: by its
  /// method, or with a body that is neither form fields nor an API query.
  public static func urlNamesAnswer(to request: TransferRequest) -> Bool {
    if changing.contains(request.method) { return false }
    guard let body = request.body else { return true }
    guard let type = body.contentType.map({ MediaType($0).essence }) else { return false }
    return type == FormEncoding.contentType || type == "application/json" || type.hasSuffix("+json")
  }

  /// The note on a finished job without a file.
  /// - Parameter head: of the answer; `nil` if unknown.
  public static func note(on request: TransferRequest, _ head: ResponseHead?) -> String {
    let status = head.flatMap { $0.isHTTP ? StatusRule.name(of: $0.status) : nil }
    let isUpload = changing.contains(request.method) || !(head?.isHTTP ?? true)
    if let body = request.body, isUpload {
      return "sent \(ByteCount.text(body.length))" + (status.map { ": \($0)" } ?? "")
    }
    if isUpload { return "\(request.method): \(status ?? "done")" }
    return "no file: the server answered \(status ?? "nothing") without a body"
  }

  /// The failure of an attempt that ended after its request may have been sent: the user decides, it is never repeated.
  /// - Parameters:
  ///   - method: the method of the request.
  ///   - subject: the URL, without secrets.
  ///   - reason: what ended it.
  ///   - job: its number; `nil` if there is no job.
  public static func unanswered(
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
