// All options that the configuration file and the environment set, and those of them that a command gets. The
// environment takes precedence over the file, and the section of a command over the keys at the top of the file. If an
// option can be repeated, its values from all places are combined.

internal import DrayDocuments
internal import DrayKit

struct OptionSettings {
  var file: [OptionSetting] = []
  var environment: [String: String]
  private(set) var store: StoreAddress?
  /// The rule for the directories of jobs that follows from the file.
  private(set) var reach = TargetReach()
  let catalog: OptionCatalog

  /// Checks the keys of a file.
  /// - Throws: Kind `usage` for the first key that is invalid.
  init(
    _ document: ConfigurationDocument?, _ paths: ValuePaths, _ catalog: OptionCatalog, environment: [String: String]
  ) throws(Failure) {
    self.catalog = catalog
    self.environment = environment
    guard let document else { return }
    let place: (Int) -> String = { "\(TextSafety.escaped(paths.file)):\($0)" }
    for heading in document.headings {
      guard case .command(let path) = heading.section else { continue }
      guard catalog.command(path) == nil else { continue }
      guard path != [ConfigurationDocument.ruleTable] else {
        throw OptionValue.bad(place(heading.line), "[rule] is one of several: write [[rule]]")
      }
      let tables = [ConfigurationDocument.hostTable, ConfigurationDocument.sourceTable]
      let known = catalog.commands.map { $0.path.joined(separator: ".") } + tables
      let name = path.joined(separator: ".")
      let hint = NearestName.find(name, among: known).map { "; did you mean [\($0)]?" } ?? ""
      throw OptionValue.bad(
        place(heading.line), "[\(TextSafety.escaped(name))] is not a section, as dray has no such command\(hint)")
    }
    for entry in document.entries {
      let allowed: [OptionCatalog.Command]
      switch entry.section {
      case .host, .rule, .source: continue
      case .all: allowed = catalog.commands
      case .command(let path): allowed = catalog.command(path).map { [$0] } ?? []
      }
      if entry.section == .all {
        switch entry.key {
        case StoreChoice.key:
          store = try StoreChoice.read(entry, paths, place(entry.line))
          continue
        case StoreChoice.localKey, StoreChoice.sharedKey:
          try StoreChoice.read(entry, into: &reach, paths, place(entry.line))
          continue
        default: break
        }
      }
      guard let option = allowed.lazy.compactMap({ $0.options[entry.key] }).first else {
        throw OptionSettings.unknown(entry, place(entry.line), allowed, catalog)
      }
      if let reason = ConfigurationKeys.refusal(entry.key) {
        throw OptionValue.bad("\(place(entry.line)): \(entry.key)", "it cannot be set here: \(reason)")
      }
      file.append(try OptionSetting(entry, option, paths))
    }
  }

  private static func unknown(
    _ entry: ConfigurationDocument.Entry, _ place: String, _ allowed: [OptionCatalog.Command], _ catalog: OptionCatalog
  ) -> Failure {
    let key = TextSafety.escaped(entry.key.start(60))
    if entry.section == .all, entry.key == ConfigurationDocument.ruleTable {
      return OptionValue.bad(place, "rules are sections: write each as [[rule]]")
    }
    if case .command(let path) = entry.section, let other = catalog.commands(with: entry.key).first {
      return OptionValue.bad(
        place,
        "\(key) is not an option of `dray \(path.joined(separator: " "))`; `dray \(other.path.joined(separator: " "))`"
          + " has it")
    }
    let name = entry.key.replacing("_", with: "-")
    let known = allowed.flatMap(\.options.keys).filter { ConfigurationKeys.refusal($0) == nil }
    let general = [StoreChoice.key, StoreChoice.localKey, StoreChoice.sharedKey]
    let nearest = known.contains(name) ? name : NearestName.find(name, among: known + general)
    let hint = nearest.map { "; did you mean \($0)?" } ?? "; keys are the long names of options, without dashes"
    return OptionValue.bad(place, "dray has no option \(OptionValue.quote(key))\(hint)")
  }

  /// Returns the environment variable for an option: `DRAY_LIMIT_RATE` for `--limit-rate`.
  static func variable(_ name: String) -> String {
    "DRAY_" + name.uppercased().replacing("-", with: "_").replacing(".", with: "_")
  }

  /// The environment variables that have other meanings. Those that hooks get begin with `DRAY_JOB_`.
  static let ownVariables: Set<String> = [
    "DRAY_HOME", "DRAY_CONFIG", "DRAY_PASSWORD", "DRAY_OAUTH2_BEARER", "DRAY_KEY_PASSWORD", "DRAY_PROXY_PASSWORD",
    "DRAY_SERVE_SECRET", "DRAY_SERVE_DETACHED", "DRAY_SSH", "DRAY_HOST_PROGRAM", StoreChoice.variable,
    StoreChoice.localVariable, StoreChoice.sharedVariable,
    "DRAY_LEASE",
  ]

  /// Whether the environment contains any variable that may set an option.
  static func mayMatter(_ environment: [String: String]) -> Bool {
    environment.keys.contains { isOption($0) }
  }

  static func isOption(_ variable: String) -> Bool {
    variable.hasPrefix("DRAY_") && !ownVariables.contains(variable) && !variable.hasPrefix("DRAY_JOB_")
  }

  /// Returns the settings for a command, in the order of its arguments.
  /// - Throws: Kind `usage` for an environment variable whose value is invalid.
  func settings(for command: OptionCatalog.Command) throws(Failure) -> [OptionSetting] {
    var chosen: [OptionSetting] = []
    for name in command.options.keys.sorted() where !ConfigurationKeys.isOther(name, of: command.path) {
      guard let option = command.options[name] else { continue }
      var found = file.filter { $0.name == name && $0.command == nil }
      found += file.filter { $0.name == name && $0.command == command.path }
      let variable = OptionSettings.variable(name)
      if OptionSettings.isOption(variable), let text = environment[variable] {
        found.append(try OptionSetting(variable: variable, text, name, option))
      }
      chosen += option.isRepeating ? found : Array(found.suffix(1))
    }
    return chosen
  }
}
