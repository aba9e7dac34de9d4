// Errors of the command line in dray's own form: one line that says what was wrong and what would be right.

internal import ArgumentParser
internal import DrayKit

enum UsageText {
  /// One line out of ArgumentParser's message. What was typed may be in it, so it is escaped, and URLs lose their
  /// secrets.
  static func line(_ message: String, arguments: [String]) -> String {
    if let unknown = unknownCommand(arguments) { return unknown }
    let joined = message.split(separator: "\n").map { $0.trimmingSpaces() }.joined(separator: " ")
    var text = TextSafety.escaped(URLRedaction.redactingURLs(in: String(joined)))
    while text.hasSuffix(".") { text.removeLast() }
    let start = text.prefix(1).lowercased() + text.dropFirst()
    return "\(start); see `\(helpCommand(arguments))`"
  }

  /// What is said of an option that ends in `=`; nil where none does. ArgumentParser would take the next word for its
  /// value, which then is missing elsewhere.
  static func emptyValue(_ arguments: [String]) -> String? {
    let options = arguments.prefix { $0 != "--" }
    guard let option = options.first(where: { $0.hasPrefix("--") && $0.firstIndex(of: "=") == $0.indices.last }) else {
      return nil
    }
    let name = TextSafety.escaped(String(option.dropLast()))
    return "\(name): there is no value after the =; write \(name) '' if it is to be empty"
  }

  /// What is said of a command that does not exist; `nil` where that is not what is wrong.
  static func unknownCommand(_ arguments: [String]) -> String? {
    guard let name = arguments.first, !name.hasPrefix("-"), !names.contains(name) else { return nil }
    let shown = TextSafety.escaped(URLRedaction.redacted(String(name.prefix(60))))
    if name.contains("://") { return "\"\(shown)\" is no command; to fetch it, write `dray get URL`" }
    let hint = nearest(name).map { "did you mean `dray \($0)`?" } ?? "see `dray --help`"
    return "there is no command \"\(shown)\"; \(hint)"
  }

  /// The names of all commands, aliases among them.
  static let names: [String] =
    ["help"]
    + DrayRoot.all.flatMap { command in
      let settings = command.configuration
      return [settings.commandName ?? command._commandName] + settings.aliases
    }

  private static func helpCommand(_ arguments: [String]) -> String {
    guard let name = arguments.first, names.contains(name), name != "help" else { return "dray --help" }
    return "dray help \(name)"
  }

  /// The command that was meant, if one is near: at most a third of the letters differ.
  static func nearest(_ name: String) -> String? {
    names.map { (name: $0, distance: distance(Array(name.utf8), Array($0.utf8))) }
      .filter { $0.distance <= max(1, $0.name.utf8.count / 3) }
      .min { $0.distance < $1.distance }?.name
  }

  /// Slips between two words: letters added, left out, changed, or swapped with the next.
  static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    guard one.count < 64, other.count < 64 else { return max(one.count, other.count) }
    var before: [Int] = []
    var row = Array(0...other.count)
    for i in one.indices {
      var next = [i + 1]
      for j in other.indices {
        var cost = min(row[j + 1] + 1, next[j] + 1, row[j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { cost = min(cost, before[j - 1] + 1) }
        next.append(cost)
      }
      (before, row) = (row, next)
    }
    return row[other.count]
  }
}
