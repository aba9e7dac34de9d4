// How many jobs runners transfer at once, where a user says so while they run (`dray limit --jobs`).

/// A number of jobs at once that holds for all runners, regardless of what each was started with.
public enum JobsLimit: Sendable, Equatable, CustomStringConvertible {
  /// As many as help.
  case asManyAsHelp
  /// This many.
  case fixed(Int)

  /// How many there may be.
  public static let range = 1...1000

  /// Reads a number, or `off`; `nil` for anything else.
  public init?(_ text: String) {
    if text == "off" {
      self = .asManyAsHelp
    } else if let number = Int(text), JobsLimit.range.contains(number) {
      self = .fixed(number)
    } else {
      return nil
    }
  }

  /// What ``init(_:)`` reads.
  public var description: String {
    switch self {
    case .asManyAsHelp: "off"
    case .fixed(let number): "\(number)"
    }
  }

  /// The number; `nil` for as many as help.
  public var number: Int? { if case .fixed(let number) = self { number } else { nil } }
}
