// `dray serve`: a runner that stays, and answers clients over HTTP.

internal import ArgumentParser
internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Posix

struct Serve: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Transfer the queue, and answer aria2's clients and browsers.",
    discussion: """
      Transfers the queue like `dray run --wait`, and listens: for clients of aria2 (JSON-RPC over HTTP and WebSocket at \
      /jsonrpc, XML-RPC at /rpc), and for browsers, which find a page at /. All other commands work beside it: what \
      `dray add` queues begins at once. There is one service for each state directory.

      Clients over TCP need the secret, which is created at the first start; the socket in the state directory is for its owner, \
      and needs none. At the start a link is printed that opens the page once; --link prints another. Clients cannot write outside the directories that are allowed, nor read files, choose a proxy or run commands.

      EXAMPLES
        dray serve --root ~/Downloads
        dray serve --detach && dray serve --status
        dray serve --show-secret
        dray serve --listen '*:6800' --secret-file ~/.config/dray/secret
        dray serve --install
      """)

  @Flag(help: "Start in the background, and return when it listens.")
  var detach = false

  @Flag(help: "Say whether it runs, and where it listens; status 1 if it does not.")
  var status = false

  @Flag(help: "With --status: print JSON.")
  var json = false

  @Flag(help: "End it after a clean checkpoint, and wait for that.")
  var stop = false

  @Flag(help: "Print the secret that clients need.")
  var showSecret = false

  @Flag(help: "Print a link that opens the page of the running service, once, within an hour.")
  var link = false

  @Flag(help: "Make it a service of systemd for this user, with a secret of its own, and start it.")
  var install = false

  @Flag(help: "Undo --install; the secret stays.")
  var uninstall = false

  @OptionGroup(title: "Listeners") var access: ServeArguments
  @OptionGroup(title: "Run options") var run: RunArguments
  @OptionGroup var window: WindowArguments
  @OptionGroup(title: "Hook options") var hooks: HookArguments

  func checkSettings(_ surroundings: Surroundings) throws {
    var options = try run.options()
    try window.apply(to: &options)
    _ = try run.endAction(endless: "a service does not end")
    _ = try hooks.runHooks()
  }

  func validate() throws {
    guard [detach, status, stop, showSecret, link, install, uninstall].count(where: \.self) < 2 else {
      throw ValidationError(
        "--detach, --status, --stop, --show-secret, --link, --install and --uninstall exclude each other.")
    }
    guard !json || status else { throw ValidationError("--json is for --status.") }
  }

  func execute() async throws -> ExitStatus {
    let home = try Store.user().home
    if !uninstall { try home.checkPath() }
    if status { return ServiceReport.status(ServiceLock.look(home), isJSON: json) }
    if stop { return try await ServiceReport.stop(home) }
    if showSecret { return try secretOnly(home) }
    if link { return try freshLink(home) }
    if uninstall { return try ServiceInstaller().uninstall() }
    let surroundings = try Surroundings.real()
    try checkSettings(surroundings)
    if install {
      let isSaid = access.secretFile != nil || access.noSecret
      return try ServiceInstaller().install(try words(home), hasSecret: isSaid)
    }
    var setup = try ServiceSetup.make(access, surroundings, home: home)
    var options = try run.options(waits: true)
    try window.apply(to: &options)
    options.hooks = try hooks.runHooks()
    let preparation = try ServedConfiguration.preparation(surroundings)
    if setup.rule.directories.haveObjects {
      setup.rule.directories.access = try ServedConfiguration.access(surroundings)
    }
    if detach, !Detachment.isDetached { return try Detachment.start(home) }
    return try await ServeSession(setup, options, preparation, home: home).run()
  }

  /// Prints the secret of the running service. If no service is running, prints the secret that the next one will use.
  private func secretOnly(_ home: StateDirectory) throws(Failure) -> ExitStatus {
    let place: SecretPlace
    if access.secretFile == nil, case .running(let record) = ServiceLock.look(home) {
      place = try SecretPlace.of(record, ProcessVariables.all)
    } else {
      place = try ServiceSetup.secret(access, ProcessVariables.all, home, hasTCP: true)
    }
    ResultOutput.standard.write(try place.text() + "\n")
    return .success
  }

  /// Prints a link that opens the page of the running service.
  private func freshLink(_ home: StateDirectory) throws(Failure) -> ExitStatus {
    guard case .running(let record) = ServiceLock.look(home) else {
      throw Failure(.other, "--link", "dray serve does not run", advice: "start it with dray serve --detach")
    }
    ResultOutput.standard.write(try ServiceMemory(home).link(record) + "\n")
    return .success
  }

  /// Returns the words of this command line for a systemd unit, without `--install`.
  private func words(_ home: StateDirectory) throws(Failure) -> [String] {
    _ = try ServiceSetup.make(access, try Surroundings.real(), home: home)
    return System.arguments.dropFirst().filter { $0 != "--install" }
  }
}
