// Checks a whole configuration: every value is tried, for each command. An invalid value stops every command, not just
// those that would use it.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit
internal import Posix

enum ConfigurationCheck {
  /// Checks the whole configuration.
  /// - Returns: The settings of the file and the environment.
  /// - Throws: Kind `usage`, naming file, line and key, or the variable.
  static func run(_ source: ConfigurationSource) throws(Failure) -> [OptionSetting] {
    let root = CommandContext.current.root
    let file = try source.file()
    let catalog = try OptionCatalog.read(root)
    let all = try OptionSettings(file?.document, source.paths, catalog, environment: source.environment)
    if let document = file?.document {
      _ = try HostSections.rules(document, source.paths)
      _ = try RuleSections.rules(document, source.paths)
    }
    return try run(all, root)
  }

  /// Tries every value once, together with all other values of the first command that has its option.
  /// - Returns: The values.
  /// - Throws: Kind `usage`, naming the place.
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

  /// Builds a command's settings as the command would, without running it.
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
        // An operand is missing, which is no error of the configuration. No command needs more than two.
        guard operands.count < 2 else { return }
        operands.append("http://url.invalid/")
      }
    }
  }

  /// The surroundings for trying values: the system's files, but no pipe is read and no question is asked.
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

  /// These options without a browser's cookies, which are read only by commands that send them.
  fileprivate var withoutBrowser: RequestArguments {
    var copy = self
    copy.cookies.cookiesFromBrowser = nil
    return copy
  }
}
