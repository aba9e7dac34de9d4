// The progress of an answer, and the decision on the answer. After a decision by the head, no stall, error or cut of
// the unneeded body can change the decision.

/// The course of an answer: waiting for the head, using the body, or decided. Time is an argument, in seconds of a
/// monotonic clock.
///
/// The first decision stands. Only an answer that replaces this one (``supersede()``) starts a new course, for example
/// when libcurl responds to a challenge.
public struct AnswerCourse<Decision: Sendable>: Sendable {
  private enum Stage {
    case head
    case body
    case decided(Decision, patience: Double)
  }

  private var stage = Stage.head
  /// Bytes that were read of an unneeded body.
  private var passedOver: Int64 = 0
  private var isCut = false

  /// Creates a course; nothing was received yet.
  public init() {}

  /// Whether to continue reading the answer; `false` only after a decision that ends the answer.
  public var goesOn: Bool { !isCut }

  /// Whether no decision was made yet.
  public var isOpen: Bool { decision == nil }

  /// Whether the head is still to come.
  public var isAwaited: Bool { if case .head = stage { true } else { false } }

  /// The decision, once made.
  public var decision: Decision? { if case .decided(let decision, _) = stage { decision } else { nil } }

  /// Whether bytes of an unneeded body have arrived.
  public var hasPassedOver: Bool { passedOver > 0 }

  /// Records that the complete head needs the body to decide.
  public mutating func usesBody() {
    if case .head = stage { stage = .body }
  }

  /// Decides without the body. The body is still read for at most ``AnswerPatience/moment`` seconds and
  /// ``AnswerPatience/bytes`` bytes, so that the connection can be reused.
  /// - Parameters:
  ///   - length: The announced length of the body. A long body is not read.
  ///   - patience: The seconds to read instead, if the body must end before the next step.
  public mutating func decide(
    _ decision: Decision, now: Double, length: Int64? = nil, patience: Double = AnswerPatience.moment
  ) {
    guard isOpen else { return }
    stage = .decided(decision, patience: now + patience)
    if let length, length > AnswerPatience.bytes, patience == AnswerPatience.moment { isCut = true }
  }

  /// Decides and closes the connection: the rest of this answer is not needed, or may never end.
  public mutating func cut(_ decision: Decision) {
    if isOpen { stage = .decided(decision, patience: -.infinity) }
    isCut = true
  }

  /// Starts the course of another answer, which replaces this one.
  public mutating func supersede() { self = AnswerCourse() }

  /// Counts bytes of an unneeded body.
  /// - Returns: Whether to continue reading; `false` before a decision.
  public mutating func passOver(_ count: Int) -> Bool {
    guard decision != nil, !isCut else { return false }
    passedOver += Int64(count)
    if passedOver > AnswerPatience.bytes { isCut = true }
    return !isCut
  }

  /// Whether the time for an unneeded body is over. The connection is then closed.
  public mutating func hasWaited(until now: Double) -> Bool {
    guard case .decided(_, let patience) = stage else { return false }
    if now >= patience { isCut = true }
    return isCut
  }
}

/// How much of an unneeded body to read so that the connection can be reused. Beyond these limits, a new connection is
/// cheaper (P13).
public enum AnswerPatience {
  /// The time in seconds.
  public static let moment = 0.25
  /// The length in bytes.
  public static let bytes: Int64 = 64 << 10
}
