// Adds the settings from the configuration file and the environment to a command line. These settings come before the
// words that the user typed, so the typed words take precedence. The word `--no-NAME` cancels the setting of an option.

internal import ArgumentParser
internal import DrayKit

struct CommandSettings {
  var arguments: [String]
  /// The words that the user typed, without the options that every command has.
  var typed: [String]
  /// The options that the file and the environment set for this command.
  var settings: [OptionSetting] = []
  /// The definitions of the command's options, to find those that were typed.
  var options: [String: ArgumentReference] = [:]

  init(typed: [String]) {
    self.typed = typed
    arguments = typed
  }

  /// Joins the typed words with the settings for the command.
  /// - Throws: Kind `usage` for an environment variable whose value is invalid.
  init(typed: [String], _ all: OptionSettings) throws(Failure) {
    self.init(typed: typed)
    guard let (command, count) = all.catalog.command(in: typed) else { return }
    options = command.options
    var rest: [String] = []
    var isOver = false
    var taken: Set<String> = []
    for word in typed.dropFirst(count) {
      isOver = isOver || word == "--"
      if !isOver, let name = CommandSettings.takenBack(word, command) {
        taken.insert(name)
        if command.options[name]?.isFlag == true { rest.removeAll { $0 == "--\(name)" } }
      } else {
        rest.append(word)
      }
    }
    settings = try all.settings(for: command).filter { !taken.contains($0.name) }
    arguments = typed.prefix(count) + settings.flatMap(\.arguments) + rest
  }

  /// Returns the option that a word `--no-NAME` cancels. Returns `nil` for other words, and if the command itself has
  /// an option with the name `no-NAME`.
  private static func takenBack(_ word: String, _ command: OptionCatalog.Command) -> String? {
    guard word.hasPrefix("--no-"), command.options[String(word.dropFirst(2))] == nil else { return nil }
    let name = String(word.dropFirst("--no-".count))
    return command.options[name] == nil ? nil : name
  }

  func isTyped(_ name: String) -> Bool {
    let texts = options[name]?.texts ?? ["--\(name)"]
    return typed.prefix { $0 != "--" }.contains { word in
      texts.contains { text in
        word == text
          || (text.hasPrefix("--") ? word.hasPrefix(text + "=") : word.hasPrefix(text) && !word.hasPrefix("--"))
      }
    }
  }

  /// Returns the long names of the options that were typed. Only the definition of this command is read, because
  /// reading all of them takes longer than many commands run.
  func typedNames(of root: any ParsableCommand.Type) -> Set<String> {
    var command = root
    for word in typed {
      let next = command.configuration.subcommands.first {
        $0._commandName == word || $0.configuration.aliases.contains(word)
      }
      guard let next else { break }
      command = next
    }
    guard let reference = try? CommandReference.read(command) else { return [] }
    var settings = self
    settings.options = OptionCatalog.options(of: reference)
    return Set(settings.options.keys.filter(settings.isTyped))
  }

  /// Whether an option was typed or set in the environment.
  func isGiven(_ name: String) -> Bool {
    isTyped(name)
      || settings.contains { setting in
        if case .variable = setting.source { setting.name == name } else { false }
      }
  }

  /// Adds to a failure where the option was set, if the option was not typed.
  func placing(_ failure: Failure) -> Failure {
    guard failure.kind == .usage, let setting = setting(named: failure.subject) else { return failure }
    var placed = failure
    // What follows the option in the failure is its value, such as the name of a file.
    let value = failure.subject.drop { $0 != " " }
    placed.subject = "\(setting.source.text): \(setting.name)\(value)"
    return placed
  }

  /// Returns where the option was set that a message of the parser concerns; `nil` if it was typed.
  func place(of message: String) -> String? {
    settings.first { setting in
      !isTyped(setting.name) && options[setting.name]?.texts.contains { message.contains("'\($0)") } == true
    }.map { "\($0.source.text): \($0.name)" }
  }

  private func setting(named subject: String) -> OptionSetting? {
    settings.last { setting in
      !isTyped(setting.name)
        && (options[setting.name]?.texts ?? []).contains { text in
          subject == text || subject.hasPrefix(text + " ")
        }
    }
  }
}
