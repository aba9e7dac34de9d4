// Reads the configuration and the environment for a command line if its command needs them.

internal import DrayDocuments
internal import DrayKit
internal import Posix

struct PreparedCommand {
  var settings: CommandSettings
  var context: CommandContext
  /// A message that is printed before the command runs.
  var remark: String?

  /// Reads the configuration and the environment if the command needs them.
  /// - Parameter isRefused: Whether the parser has already rejected the words as they were typed.
  /// - Throws: Kind `usage` if the configuration is invalid. With an invalid configuration, only the commands that
  ///   repair it can run.
  static func make(
    _ typed: [String], environment: [String: String], isRefused: Bool = false
  ) throws(Failure) -> PreparedCommand {
    let (globals, taken) = typed.first == "curl" ? (GlobalOptions(), typed) : try GlobalOptions.take(from: typed)
    let (words, remark) = try translated(taken)
    // Reading the catalog of options takes longer than many commands run.
    let isPlain = !isRefused && !ArgumentSyntax.isNeeded(for: words)
    let catalog = isPlain ? nil : try OptionCatalog.read(DrayRoot.self)
    var rest = words
    if let catalog { rest = try ArgumentSyntax.words(of: words, catalog) }
    var prepared = PreparedCommand(settings: CommandSettings(typed: rest), context: CommandContext(globals: globals))
    prepared.context.root = DrayRoot.self
    prepared.remark = [StoreChoice.warning(globals.store), remark].compactMap(\.self).joined(separator: "\n")
    if prepared.remark?.isEmpty ?? true { prepared.remark = nil }
    prepared.context.store = try StoreChoice.choose(globals.store, environment: environment)
    prepared.context.reach = try StoreChoice.reach(
      globals, environment: environment, currentDirectory: System.currentDirectory ?? "/")
    prepared.context.findGiven = { [settings = prepared.settings] in settings.typedNames(of: DrayRoot.self) }
    guard needsConfiguration(rest) else { return prepared }
    let place = ConfigurationPlace.locate(
      globals, environment: environment, currentDirectory: System.currentDirectory)
    let file = try ConfigurationFile.read(place)
    let takesBack = rest.contains { $0.hasPrefix("--no-") }
    guard file != nil || takesBack || OptionSettings.mayMatter(environment) else { return prepared }
    let paths = ValuePaths(file: place.path ?? "", home: environment["HOME"])
    let known = if let catalog { catalog } else { try OptionCatalog.read(DrayRoot.self) }
    let all = try OptionSettings(file?.document, paths, known, environment: environment)
    if let document = file?.document {
      prepared.context.hosts = try HostSections.rules(document, paths)
      prepared.context.jobRules = try RuleSections.rules(document, paths)
      prepared.context.sources = try SourceSections.sources(document, paths)
    }
    _ = try ConfigurationCheck.run(all, DrayRoot.self)
    prepared.context.store = prepared.context.store ?? all.store
    prepared.context.reach.add(all.reach)
    prepared.settings = try CommandSettings(typed: rest, all)
    let names = prepared.settings.options.keys
    prepared.context.given = Set(names.filter { prepared.settings.isGiven($0) })
    prepared.context.configured = Set(prepared.settings.settings.map(\.name)).subtracting(prepared.context.given)
    return prepared
  }

  /// Translates a command line of curl, and a line of URLs without a command, into a line of `dray get`. Any other line
  /// stays unchanged.
  private static func translated(_ words: [String]) throws(Failure) -> ([String], remark: String?) {
    if lacksCommand(words) { return (["get"] + words, nil) }
    if ["get", "add"].contains(words.first), words.dropFirst().first == "curl" { throw CurlLine.isAnotherCommand }
    guard words.first == "curl", words.count > 1 else { return (words, nil) }
    if words.count == 2, ["-h", "--help"].contains(words[1]) { return (["help", "curl"], nil) }
    let line = try CurlLine(words.dropFirst())
    return (["get"] + line.words, line.remark)
  }

  /// Whether a command line looks like one for curl, wget or aria2c, which have no commands: it has a URL, with options
  /// before or after it.
  private static func lacksCommand(_ words: [String]) -> Bool {
    guard let first = words.first, first.contains("://") || first.hasPrefix("-") else { return false }
    let names = UsageText(DrayRoot.all).names
    return words.contains { $0.contains("://") } && !words.contains(where: names.contains)
  }

  /// Whether a command uses the configuration. The help, the requests of a shell's completion, and the commands that
  /// show or repair the configuration do not use it.
  private static func needsConfiguration(_ typed: [String]) -> Bool {
    guard let command = typed.first, !command.hasPrefix("-") else { return false }
    let isHelp = typed.prefix { $0 != "--" }.contains { ["-h", "--help", "--version"].contains($0) }
    return !isHelp && !["config", "help", "generate"].contains(command)
  }
}
