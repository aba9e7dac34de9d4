// The limit on concurrent jobs that the user sets for running runners (`dray limit --jobs`).

/// The number of concurrent jobs in each runner, which takes precedence over the options of the runners.
public enum JobsLimit: Sendable, Equatable, CustomStringConvertible {
  /// As many as help.
  case asManyAsHelp
  /// A fixed number.
  case fixed(Int)

  /// The numbers that are valid.
  public static let range = 1...1000

  /// Reads a number or `off`. The result is `nil` for any other text.
  public init?(_ text: String) {
    if text == "off" {
      self = .asManyAsHelp
    } else if let number = Int(text), JobsLimit.range.contains(number) {
      self = .fixed(number)
    } else {
      return nil
    }
  }

  /// The form that ``init(_:)`` reads.
  public var description: String {
    switch self {
    case .asManyAsHelp: "off"
    case .fixed(let number): "\(number)"
    }
  }

  /// The number; `nil` for as many as help.
  public var number: Int? { if case .fixed(let number) = self { number } else { nil } }
}
