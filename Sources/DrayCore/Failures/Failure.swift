// The failure of a job or a command, as people, scripts and the retry policy need it.

/// A failure: what failed, for which URL or file, why, and what to do next (P11).
public struct Failure: Error, Sendable, Equatable, Codable {
  /// The kind of a failure, which determines the exit status.
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

  /// The step that can be taken without a decision of the user.
  public enum Recovery: String, Sendable, Codable {
    /// Retry later. Received bytes are kept.
    case retry
    /// Do not retry now: the attempt would fail again. Received bytes are kept.
    case keep
    /// The job did nothing wrong. It continues later: once there is space, or after some time.
    case wait
    /// The failure is final for the job's request. The part file is removed.
    case final
  }

  /// The reason why no connection could be established, for reasons that affect retries.
  public enum Obstacle: String, Sendable, Codable {
    /// The host's name could not be resolved, for an unknown reason.
    case unresolvedName
    /// The host's name does not exist.
    case unknownName
    /// Nobody listens at the port.
    case refusedPort
    /// This machine has none of the interfaces that the request must be sent from.
    case missingInterface
  }

  /// A refusal by a file system that may be due to the machine, not to the job.
  public enum StorageFault: String, Sendable, Codable {
    /// No space was left.
    case full
    /// The file would not fit.
    case short
    case readOnly
    /// An input or output error, or a mount whose server or client program is gone.
    case broken
    /// Another file system is now mounted at the path.
    case moved
  }

  /// The kind, which determines the exit status.
  public var kind: Kind
  /// The URL (without secrets) or path that failed.
  public var subject: String
  /// The reason, as a clause without a full stop.
  public var reason: String
  /// The next step for the user.
  public var advice: Advice?
  /// The status of the HTTP answer, if any.
  public var httpStatus: Int?
  /// The step that can be taken without a decision of the user.
  public var recovery: Recovery
  /// The seconds that the server asked to wait (RFC 9110 §10.2.3).
  public var retryAfter: Int64?
  /// The name of the proxy that asked to wait; `nil` if the subject's server asked.
  public var waitAskedBy: String?
  /// The reason why no connection could be established; `nil` for other failures.
  public var obstacle: Obstacle?
  /// The authentication schemes in a 401 or 407, in the server's spelling; `nil` for other failures, and if there was
  /// no challenge.
  public var offeredSchemes: [String]?

  /// The name of the runner whose attempt failed, if several machines work; `nil` on one machine.
  public var runner: String?

  /// The file system's refusal; `nil` for other failures.
  public var storage: StorageFault?

  /// The code with which a service says why it refuses, such as `GatedRepo`; `nil` if it says nothing.
  public var code: String?

  /// Whether the failure concerns every file of a name in a source, which is then the subject; `nil` means no.
  public var isOfName: Bool?

  /// The unfinished job that already has the target; `nil` for other failures.
  package var owner: TargetOwner?

  /// An unfinished job whose target another job also wants.
  package struct TargetOwner: Sendable, Equatable, Codable {
    /// The number of the job.
    package var job: Int64
    /// Whether the job is being transferred, or will be after a pause.
    package var isActive: Bool

    /// Creates an owner.
    package init(_ job: Int64, isActive: Bool) { (self.job, self.isActive) = (job, isActive) }
  }

  /// Creates a failure.
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

  /// Returns one line: subject, reason, and advice with the names of a front end.
  package func message(_ names: Advice.Names) -> String { description + (advice.map { "; " + $0.text(names) } ?? "") }

  /// Whether the job store is only unreachable, and may be reachable again later.
  public var isStoreAway: Bool { kind == .store && recovery == .wait }

  /// Whether a connection broke off for an unknown reason.
  public var isCut: Bool {
    kind == .network && recovery == .retry && httpStatus == nil && retryAfter == nil && obstacle == nil
  }

  /// The exit status for this failure.
  public var exitStatus: ExitStatus { kind.exitStatus }

  /// Returns this failure with advice that refers to a job.
  public func naming(_ id: Int64) -> Failure {
    var copy = self
    copy.advice = advice?.naming(id)
    return copy
  }

  /// This failure without the advice that needs a job.
  public var ofNoJob: Failure {
    var copy = self
    copy.advice = advice?.ofNoJob
    return copy
  }

  /// Returns this failure with the resolver's finding that the host's name does not exist.
  /// - Parameter host: The name.
  public func ofUnknownName(_ host: String) -> Failure {
    var copy = self
    (copy.obstacle, copy.reason) = (.unknownName, "the name \(TextSafety.escaped(host)) does not exist")
    copy.advice = "check the URL"
    return copy
  }

  /// Returns this failure as one of looking up a name: if its subject is a URL of the source's server, which says little
  /// to people, the name comes first.
  public func of(name: String) -> Failure {
    guard subject.contains("://") else { return self }
    var copy = self
    (copy.subject, copy.reason) = (name, "\(subject): \(reason)")
    return copy
  }

  /// Returns this failure as a failure of a named runner.
  public func of(runner: String?) -> Failure {
    var copy = self
    copy.runner = runner
    return copy
  }

  /// Returns this failure as a refusal by the file system.
  public func ofStorage(_ fault: StorageFault) -> Failure {
    var copy = self
    copy.storage = fault
    return copy
  }

  /// Returns this failure with a different recovery.
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
