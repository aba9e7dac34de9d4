// What one check of `dray doctor` came to.

internal import DrayKit
internal import DrayWire

/// What one check came to.
struct Finding: Equatable, Sendable {
  enum Level: String, Sendable {
    /// As it should be.
    case good
    /// Downloads work, with less than there could be.
    case limited
    /// Downloads fail, or are at risk.
    case bad
  }

  /// What was looked at, in a word.
  let check: String
  let level: Level
  /// What is there.
  let message: String
  /// What to do.
  var advice: String?

  init(_ check: String, _ level: Level, _ message: String, advice: String? = nil) {
    (self.check, self.level, self.message, self.advice) = (check, level, message, advice)
  }

  /// One line of text.
  var line: String {
    let text = TextSafety.escaped(message + (advice.map { "; " + $0 } ?? ""))
    return "\(level.rawValue.padded(to: 7))  \(check.padded(to: 12))  \(text)"
  }

  /// One line of JSON.
  var json: JSONText {
    var json = JSONText()
    json.object { json in
      json.field("check", check)
      json.field("level", level.rawValue)
      json.field("message", message)
      json.field("advice", advice)
    }
    json.endLine()
    return json
  }
}

extension String {
  /// This text with spaces after it.
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
