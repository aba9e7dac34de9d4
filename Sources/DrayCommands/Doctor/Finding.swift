// The result of one check of `dray doctor`.

internal import DrayKit
internal import DrayWire

struct Finding: Equatable, Sendable {
  enum Level: String, Sendable {
    /// There is no problem.
    case good
    /// Downloads work, but they are slower or have fewer features than possible.
    case limited
    /// Downloads fail or may fail.
    case bad
  }

  /// What was checked, in one word.
  let check: String
  let level: Level
  let message: String
  var advice: String?

  init(_ check: String, _ level: Level, _ message: String, advice: String? = nil) {
    (self.check, self.level, self.message, self.advice) = (check, level, message, advice)
  }

  var line: String {
    let text = TextSafety.escaped(message + (advice.map { "; " + $0 } ?? ""))
    return "\(level.rawValue.padded(to: 7))  \(check.padded(to: 12))  \(text)"
  }

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
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
