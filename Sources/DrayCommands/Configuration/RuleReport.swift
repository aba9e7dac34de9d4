// What the rules of the configuration mean for a URL, as text: which match, which do not, and why.

internal import DrayKit

enum RuleReport {
  /// Returns the lines about a URL.
  static func lines(_ url: RequestURL, _ facts: RuleFacts, _ rules: JobRules) -> [String] {
    var lines = ["\(url)", "  \(words(facts))"]
    for rule in rules.rules { lines.append("  \(rule.place): \(words(rule, facts))") }
    let chosen = rules.chosen(for: facts)
    lines += chosen.map { "  \($0.name) = \(TextSafety.escaped($0.text)) (\($0.place))" }
    if chosen.isEmpty { lines.append(rules.rules.isEmpty ? "  there are no rules" : "  no rule applies") }
    return lines
  }

  /// Returns `host example.org, name a.iso, type application/zip by its name, size unknown`.
  private static func words(_ facts: RuleFacts) -> String {
    let size = facts.size.map { "\($0) bytes" } ?? "unknown until the server answers"
    return "host \(TextSafety.escaped(facts.origin.description)), name \(TextSafety.escaped(facts.name)), "
      + "type \(facts.type ?? "unknown"), size \(size)"
  }

  /// Returns `matches: host *.example.org, name *.iso`, or `does not match: type video/*; min-size 1G is not known`.
  private static func words(_ rule: JobRule, _ facts: RuleFacts) -> String {
    if rule.matches(facts) { return "matches: \(rule.conditions.map { words($0) }.joined(separator: ", "))" }
    let reasons = rule.conditions.compactMap { condition -> String? in
      switch condition.verdict(facts) {
      case .holds: nil
      case .fails: "\(words(condition)) differs"
      case .unknown: "\(words(condition)) needs what is unknown before the server answers"
      }
    }
    return "does not match: \(reasons.joined(separator: "; "))"
  }

  private static func words(_ condition: JobRule.Condition) -> String {
    "\(condition.key) \(condition.texts.map { TextSafety.escaped($0) }.joined(separator: " or "))"
  }
}
