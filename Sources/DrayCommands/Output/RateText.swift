// A rate limit as text.

internal import TerminalUI

/// A rate limit for people.
enum RateText {
  static func text(_ rate: Int64?) -> String { rate.map { ByteText.rate(Double($0)) } ?? "no limit" }
}
