// The values that `dray config show` prints, and where each of them comes from.

internal import DrayDocuments
internal import DrayKit
internal import DrayWire
internal import TerminalUI

struct ConfigurationReport {
  /// A value that is in force.
  struct Row {
    /// The section that contains the key; `nil` for a key at the top of the file.
    var section: String?
    var name: String
    /// The value without secrets; `nil` if it is not set anywhere and has no default.
    var value: String?
    var source: SettingSource?
  }

  var rows: [Row]

  /// Collects the values that are in force.
  /// - Throws: Kind `usage` if the configuration is invalid.
  static func make(
    _ source: ConfigurationSource, _ catalog: OptionCatalog, withDefaults: Bool
  ) throws(Failure) -> ConfigurationReport {
    let file = try source.file()
    let all = try OptionSettings(file?.document, source.paths, catalog, environment: source.environment)
    var rows: [Row] = []
    var seen: [OptionSetting] = []
    for command in catalog.commands {
      for setting in try all.settings(for: command) where !seen.contains(setting) {
        seen.append(setting)
        rows.append(
          Row(
            section: setting.command?.joined(separator: "."), name: setting.name, value: setting.shown,
            source: setting.source))
      }
    }
    if let row = try storeRow(all, source, file?.document) { rows.append(row) }
    rows.sort { ($0.section ?? "", $0.name) < ($1.section ?? "", $1.name) }
    if let document = file?.document {
      _ = try HostSections.rules(document, source.paths)
      _ = try RuleSections.rules(document, source.paths)
      _ = try SourceSections.sources(document, source.paths)
      for entry in document.entries {
        let section: String
        switch entry.section {
        case .host(let pattern): section = "host.\"\(TextSafety.escaped(pattern))\""
        case .rule(let index): section = "rule \(index + 1)"
        case .source(let scheme): section = "source.\(TextSafety.escaped(scheme))"
        case .all, .command: continue
        }
        rows.append(
          Row(
            section: section, name: entry.key, value: shown(entry),
            source: .file(path: source.paths.file, line: entry.line)))
      }
    }
    if withDefaults { rows += defaults(catalog, besides: Set(seen.map(\.name))) }
    return ConfigurationReport(rows: rows)
  }

  /// Returns the row for the job store in force, which is not an option of a single command.
  private static func storeRow(
    _ all: OptionSettings, _ source: ConfigurationSource, _ document: ConfigurationDocument?
  ) throws(Failure) -> Row? {
    let variable = try StoreChoice.choose(nil, environment: source.environment)
    guard let store = variable ?? all.store else { return nil }
    let line = document?.entries.last { $0.section == .all && $0.key == StoreChoice.key }?.line ?? 0
    return Row(
      name: StoreChoice.key, value: store.shown,
      source: variable != nil ? .variable(StoreChoice.variable) : .file(path: source.paths.file, line: line))
  }

  private static func defaults(_ catalog: OptionCatalog, besides set: Set<String>) -> [Row] {
    catalog.names.subtracting(set).filter { ConfigurationKeys.refusal($0) == nil }.sorted().map { name in
      let option = catalog.option(name)
      return Row(name: name, value: option?.isFlag == true ? "false" : option?.defaultValue)
    }
  }

  private static func shown(_ entry: ConfigurationDocument.Entry) -> String {
    func text(_ value: ConfigurationDocument.Value) -> String {
      switch value {
      case .string(let text): ConfigurationKeys.shown(entry.key, text)
      case .integer(let number): ConfigurationKeys.shown(entry.key, "\(number)")
      case .float(let number): ConfigurationKeys.shown(entry.key, "\(number)")
      case .boolean(let value): "\(value)"
      case .array(let all): all.map(text).joined(separator: ", ")
      case .other(let word): word
      }
    }
    return text(entry.value)
  }

  func write(to sink: (String) -> Void) {
    let columns = [TextTable.Column("KEY"), TextTable.Column("VALUE"), TextTable.Column("FROM")]
    let cells = rows.map { row in
      [
        TextTable.Cell((row.section.map { "[\($0)] " } ?? "") + row.name), TextTable.Cell(row.value ?? "-"),
        TextTable.Cell(row.source?.text ?? "default"),
      ]
    }
    guard !rows.isEmpty else { return sink("nothing is set; `dray config show --defaults` lists all keys\n") }
    let profile = TerminalProfile.detect(isTTY: TerminalDevice.isTTY(1), environment: ProcessVariables.all)
    TextTable(columns, width: nil, profile: profile).write(cells, to: sink)
  }

  /// The rows as an array of JSON objects.
  var json: JSONText {
    var json = JSONText()
    json.beginArray()
    for row in rows {
      json.object { json in
        json.field("section", row.section)
        json.field("key", row.name)
        json.field("value", row.value)
        switch row.source {
        case .variable(let name):
          json.field("source", "environment")
          json.field("variable", name)
        case .file(let path, let line):
          json.field("source", "file")
          json.field("file", path)
          json.field("line", line)
        case nil: json.field("source", "default")
        }
      }
    }
    json.endArray()
    json.endLine()
    return json
  }
}
