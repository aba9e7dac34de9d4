internal import DrayCore

/// The next steps after an answer that the receiver itself can decide.
protocol AnswerSequel: Sendable {
  static var again: Self { get }
  static func fail(_ failure: Failure) -> Self
}
