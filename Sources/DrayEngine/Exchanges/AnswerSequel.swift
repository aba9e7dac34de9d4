internal import DrayCore

/// The next steps after an answer, as far as the receiver decides them itself.
protocol AnswerSequel: Sendable {
  static var again: Self { get }
  static func fail(_ failure: Failure) -> Self
}
