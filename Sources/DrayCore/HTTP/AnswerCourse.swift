// The progress of one answer, and the decision on it. A decision that a complete head allowed is a value that only the
// end of the answer consumes: no stall, error or cut of a body that nobody needs can change it.

/// The course of one answer: its head is awaited, its body is used, or what follows it is decided. Pure: it is given the
/// time, in seconds of a clock that never goes back.
///
/// The first decision stands. Only an answer that replaces it (``supersede()``), such as when libcurl answers a challenge by
/// itself, begins another course.
public struct AnswerCourse<Decision: Sendable>: Sendable {
  private enum Stage {
    case head
    case body
    case decided(Decision, patience: Double)
  }

  private var stage = Stage.head
  /// Bytes read of a body that is not needed.
  private var passedOver: Int64 = 0
  private var isCut = false

  /// Nothing was received.
  public init() {}

  /// Whether the answer is still read; `false` only after a decision that ends it.
  public var goesOn: Bool { !isCut }

  /// Whether no final head has come, or its body is in use.
  public var isOpen: Bool { decision == nil }

  /// Whether the head is still to come.
  public var isAwaited: Bool { if case .head = stage { true } else { false } }

  /// What was decided.
  public var decision: Decision? { if case .decided(let decision, _) = stage { decision } else { nil } }

  /// Whether bytes of a body that is not needed have come.
  public var hasPassedOver: Bool { passedOver > 0 }

  /// The head is complete, and its body is needed: the body decides.
  public mutating func usesBody() {
    if case .head = stage { stage = .body }
  }

  /// The head allows a decision without the body, which is read for ``AnswerPatience/moment`` seconds and
  /// ``AnswerPatience/bytes`` bytes at most, so that the connection can be used again.
  /// - Parameters:
  ///   - length: the announced length of the body; a long one is not read.
  ///   - patience: seconds that are given instead where the body must end before something follows.
  public mutating func decide(
    _ decision: Decision, now: Double, length: Int64? = nil, patience: Double = AnswerPatience.moment
  ) {
    guard isOpen else { return }
    stage = .decided(decision, patience: now + patience)
    if let length, length > AnswerPatience.bytes, patience == AnswerPatience.moment { isCut = true }
  }

  /// Decides, and closes the connection: the rest of this answer is not needed, or may not end.
  public mutating func cut(_ decision: Decision) {
    if isOpen { stage = .decided(decision, patience: -.infinity) }
    isCut = true
  }

  /// Another answer replaces this one.
  public mutating func supersede() { self = AnswerCourse() }

  /// Bytes came of a body that is not needed.
  /// - Returns: whether they may be read; before a decision they may not.
  public mutating func passOver(_ count: Int) -> Bool {
    guard decision != nil, !isCut else { return false }
    passedOver += Int64(count)
    if passedOver > AnswerPatience.bytes { isCut = true }
    return !isCut
  }

  /// Whether a body that is not needed has had enough time: then the connection is closed.
  public mutating func hasWaited(until now: Double) -> Bool {
    guard case .decided(_, let patience) = stage else { return false }
    if now >= patience { isCut = true }
    return isCut
  }
}

/// The allowance for a body that is not needed, so that its connection can be used again: less than a new connection would
/// cost (P13).
public enum AnswerPatience {
  /// Seconds.
  public static let moment = 0.25
  /// Bytes.
  public static let bytes: Int64 = 64 << 10
}
