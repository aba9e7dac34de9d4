// A rate limit as text.

internal import TerminalUI

enum RateText {
  static func text(_ rate: Int64?) -> String { rate.map { ByteText.rate(Double($0)) } ?? "no limit" }
}
