// The intended differences between dray's and aria2's answers (Tests/Aria2/differences.txt).

import Foundation

/// An intended difference.
struct MeantDifference {
  /// The exchanges by name, `SECTION/NAME`; `*` matches any text.
  var exchange: String
  /// Text in the difference: a path, a word; an empty text matches all.
  var part: String
  var reason: String

  func means(_ difference: String, of name: String) -> Bool {
    let parts = exchange.split(separator: "*", omittingEmptySubsequences: false)
    let fits =
      parts.count == 1
      ? name == exchange : name.hasPrefix(parts[0]) && parts.allSatisfy { $0.isEmpty || name.contains($0) }
    return fits && (part.isEmpty || difference.contains(part))
  }

  /// A line that is no difference.
  struct BadLine: Error {
    let line: Substring
  }

  /// Returns the differences of these sections in a queue in memory. compare.py reads the others.
  static func all(_ sections: [String]) throws -> [MeantDifference] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: tests.appending(path: "Aria2/differences.txt"), encoding: .utf8)
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard parts.count == 4, !parts[3].isEmpty, ["both", "live", "unit"].contains(parts[0]) else {
        throw BadLine(line: line)
      }
      let isOfSection = sections.contains { parts[1].hasPrefix("\($0)/") }
      guard isOfSection, parts[0] != "live" else { return nil }
      return MeantDifference(exchange: parts[1], part: parts[2], reason: parts[3])
    }
  }
}
