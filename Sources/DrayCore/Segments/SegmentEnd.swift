// What the end of one connection means for the others of its file: an answer to an additional connection is said of that
// connection; only the job's own answer decides the job.

/// How a connection of several has ended.
public enum SegmentEnd: Sendable, Equatable {
  /// It fetched its whole segment, or was asked to leave.
  case done
  /// The answer ended early, and nothing went wrong.
  case short
  /// The network or the server failed.
  case failed(Failure)
  /// The server sends the whole of the same version to an `If-Range` that holds, as some networks do.
  case conditionRefused
  /// The server serves no ranges.
  case notServed
  /// The server has another version (P2).
  case differs(StartOver)
  /// The bytes before its segment that it repeated are not those on disk (P18).
  case parted
  /// What was compared with the file's own server, at this position, is not the same.
  case refuted(Int64)
  /// Its answer is not what it says it is (R9, R28, H15); what it brought, if anything, does not count.
  case wrong(String, brought: Segment?)
  /// The disk does not take the bytes.
  case broken(Failure)
}

/// What follows for the other connections of the file.
public enum SegmentSequel: Sendable, Equatable {
  /// Nothing: what it left is fetched by the others.
  case nothing
  /// Its server is asked again after a while.
  case wait(Failure)
  /// The next connection follows the redirects anew.
  case followAgain(Failure)
  /// The next connection uses the other condition.
  case otherCondition
  /// No more connections are opened to the file's own server while others fetch the file. What is missing when they
  /// have ended is asked for once more, alone, and that answer is the job's.
  case alone(Failure?)
  /// The joint at its beginning moves back (P18).
  case moveJoint
  /// This mirror is left, for good.
  case leaveMirror(because: String)
  /// The transfer ends.
  case end(Failure)
}

extension SegmentEnd {
  /// The connection that ended, as far as it matters for the others.
  public struct Connection: Sendable {
    /// Whether it asked a mirror.
    public var isMirror = false
    /// Whether the bytes of its server count only after a comparison.
    public var isUnproved = false
    /// Whether it began where redirects had led before.
    public var beganElsewhere = false
    /// Whether its server was asked with `If-Match` already.
    public var usedIfMatch = false
    /// Whether it brought enough to be worth a request.
    public var broughtMuch = false
    /// Whether its server failed too often in a row, this time included.
    public var isTiresome = false

    /// A connection to the file's own server, at its first URL.
    public init() {}
  }

  /// What follows for the others.
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
      // Where redirects led may be good for a while only.
      return connection.beganElsewhere ? .followAgain(failure) : .alone(failure)
    case .conditionRefused where !connection.usedIfMatch: return .otherCondition
    case .conditionRefused, .notServed:
      return connection.isMirror ? .leaveMirror(because: "it does not support ranges") : .alone(nil)
    case .differs(let reason):
      return connection.isMirror ? .leaveMirror(because: "it differs: \(reason.text)") : .alone(nil)
    case .parted:
      return connection.isUnproved ? .leaveMirror(because: "it differs: its bytes are others") : .moveJoint
    case .wrong(let reason, _):
      return connection.isMirror ? .leaveMirror(because: reason) : .alone(nil)
    case .broken(let failure): return .end(failure)
    }
  }
}
