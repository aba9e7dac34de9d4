// Writes the settings of a job as lines `key = value` for an editor, and finds out what the user changed there. The
// code in this file has no effects outside its values.

internal import DrayKit
internal import DrayWire

struct EditedJob {
  private struct Entry {
    var setting: Setting
    var visible: [String]
    /// The values that the text does not contain: secrets, and values that do not fit into a line.
    var hidden: [String]
  }

  private let entries: [Entry]

  /// - Parameters:
  ///   - job: The specification of the job, with the jobs that it waits for.
  ///   - reveals: Whether the text contains secrets.
  init(_ job: JobSpecification, reveals: Bool) {
    entries = Setting.all.filter(\.isTyped).map { setting in
      var entry = Entry(setting: setting, visible: [], hidden: [])
      for value in setting.values(job) {
        let fits = FieldRule.isValue(value)
        if fits, reveals || !setting.isSecret(value) { entry.visible.append(value) } else { entry.hidden.append(value) }
      }
      return entry
    }
  }

  /// Returns the text for the editor.
  /// - Parameter heading: Lines that describe the job, without `#`.
  func text(_ heading: [String]) -> String {
    var lines = heading.map { "# \($0)" }
    lines += [
      "# One setting per line: KEY = VALUE. Remove a line, or its value, to remove the setting; a setting that may be",
      "# repeated has one line for each value. `dray add --help` describes the settings.", "",
    ]
    for entry in entries {
      for value in entry.visible { lines.append("\(entry.setting.name) = \(value)") }
      if !entry.hidden.isEmpty {
        let names =
          entry.setting.name == "header" ? " (\(entry.hidden.map(SettingWords.fieldName).joined(separator: ", ")))" : ""
        lines.append(
          "# \(entry.setting.name)\(names): not shown (--reveal shows it); it is kept unless a line here replaces it")
      }
    }
    let unset = entries.filter { $0.visible.isEmpty && $0.hidden.isEmpty }.map(\.setting.name)
    lines += ["", "# Not set:"]
    var line = "#"
    for name in unset {
      if line.utf8.count + name.utf8.count > 100 {
        lines.append(line)
        line = "#"
      }
      line += " \(name)"
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }

  /// Returns the settings that the user changed in a text.
  /// - Throws: Kind `usage` with the number of the line.
  func changes(in text: String) throws(Failure) -> [GivenSetting] {
    var lines: [String: [String]] = [:]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = String(line.trimmingSpaces())
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let place = "line \(index + 1)"
      guard let mark = line.firstIndex(of: "=") else {
        throw OptionValue.bad(place, "this is not a setting: write KEY = VALUE")
      }
      let name = String(line[..<mark].trimmingSpaces())
      guard let setting = Setting.named(name), setting.isTyped else {
        let nearest = NearestName.find(name, among: Setting.typed.map(\.name))
        throw OptionValue.bad(
          place, "\(OptionValue.quote(name)) is not a setting of a job",
          advice: nearest.map { "did you mean \($0)?" } ?? "write a # before it, or remove the line")
      }
      guard setting.isList || lines[name] == nil else {
        throw OptionValue.bad(place, "\(name) is given twice, but has one value")
      }
      lines[name, default: []].append(String(line[line.index(after: mark)...].trimmingSpaces()))
    }
    return entries.compactMap { EditedJob.change($0, lines[$0.setting.name]) }
  }

  private static func change(_ entry: Entry, _ lines: [String]?) -> GivenSetting? {
    let name = entry.setting.name
    guard let lines else {
      // The user could remove only the values in the text, so the hidden ones are kept.
      return entry.visible.isEmpty ? nil : GivenSetting(name: name, values: entry.hidden)
    }
    let values = lines.filter { !$0.isEmpty }
    if values.isEmpty {
      return entry.visible.isEmpty && entry.hidden.isEmpty ? nil : GivenSetting(name: name, values: [])
    }
    if values == entry.visible.map({ String($0.trimmingSpaces()) }) { return nil }
    guard entry.setting.isList else { return GivenSetting(name: name, values: values) }
    let names = Set(values.map(SettingWords.fieldName))
    let kept = entry.hidden.filter { name != "header" || !names.contains(SettingWords.fieldName($0)) }
    return GivenSetting(name: name, values: values + kept)
  }
}
