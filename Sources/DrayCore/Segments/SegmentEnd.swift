// Decides what follows for a file when one of its connections ends. An answer to an additional connection concerns that
// connection only; the job's own answer decides the job.

/// The end of one of several connections.
public enum SegmentEnd: Sendable, Equatable {
  /// It fetched its whole segment, or was told to leave.
  case done
  /// The answer ended early, without an error.
  case short
  /// The network or the server failed.
  case failed(Failure)
  /// The server sends the whole of the same version to an `If-Range` that holds, as some networks do.
  case conditionRefused
  /// The server serves no ranges.
  case notServed
  /// The server has another version (P2).
  case differs(StartOver)
  /// The overlap before its segment differs from the bytes on disk (P18).
  case parted
  /// Its bytes at this position differ from those of the file's own server.
  case refuted(Int64)
  /// Its answer contradicts its own head (R9, R28, H15); none of its bytes count.
  case wrong(String, brought: Segment?)
  /// The disk refused the bytes.
  case broken(Failure)
}

/// The consequence for the other connections of the file.
public enum SegmentSequel: Sendable, Equatable {
  /// None: the others fetch the remainder.
  case nothing
  /// Its server is retried later.
  case wait(Failure)
  /// The next connection follows the redirects again.
  case followAgain(Failure)
  /// The next connection uses the other condition.
  case otherCondition
  /// No more connections are opened to the file's own server while others fetch the file. Once they have ended, one
  /// request for the remainder decides the job.
  case alone(Failure?)
  /// The joint at its beginning moves back (P18).
  case moveJoint
  /// This mirror is dropped for good.
  case leaveMirror(because: String)
  /// The transfer ends.
  case end(Failure)
}

extension SegmentEnd {
  /// The facts about an ended connection that matter for the others.
  public struct Connection: Sendable {
    /// Whether it asked a mirror.
    public var isMirror = false
    /// Whether the bytes of its server count only after a comparison.
    public var isUnproved = false
    /// Whether it began where redirects had led before.
    public var beganElsewhere = false
    /// Whether it already used `If-Match`.
    public var usedIfMatch = false
    /// Whether it brought enough bytes to be worth a request.
    public var broughtMuch = false
    /// Whether its server failed too often in a row, this time included.
    public var isTiresome = false

    /// A connection to the file's own server, at its first URL.
    public init() {}
  }

  /// Returns the consequence for the others.
  /// - Parameter subject: the URL, without secrets, for messages.
  public func sequel(of connection: Connection, subject: String) -> SegmentSequel {
    switch self {
    case .done, .refuted: return .nothing
    case .short where connection.broughtMuch: return .nothing  // Some servers send only so much at a time.
    case .short:
      let failure = Failure(
        .network, subject, "the answer ended early", advice: "\(.run) continues from there", recovery: .retry)
      return SegmentEnd.failed(failure).sequel(of: connection, subject: subject)
    case .failed(let failure):
      if connection.isMirror {
        let isLeft = failure.recovery != .retry || connection.isTiresome
        return isLeft ? .leaveMirror(because: failure.reason) : .wait(failure)
      }
      if failure.recovery == .retry { return .wait(failure) }
      // The end of the redirects may have expired.
      return connection.beganElsewhere ? .followAgain(failure) : .alone(failure)
    case .conditionRefused where !connection.usedIfMatch: return .otherCondition
    case .conditionRefused, .notServed:
      return connection.isMirror ? .leaveMirror(because: "it does not support ranges") : .alone(nil)
    case .differs(let reason):
      return connection.isMirror ? .leaveMirror(because: "it differs: \(reason.text)") : .alone(nil)
    case .parted:
      return connection.isUnproved ? .leaveMirror(because: "it differs: its bytes are not the same") : .moveJoint
    case .wrong(let reason, _):
      return connection.isMirror ? .leaveMirror(because: reason) : .alone(nil)
    case .broken(let failure): return .end(failure)
    }
  }
}
