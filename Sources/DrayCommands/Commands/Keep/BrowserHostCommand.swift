// `dray browser-host`: the program that browsers start for dray's extension.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Posix

struct BrowserHostCommand: DrayCommand {
  static let name = "browser-host"
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Take downloads from a browser, which starts this command.",
    discussion: """
      Speaks native messaging on standard input and output; it is of no use at a terminal. `dray browser install` registers it. \
      The extension may do what clients of `dray serve` may: its files go below the same directories, and the options \
      --root, --dir and --allow of `serve` in the configuration apply.
      """, shouldDisplay: false)

  @Option(
    name: [.customShort("d"), .long],
    help: ArgumentHelp("Put downloads into this directory.", valueName: "dir"), completion: .directory)
  var dir: String?

  @Flag(help: "Transfer the queue in the background. This command starts itself with it.")
  var run = false

  /// Whether a browser waits for the answers of this command line.
  static func isCalled(by words: [String]) -> Bool { words.contains(name) && !words.contains("--run") }

  func execute() async throws -> ExitStatus {
    if run {
      let home = try Store.user().home
      return try await QueueStarter(home: home).run { () async throws -> ExitStatus in
        // With the configuration of `dray run`.
        let command = try CommandContext.current.reads?(["run", "-q"]) ?? Run.parseAsRoot(["-q"])
        // A client has asked for this run, and clients do not start what the user has stopped.
        return try await (command as? Run)?.execute(continuing: .ofClients) ?? .other
      }
    }
    let host: NativeMessagingHost
    do {
      host = try self.host(Surroundings.real())
    } catch let failure as Failure {
      return await BrowserSession.refuse(failure)
    }
    return await BrowserSession.run { messages, send in await host.answer(messages, send: send) }
  }

  /// Returns the options of the service that the configuration has.
  static func serveArguments() throws -> ServeArguments {
    try (CommandContext.current.reads?(["serve"]) as? Serve)?.access ?? ServeArguments.parse([])
  }

  /// Returns the rule for what outsiders add, and the directory for it.
  func place(_ surroundings: Surroundings) throws -> (OutsideRule, directory: String) {
    let home = try Store.user().home
    var arguments = try Self.serveArguments()
    if let dir {
      try BrowserDirectory.confine(
        surroundings.withoutParents(surroundings.absolute(dir)), surroundings, roots: arguments.root)
      arguments.dir = dir
    }
    var (rule, directory) = try ServiceSetup.rule(arguments, surroundings)
    if dir == nil, case .running(let record) = ServiceLock.look(home) {
      rule.directories = AllowedDirectories(record.roots)
      directory = record.directory
    }
    return (rule, directory)
  }

  /// Returns the host that judges and carries out what outsiders ask for.
  func host(_ surroundings: Surroundings) throws -> NativeMessagingHost {
    let home = try Store.user().home
    let (usual, directory) = try place(surroundings)
    var rule = usual
    if rule.directories.haveObjects { rule.directories.access = try ServedConfiguration.access(surroundings) }
    var settings = NativeMessagingHost.Settings(
      rule: rule, directory: directory, names: .commandLine, version: DrayVersion.text,
      prepare: try ServedConfiguration.preparation(surroundings)
    ) { () throws(Failure) in try Store.open() }
    settings.look = { () async throws(Failure) in try await Store.look() }
    settings.hasService = { if case .running = ServiceLock.look(home) { true } else { false } }
    let words = CommandContext.current.globals.words
    settings.start = { manager in Self.start(manager, home, words) }
    return NativeMessagingHost(settings)
  }

  /// Makes sure that the queue is transferred. Returns the reason if it is not.
  /// - Parameter words: The options before the command.
  static func start(_ manager: DownloadManager, _ home: StateDirectory, _ words: [String]) -> String? {
    // Machines that share a queue decide by themselves when they work for it.
    manager.isShared ? nil : QueueStarter(home: home).start(words + [name, "--run"])
  }
}
