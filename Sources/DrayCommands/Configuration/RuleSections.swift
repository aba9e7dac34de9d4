// Translates the sections [[rule]] of the configuration into rules for new jobs.

internal import DrayDocuments
internal import DrayKit

enum RuleSections {
  /// Reads all these sections.
  /// - Throws: Kind `usage` with the file, the line and the key.
  static func rules(_ document: ConfigurationDocument, _ paths: ValuePaths) throws(Failure) -> JobRules {
    let place: (Int) -> String = { "\(TextSafety.escaped(paths.file)):\($0)" }
    var rules: [JobRule] = []
    for heading in document.headings {
      guard case .rule = heading.section else { continue }
      var rule = JobRule(place: place(heading.line))
      for entry in document.entries where entry.section == heading.section {
        try take(entry, "\(place(entry.line)): \(TextSafety.escaped(entry.key))", paths, &rule)
      }
      if let problem = rule.problem { throw OptionValue.bad("\(rule.place): [[rule]]", problem) }
      rules.append(rule)
    }
    return JobRules(rules)
  }

  private static func take(
    _ entry: ConfigurationDocument.Entry, _ place: String, _ paths: ValuePaths, _ rule: inout JobRule
  ) throws(Failure) {
    var texts: [String] = []
    let values: [ConfigurationDocument.Value] = if case .array(let all) = entry.value { all } else { [entry.value] }
    for value in values { texts.append(try text(value, place)) }
    if entry.key == "dir" { texts = texts.map { paths.resolved($0, isFile: false) } }
    let isKnown: Bool
    do throws(SettingProblem) { isKnown = try rule.take(entry.key, texts) } catch {
      throw OptionValue.bad(place, error)
    }
    guard isKnown else {
      let hint = NearestName.find(entry.key, among: JobRule.keys).map { "did you mean \($0)?" }
      throw OptionValue.bad(
        place, "rules have no such key; \(hint ?? "use \(JobRule.keys.joined(separator: ", "))")")
    }
  }

  private static func text(_ value: ConfigurationDocument.Value, _ place: String) throws(Failure) -> String {
    if case .boolean(let isOn) = value { return isOn ? "yes" : "no" }
    guard let text = value.text else {
      throw OptionValue.bad(place, "it must be a string, a number, true or false")
    }
    return text
  }
}
