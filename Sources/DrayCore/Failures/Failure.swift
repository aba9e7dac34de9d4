// What went wrong with a job or a command, in a form that people, scripts and the retry policy can use.

/// A failure: what failed, for which URL or file, why, and what to do next (P11).
public struct Failure: Error, Sendable, Equatable, Codable {
  /// The kind of a failure; it fixes the exit status.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    case other, usage, file, network, tls, authentication
    case protocolViolation = "protocol"
    case status, integrity, store

    /// The exit status of this kind.
    public var exitStatus: ExitStatus {
      switch self {
      case .other: .other
      case .usage: .usage
      case .file: .file
      case .network: .network
      case .tls: .tls
      case .authentication: .authentication
      case .protocolViolation: .protocolViolation
      case .status: .status
      case .integrity: .integrity
      case .store: .store
      }
    }
  }

  /// What may be done about a failure without asking the user.
  public enum Recovery: String, Sendable, Codable {
    /// Try again later; what was received is kept.
    case retry
    /// Trying again now would fail again; received bytes are kept.
    case keep
    /// Nothing is wrong with the job: it continues once there is space, or time has passed.
    case wait
    /// Final for what the job asks for; the part file is removed.
    case final
  }

  /// The kind, and with it the exit status.
  public var kind: Kind
  /// The URL (secrets removed) or the path that it happened to.
  public var subject: String
  /// What happened, a clause without a full stop.
  public var reason: String
  /// What to do next.
  public var advice: Advice?
  /// The status of the HTTP answer, if any.
  public var httpStatus: Int?
  /// What may be done about it.
  public var recovery: Recovery
  /// Seconds that the server asked to wait (RFC 9110 §10.2.3).
  public var retryAfter: Int64?
  /// The proxy that asked to wait, by name; `nil` if it was the server of the subject.
  public var waitAskedBy: String?

  /// Makes a failure from its parts.
  public init(
    _ kind: Kind, _ subject: String, _ reason: String, advice: Advice? = nil, httpStatus: Int? = nil,
    recovery: Recovery = .final, retryAfter: Int64? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.reason = reason
    self.advice = advice
    self.httpStatus = httpStatus
    self.recovery = recovery
    self.retryAfter = retryAfter
  }

  /// One line: subject, reason, advice with the names of a front end.
  public func message(_ names: Advice.Names) -> String { description + (advice.map { "; " + $0.text(names) } ?? "") }

  /// The exit status that this failure gives.
  public var exitStatus: ExitStatus { kind.exitStatus }

  /// This failure as one of a job, which its advice refers to.
  public func naming(_ id: Int64) -> Failure {
    var copy = self
    copy.advice = advice?.naming(id)
    return copy
  }

  /// This failure without a job: advice about one is omitted.
  public var ofNoJob: Failure {
    var copy = self
    copy.advice = advice?.ofNoJob
    return copy
  }

  /// This failure with another kind of recovery.
  public func recovering(_ recovery: Recovery) -> Failure {
    var copy = self
    copy.recovery = recovery
    return copy
  }
}

extension Failure: CustomStringConvertible {
  /// One line: subject and reason.
  public var description: String { "\(subject): \(reason)" }
}
