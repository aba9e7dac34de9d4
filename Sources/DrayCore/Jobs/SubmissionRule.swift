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
  ///   - subject: the URL, without secrets.
  ///   - now: seconds since 1970, for a `Retry-After` that is a date.
  public static func action(on head: ResponseHead, subject: String, now: Int64) -> Action {
    switch head.status {
    case 204, 205:
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
