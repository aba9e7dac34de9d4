// Translates the sections [host."…"] of the configuration into rules.

internal import DrayDocuments
internal import DrayKit
internal import Posix

enum HostSections {
  /// Reads all these sections.
  /// - Throws: Kind `usage` with the file, the line and the key.
  static func rules(_ document: ConfigurationDocument, _ paths: ValuePaths) throws(Failure) -> HostRules {
    let place: (Int) -> String = { "\(TextSafety.escaped(paths.file)):\($0)" }
    var rules: [HostRules.Rule] = []
    for heading in document.headings {
      guard case .host(let text) = heading.section else { continue }
      let pattern: HostPattern
      do throws(HostPatternError) { pattern = try HostPattern.parse(text) } catch {
        let shown = OptionValue.quote(URLRedaction.redacted(text))
        throw OptionValue.bad("\(place(heading.line)): [host.\(shown)]", error.message)
      }
      var reader = Reader(paths: paths)
      for entry in document.entries where entry.section == heading.section {
        try reader.take(entry, "\(place(entry.line)): \(TextSafety.escaped(entry.key))")
      }
      rules.append(HostRules.Rule(pattern, try reader.settings(place(heading.line))))
    }
    // A key directly below [host] belongs to no host and is an error.
    if let stray = document.entries.first(where: { $0.section == .host("") }) {
      throw OptionValue.bad(
        "\(place(stray.line)): \(TextSafety.escaped(stray.key))",
        "it does not belong to a host: write [host.\"example.org\"] above it")
    }
    return HostRules(rules)
  }

  private struct Reader {
    let paths: ValuePaths
    private var found = HostSettings()
    private var user: String?
    private var password: String?

    init(paths: ValuePaths) { self.paths = paths }

    mutating func take(_ entry: ConfigurationDocument.Entry, _ place: String) throws(Failure) {
      switch entry.key {
      case "header":
        let values: [ConfigurationDocument.Value] = if case .array(let all) = entry.value { all } else { [entry.value] }
        for value in values { found.headers.append(try HeaderLine.parse(try Self.text(value, place), place)) }
      case "user": user = try Self.field(entry.value, place)
      case "password": password = try Self.field(entry.value, place)
      case "oauth2-bearer": found.bearer = try Self.field(entry.value, place)
      default:
        guard let setting = HostSettings.settings.first(where: { $0.name == entry.key }) else {
          let hint = NearestName.find(entry.key, among: HostSettings.keys).map { "did you mean \($0)?" }
          throw OptionValue.bad(
            place, "host sections have no such key; \(hint ?? "use \(HostSettings.keys.joined(separator: ", "))")")
        }
        found[setting.name] = try value(entry.value, setting, place)
      }
    }

    /// Returns the text of a setting after checking it.
    private func value(
      _ value: ConfigurationDocument.Value, _ setting: Setting, _ place: String
    ) throws(Failure) -> String {
      var text: String
      if setting.isFlag {
        guard case .boolean(let isOn) = value else { throw OptionValue.bad(place, "it must be true or false") }
        text = isOn ? "yes" : "no"
      } else {
        text = try Self.text(value, place)
        if setting.isFile { text = try file(text, place) }
      }
      var job = JobSpecification.plain
      do throws(SettingProblem) { try setting.set([text], in: &job) } catch { throw OptionValue.bad(place, error) }
      return text
    }

    func settings(_ place: String) throws(Failure) -> HostSettings {
      var settings = found
      if password != nil, user == nil {
        throw OptionValue.bad("\(place): password", "its user is missing: add user")
      }
      if let user {
        let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count > 1, password != nil {
          throw OptionValue.bad("\(place): password", "user already contains a password: keep one of them")
        }
        guard let secret = password ?? (parts.count > 1 ? parts[1] : nil) else {
          throw OptionValue.bad(
            "\(place): user", "its password is missing: add password, or write user = \"NAME:PASSWORD\"")
        }
        settings.credentials = Credentials(user: password == nil ? parts[0] : user, password: secret)
      }
      guard settings.credentials == nil || settings.bearer == nil else {
        throw OptionValue.bad("\(place): oauth2-bearer", "it cannot be combined with user: keep one of them")
      }
      return settings
    }

    private func file(_ text: String, _ place: String) throws(Failure) -> String {
      let path = paths.resolved(text, isFile: true)
      guard System.isFile(path) else {
        throw OptionValue.bad(place, "\(OptionValue.quote(path)) cannot be read: it is not a file")
      }
      return path
    }

    private static func text(_ value: ConfigurationDocument.Value, _ place: String) throws(Failure) -> String {
      guard let text = value.text else { throw OptionValue.bad(place, "it must be a string or a number") }
      return text
    }

    /// Returns a value for a header field, which must not contain control characters.
    private static func field(_ value: ConfigurationDocument.Value, _ place: String) throws(Failure) -> String {
      let text = try text(value, place)
      guard FieldRule.isValue(text) else {
        throw OptionValue.bad(place, "it contains a control character: remove it")
      }
      return text
    }
  }
}
