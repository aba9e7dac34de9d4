// The configuration file that `dray config edit` creates: it contains all keys as comments, with the descriptions of
// their options.

internal import DrayKit
internal import Posix

enum ConfigurationTemplate {
  static func text(_ catalog: OptionCatalog) -> String {
    var text = """
      # Configuration of dray; see dray-config(5). Keys are the long names of options. The keys at the top apply to
      # every command that has the option, those of a section such as [get] to one command, those of [host."*.example.org"] to
      # requests to these hosts. The command line and the environment (DRAY_LIMIT_RATE for limit-rate) override this file.
      #
      # Remove the # from the lines that you want.

      """
    let names = catalog.names.filter { ConfigurationKeys.refusal($0) == nil }.sorted()
    let first = common.filter(names.contains)
    for name in first { text += key(name, catalog) }
    text += """


      # All other keys.

      # The job store: a directory, or the PostgreSQL database of many machines (every command). A file with a password must
      # be private: chmod 600.
      #\(StoreChoice.key) = "postgresql://HOST/DATABASE"

      """
    for name in names where !first.contains(name) { text += key(name, catalog) }
    return text + hosts
  }

  /// The keys that most people want to set.
  private static let common = [
    "dir", "max-concurrent-downloads", "max-connections", "limit-rate", "on-conflict", "retries", "verify", "proxy",
    "between", "on-complete",
  ]

  private static func key(_ name: String, _ catalog: OptionCatalog) -> String {
    guard let option = catalog.option(name) else { return "" }
    let users = catalog.commands(with: name).map { $0.path.joined(separator: " ") }
    let about = wrapped("\(option.abstract ?? "") (\(users.joined(separator: ", ")))").map { "# \($0)\n" }
    return "\n" + about.joined() + "#\(ConfigurationKeys.text(name)) = \(example(option))\n"
  }

  private static func example(_ option: ArgumentReference) -> String {
    if option.isFlag { return "true" }
    let value = option.defaultValue ?? option.allValues?.first ?? option.valueName ?? ""
    let quoted = "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    return option.isRepeating ? "[\(quoted)]" : quoted
  }

  private static let hosts = """

    # Requests to hosts that match a pattern. A file with secrets must be private: chmod 600.
    #[host."*.example.org"]
    #user = "NAME:PASSWORD"
    #header = ["X-Key: 7"]
    #limit-rate = "500k"

    # New jobs that a rule is for. `dray config check URL` explains which match.
    #[[rule]]
    #type = "video/*"
    #dir = "~/Videos"

    # A program that finds the files of names such as reports:2026; docs/sources.md describes it.
    #[source.reports]
    #command = ["python3", "~/.config/dray/reports.py"]

    """

  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + word.count < 100 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Creates the file, and its directory if necessary.
  /// - Throws: Kind `file`.
  static func write(_ text: String, to path: String) throws(Failure) {
    do throws(SystemError) {
      if let directory = PathText.split(path).directory { try System.makeDirectories(directory, mode: 0o700) }
    } catch {
      throw Failure(.file, TextSafety.escaped(path), "its directory cannot be created: \(error.text)")
    }
    do throws(SystemError) {
      let descriptor = try System.create(path, mode: 0o600)
      defer { System.close(descriptor) }
      try System.write(text.utf8, to: descriptor)
    } catch {
      throw Failure(.file, TextSafety.escaped(path), "it cannot be made: \(error.text)")
    }
  }
}
