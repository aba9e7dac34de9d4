// The configuration as `dray config` looks at it: with all commands in view, and with every value tried.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit

/// Where the configuration of this process is to be found.
struct ConfigurationSource {
  var place: ConfigurationPlace
  var environment: [String: String]

  /// That of the command that runs.
  static func current() -> ConfigurationSource {
    let environment = ProcessVariables.all
    return ConfigurationSource(
      place: ConfigurationPlace.locate(
        CommandContext.current.globals, environment: environment, currentDirectory: System.currentDirectory),
      environment: environment)
  }

  /// The path of the file.
  /// - Throws: kind `usage` where there is none.
  func requiredPath() throws(Failure) -> String {
    if let path = place.path { return path }
    throw OptionValue.bad(
      "the configuration", "there is no place for it: --no-config was given, or HOME is not set",
      advice: "name the file with --config")
  }

  var isPresent: Bool { place.path.map { System.kind($0) == .file } ?? false }

  var paths: ValuePaths { ValuePaths(file: place.path ?? "", home: environment["HOME"]) }

  /// The file, if it is there.
  func file() throws(Failure) -> ConfigurationFile? {
    var place = place
    // A file that was named and is not there yet is shown as empty, and made by `edit`.
    if let path = place.path, System.kind(path) == .missing { place.isNamed = false }
    return try ConfigurationFile.read(place)
  }
}

enum ConfigurationCheck {
  /// Checks all of the configuration.
  /// - Returns: what the file and the environment set.
  /// - Throws: kind `usage`, naming file, line and key, or the variable.
  static func run(_ source: ConfigurationSource) throws(Failure) -> [OptionSetting] {
    let file = try source.file()
    let catalog = try OptionCatalog.read()
    let all = try OptionSettings(file?.document, source.paths, catalog, environment: source.environment)
    if let document = file?.document { _ = try HostSections.rules(document, source.paths) }
    var found: [OptionSetting] = all.file
    for command in catalog.commands {
      let settings = try CommandSettings(typed: command.path, all)
      for setting in settings.settings where !found.contains(setting) { found.append(setting) }
      do throws(Failure) { try tryOut(settings) } catch { throw settings.placing(error) }
    }
    return found
  }

  /// Makes of a command's options what the command would make of them; nothing is run.
  private static func tryOut(_ settings: CommandSettings) throws(Failure) {
    guard !settings.settings.isEmpty, let name = settings.typed.first else { return }
    let needsURL = ["get", "add", "info"].contains(name)
    let parsed: any ParsableCommand
    do {
      parsed = try DrayRoot.parseAsRoot(settings.arguments + (needsURL ? ["http://url.invalid/"] : []))
    } catch {
      let message = DrayRoot.message(for: error)
      // What is missing was not typed, and is no matter of the configuration.
      guard let place = settings.place(of: message) else { return }
      throw OptionValue.bad(place, UsageText.line(message, arguments: settings.typed))
    }
    let surroundings = try Surroundings.real()
    switch parsed {
    case let get as Get:
      _ = try SpecificationList(get.job, get.request, surroundings)
      _ = try get.run.options()
    case let add as Add: _ = try SpecificationList(add.job, add.request, surroundings)
    case let run as Run: _ = try run.run.options()
    case let info as Info: _ = try RequestTemplate(info.request, surroundings)
    default: break
    }
  }
}
