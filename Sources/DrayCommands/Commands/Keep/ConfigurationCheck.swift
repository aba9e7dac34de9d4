// Checks a whole configuration by trying every value, for each command. An invalid value stops every command, and not
// only those that would use it.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit
internal import Posix

enum ConfigurationCheck {
  /// Checks the whole configuration.
  /// - Returns: The settings in the file and in the environment.
  /// - Throws: Kind `usage` with the file, line and key, or with the name of the variable.
  static func run(_ source: ConfigurationSource) throws(Failure) -> [OptionSetting] {
    let root = CommandContext.current.root
    let file = try source.file()
    let catalog = try OptionCatalog.read(root)
    let all = try OptionSettings(file?.document, source.paths, catalog, environment: source.environment)
    if let document = file?.document {
      _ = try HostSections.rules(document, source.paths)
      _ = try RuleSections.rules(document, source.paths)
      _ = try SourceSections.sources(document, source.paths)
    }
    return try run(all, root)
  }

  /// Tries every value once, together with all other values for the first command that has the option.
  /// - Returns: The values in the configuration.
  /// - Throws: Kind `usage` with the place of the invalid value.
  static func run(_ all: OptionSettings, _ root: any ParsableCommand.Type) throws(Failure) -> [OptionSetting] {
    var found: [OptionSetting] = all.file
    var tried: [OptionSetting] = []
    for command in all.catalog.commands {
      let settings = try CommandSettings(typed: command.path, all)
      for setting in settings.settings where !found.contains(setting) { found.append(setting) }
      guard settings.settings.contains(where: { !tried.contains($0) }) else { continue }
      tried += settings.settings
      do throws(Failure) { try tryOut(settings, root) } catch { throw settings.placing(error) }
    }
    return found
  }

  /// Makes the settings of a command as the command itself would, but does not run it.
  private static func tryOut(_ settings: CommandSettings, _ root: any ParsableCommand.Type) throws(Failure) {
    var operands: [String] = []
    while true {
      do {
        guard let command = try root.parseAsRoot(settings.arguments + operands) as? any DrayCommand else { return }
        return try command.checkSettings(surroundings)
      } catch let failure as Failure {
        throw failure
      } catch {
        let message = root.message(for: error)
        if let place = settings.place(of: message) {
          throw OptionValue.bad(
            place, UsageText(root.configuration.subcommands).line(message, arguments: settings.typed))
        }
        // The error means that an operand is missing, which is not an error of the configuration. No command needs more
        // than two operands.
        guard operands.count < 2 else { return }
        operands.append("http://url.invalid/")
      }
    }
  }

  /// The surroundings in which values are tried: the files are those of the system, but no pipe is read and no question
  /// is asked.
  private static var surroundings: Surroundings {
    Surroundings(
      currentDirectory: System.currentDirectory ?? "/", environment: ProcessVariables.all, kind: System.kind,
      read: { path, limit in
        Result { () throws(SystemError) in System.isFile(path) ? try System.read(path, limit: limit) : [] }
      },
      readStandardInput: { _ in .success([]) }, askPassword: { _ in "" })
  }
}

extension JobArguments {
  func checkSettings(_ request: RequestArguments, _ surroundings: Surroundings) throws(Failure) {
    _ = try JobTemplate(self, request.withoutBrowser, surroundings)
  }
}

extension RequestArguments {
  func checkSettings(_ surroundings: Surroundings) throws(Failure) {
    _ = try RequestTemplate(withoutBrowser, surroundings)
  }

  /// The same options without the cookies of a browser, which only commands that send cookies read.
  fileprivate var withoutBrowser: RequestArguments {
    var copy = self
    copy.cookies.cookiesFromBrowser = nil
    return copy
  }
}
