// Decides what follows for a file when one of its connections ends. The end of an additional connection concerns only
// that connection; only the answer to the job's own request decides about the job.

/// How one of several connections ended.
package enum SegmentEnd: Sendable, Equatable {
  /// The connection fetched its whole segment, or was told to end.
  case done
  /// The answer ended early, without an error.
  case short
  /// The network or the server failed.
  case failed(Failure)
  /// The server sends the whole file of the same version although the `If-Range` is met; some networks cause this.
  case conditionRefused
  /// The server does not serve ranges.
  case notServed
  /// The server has another version (P2).
  case differs(StartOver)
  /// The overlap before the segment differs from the bytes on disk (P18).
  case parted
  /// The byte at this position differs from what the file's own server sends.
  case refuted(Int64)
  /// The answer contradicts its own head (R9, R28, H15). None of its bytes count.
  case wrong(String, brought: Segment?)
  /// The disk refused the bytes.
  case broken(Failure)
}

/// The consequences for the other connections of the file.
package enum SegmentSequel: Sendable, Equatable {
  /// Nothing follows, because other connections fetch the rest of the segment.
  case nothing
  /// The server is retried later.
  case wait(Failure)
  /// The next connection begins at the first URL and follows the redirects again.
  case followAgain(Failure)
  /// The next connection uses the other condition.
  case otherCondition
  /// No more connections are opened to the file's own server, but those that are open continue. When all have ended,
  /// one request for the remainder decides about the job.
  case alone(Failure?)
  /// The joint at the start of the segment moves back (P18).
  case moveJoint
  /// This mirror is not used again.
  case leaveMirror(because: String)
  /// The transfer ends.
  case end(Failure)
}

extension SegmentEnd {
  /// The facts about an ended connection that matter to the others.
  package struct Connection: Sendable {
    /// Whether the connection was to a mirror.
    package var isMirror = false
    /// Whether bytes from this server only count after a comparison.
    package var isUnproved = false
    /// Whether the connection began at the URL to which earlier redirects led.
    package var beganElsewhere = false
    /// Whether the connection already used `If-Match`.
    package var usedIfMatch = false
    /// Whether the connection received enough bytes to have been worth a request.
    package var broughtMuch = false
    /// Whether connections break off again and again, although each one brings new bytes.
    package var isFlowing = false
    /// Whether the server has failed too often in a row, this time included, and no other connection to it is open.
    package var isTiresome = false

    /// Creates the facts of a connection to the file's own server, at its first URL.
    package init() {}
  }

  /// Returns what follows for the other connections.
  /// - Parameter subject: The URL, without secrets, for messages.
  package func sequel(of connection: Connection, subject: String) -> SegmentSequel {
    switch self {
    case .done, .refuted: return .nothing
    case .short where connection.broughtMuch: return .nothing  // Some servers send only so much per request.
    case .short:
      let failure = Failure(
        .network, subject, "the answer ended early", advice: "\(.run) continues from there", recovery: .retry)
      return SegmentEnd.failed(failure).sequel(of: connection, subject: subject)
    // The next connection will bring more bytes.
    case .failed(let failure) where connection.isFlowing && failure.isCut: return .nothing
    case .failed(let failure):
      if connection.isMirror {
        let isLeft = failure.recovery != .retry || connection.isTiresome
        return isLeft ? .leaveMirror(because: failure.reason) : .wait(failure)
      }
      if failure.recovery == .retry { return .wait(failure) }
      // The URL to which the redirects led may have expired.
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
