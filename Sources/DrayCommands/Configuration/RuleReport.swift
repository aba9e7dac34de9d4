// Explains in a text which rules of the configuration match a URL, and why.

internal import DrayKit

enum RuleReport {
  static func lines(_ url: RequestURL, _ facts: RuleFacts, _ rules: JobRules, _ hosts: HostRules) -> [String] {
    var lines = ["\(url)", "  \(words(facts))"]
    if let settings = hosts.settings(for: url.origin) {
      let withheld = hosts.withholdsSecrets(from: url.origin) ? "; secrets are for https only" : ""
      lines.append("  [host] sections set \(words(settings))\(withheld)")
    }
    for rule in rules.rules { lines.append("  \(rule.place): \(words(rule, facts))") }
    let chosen = rules.chosen(for: facts)
    lines += chosen.map { "  \($0.name) = \(ConfigurationKeys.shown($0.name, $0.text)) (\($0.place))" }
    let late = rules.late(for: facts, given: [], keepsDirectory: false)
    for rule in late { lines.append("  if \(rule.place) matches then: \(words(rule))") }
    if chosen.isEmpty, late.isEmpty {
      lines.append(rules.rules.isEmpty ? "  there are no rules" : "  no rule applies")
    }
    return lines
  }

  /// Returns `header X-Key, user, limit-rate = 2M`, without the values that may be secret; `nothing` if none is set.
  private static func words(_ settings: HostSettings) -> String {
    var parts = settings.headers.map { "header \($0.name)" }
    if settings.credentials != nil { parts.append("user") }
    if settings.bearer != nil { parts.append("oauth2-bearer") }
    for setting in HostSettings.settings {
      guard let text = settings[setting.name] else { continue }
      let isHidden = setting.isOfOneServer
      parts.append(isHidden ? setting.name : "\(setting.name) = \(ConfigurationKeys.shown(setting.name, text))")
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }

  /// Returns `host example.org, name a.iso, type application/zip by its name, size unknown`.
  private static func words(_ facts: RuleFacts) -> String {
    let size = facts.size.map { "\($0) bytes" } ?? "unknown until the server answers"
    return "host \(TextSafety.escaped(facts.origin.description)), name \(TextSafety.escaped(facts.name)), "
      + "type \(facts.type ?? "unknown"), size \(size)"
  }

  /// Returns `matches: host *.example.org, name *.iso`, `does not match: type video/*`, or
  /// `waits for the server's answer: min-size 1G`.
  private static func words(_ rule: JobRule, _ facts: RuleFacts) -> String {
    func all(_ verdict: JobRule.Verdict) -> String {
      rule.conditions.filter { $0.verdict(facts) == verdict }.map { words($0) }.joined(separator: ", ")
    }
    let (failing, open) = (all(.fails), all(.unknown))
    if !failing.isEmpty { return "does not match: \(failing)" }
    return open.isEmpty ? "matches: \(all(.holds))" : "waits for the server's answer: \(open)"
  }

  /// Returns a text such as `dir = /v, limit-rate = 2M`, with those settings that no earlier rule has chosen.
  private static func words(_ rule: LateRule) -> String {
    let settings = [("dir", rule.directory)] + JobRule.settings.map { ($0.name, rule.values[$0.name]) }
    return settings.compactMap { name, text in
      text.map { "\(name) = \(ConfigurationKeys.shown(name, $0))" }
    }.joined(separator: ", ")
  }

  private static func words(_ condition: JobRule.Condition) -> String {
    "\(condition.key) \(condition.texts.map { TextSafety.escaped($0) }.joined(separator: " or "))"
  }
}
