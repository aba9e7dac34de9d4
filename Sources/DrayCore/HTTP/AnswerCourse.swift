// Follows an answer from its head to the decision about it. Once the head has led to a decision, the rest of the answer
// cannot change it: neither a stall, nor an error, nor a body that is cut off.

/// The stages of an answer: waiting for the head, using the body, decided. Time is an argument, in seconds of a
/// monotonic clock.
///
/// The first decision is final. Only an answer that replaces this one (``supersede()``) starts again from the first
/// stage, for example when libcurl answers a challenge.
package struct AnswerCourse<Decision: Sendable>: Sendable {
  private enum Stage {
    case head
    case body
    case decided(Decision, patience: Double)
  }

  private var stage = Stage.head
  /// The number of bytes that were read of a body that is not needed.
  private var passedOver: Int64 = 0
  private var isCut = false

  /// Creates a course at its start.
  package init() {}

  /// Whether the answer is read further; `false` only after a decision that ends the answer.
  package var goesOn: Bool { !isCut }

  /// Whether nothing has been decided yet.
  package var isOpen: Bool { decision == nil }

  /// Whether the head has not arrived yet.
  package var isAwaited: Bool { if case .head = stage { true } else { false } }

  /// The decision, once made.
  package var decision: Decision? { if case .decided(let decision, _) = stage { decision } else { nil } }

  /// Whether bytes of a body that is not needed have arrived.
  package var hasPassedOver: Bool { passedOver > 0 }

  /// Records that the head is complete, and that the body is needed for the decision.
  package mutating func usesBody() {
    if case .head = stage { stage = .body }
  }

  /// Decides without using the body. The body is still read for at most ``AnswerPatience/moment`` seconds and
  /// ``AnswerPatience/bytes`` bytes, so that the connection can be reused.
  /// - Parameters:
  ///   - length: The announced length of the body. Longer bodies are not read.
  ///   - patience: The seconds for which the body is read, in place of the usual time, if the next step needs its end.
  package mutating func decide(
    _ decision: Decision, now: Double, length: Int64? = nil, patience: Double = AnswerPatience.moment
  ) {
    guard isOpen else { return }
    stage = .decided(decision, patience: now + patience)
    if let length, length > AnswerPatience.bytes, patience == AnswerPatience.moment { isCut = true }
  }

  /// Decides, and ends the answer by closing the connection, because the rest is not needed or may never end.
  package mutating func cut(_ decision: Decision) {
    if isOpen { stage = .decided(decision, patience: -.infinity) }
    isCut = true
  }

  /// Starts again, for another answer that replaces this one.
  package mutating func supersede() { self = AnswerCourse() }

  /// Counts bytes of a body that is not needed.
  /// - Returns: Whether the answer is read further; `false` before a decision.
  package mutating func passOver(_ count: Int) -> Bool {
    guard decision != nil, !isCut else { return false }
    passedOver += Int64(count)
    if passedOver > AnswerPatience.bytes { isCut = true }
    return !isCut
  }

  /// Whether the time for reading a body that is not needed is over, so that the connection is closed.
  package mutating func hasWaited(until now: Double) -> Bool {
    guard case .decided(_, let patience) = stage else { return false }
    if now >= patience { isCut = true }
    return isCut
  }
}

/// How much of a body that is not needed is read, so that the connection can be reused. Beyond these limits, a new
/// connection is cheaper (P13).
package enum AnswerPatience {
  /// The time in seconds.
  package static let moment = 0.25
  /// The length in bytes.
  package static let bytes: Int64 = 64 << 10
}
