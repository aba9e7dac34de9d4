// The root of the command line, which `dray --help` shows.

internal import ArgumentParser
internal import DrayKit

struct DrayRoot: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dray",
    abstract: "Fetch files, complete and verified: queue, transfer, watch, resume.",
    discussion: """
      dray keeps a queue of jobs, one for each file. A runner (`dray get`, `dray run`) transfers them; what was \
      received is kept when it is stopped, and the next run continues there. A file appears under its name once it \
      is complete and checked, never before.

      EXAMPLES
        dray get https://example.org/big.iso        fetch now, with a bar
        dray add -i list.txt && dray run            queue a list, then transfer it
        dray list                                   the jobs and their states

      The manual page dray(1) describes exit statuses and files, dray-formats(7) the JSON formats.
      """,
    version: VersionText.text,
    subcommands: all
  )

  // GlobalOptions and RemoteHost take these options out of the command line before it is parsed, so that the options
  // may stand anywhere. They are declared here only for the help and the completions.
  @Option(
    help: ArgumentHelp("Read the configuration from this file.", valueName: "file"), completion: .file())
  var config: String?

  @Flag(help: "Read no configuration file.")
  var noConfig = false

  @Option(
    help: ArgumentHelp(
      "Use this job store: a directory, or the PostgreSQL database of many machines.",
      discussion: """
        postgresql://[USER@]HOST[:PORT]/DATABASE, as libpq reads it, with its variables (PGHOST, …) and files: a password \
        belongs into ~/.pgpass or a service file (postgresql:///?service=NAME), as others see the command line. DRAY_STORE \
        and `store =` of the configuration say the same. A path is a state directory, as in DRAY_HOME. docs/fleet.md \
        describes many machines with one queue.
        """, valueName: "store"), completion: .directory)
  var store: String?

  @Flag(
    help: ArgumentHelp(
      "With the database of many machines: let jobs use directories that only this machine has.",
      discussion: """
        Such a job is added, and transferred by runners that have this option, too: each machine keeps what it fetched. Without \
        it, directories must be on shared storage, or objects (s3://).
        """))
  var localTargets = false

  @Option(
    help: ArgumentHelp(
      "With the database of many machines: they all have this directory in common; may be repeated.",
      discussion: "File systems of the network, such as NFS, are recognized without it.", valueName: "dir"),
    completion: .directory)
  var sharedDir: [String] = []

  @Option(
    help: ArgumentHelp(
      "Run the command on this host: its queue, its files.",
      discussion: """
        Over ssh: [USER@]HOST, a name of ssh's configuration, or ssh://[USER@]HOST[:PORT]; dray must be installed there. By \
        `dray serve`: its address, http://HOST:PORT, with its secret in --secret-file FILE or DRAY_SERVE_SECRET. With \
        `cookies add`, which has an option of this name, it must come before the command.
        """, valueName: "host"))
  var host: String?

  /// Returns the command that the arguments ask for.
  ///
  /// Only the named command parses its arguments: building all commands would take longer than many of them run, and
  /// `cookies add --host` is not an option of the root. If the named command refuses its arguments, all commands are
  /// tried, which gives a better error.
  static func command(_ arguments: [String]) throws -> any ParsableCommand {
    if let name = arguments.first, let type = all.first(where: { $0.isCalled(name) }),
      let command = try? type.parseAsRoot(Array(arguments.dropFirst())), command is any DrayCommand
    {
      return command
    }
    return try parseAsRoot(arguments)
  }

  /// All commands, in the order in which the help lists them.
  static let all: [any ParsableCommand.Type] = [
    Get.self, CurlCommand.self, Add.self, FeedCommand.self, SyncCommand.self, CatalogCommand.self,
    Run.self, Serve.self, List.self, Show.self, Watch.self, Wait.self, Path.self, Open.self, Runners.self,
    Pause.self, Resume.self, Retry.self, Move.self, Remove.self, Limit.self, Queue.self, SetCommand.self, Edit.self,
    SetURL.self, Export.self, Import.self,
    Info.self, Verify.self, Clean.self, Cookies.self, Config.self, Doctor.self, LFSAgentCommand.self,
    Browser.self, BrowserHostCommand.self, DesktopOpen.self, DesktopNoticeCommand.self, Generate.self,
  ]
}

extension ParsableCommand {
  fileprivate static func isCalled(_ name: String) -> Bool {
    _commandName == name || configuration.aliases.contains(name)
  }
}
