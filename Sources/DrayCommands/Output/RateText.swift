// How a limit is called.

internal import TerminalUI

/// A limit for people.
enum RateText {
  static func text(_ rate: Int64?) -> String { rate.map { ByteText.rate(Double($0)) } ?? "no limit" }
}
