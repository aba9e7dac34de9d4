// `dray browser`: registers dray with browsers, so that its extension hands downloads over.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import Posix

struct Browser: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browser",
    abstract: "Let browsers hand downloads over to dray.",
    discussion: """
      dray's extension starts dray by native messaging: there is no port and no secret. The browser starts the \
      command `dray browser-host`, which queues the download with its cookies, and the queue is transferred by the service or \
      by a process in the background. Browsers in a sandbox (Flatpak, snap) cannot start programs; they reach `dray serve` \
      over HTTP. docs/browser.md describes both.

      EXAMPLES
        dray browser install
        dray browser install --firefox --dir ~/Downloads
        dray browser
        dray browser uninstall
      """,
    subcommands: [BrowserStatus.self, BrowserInstall.self, BrowserUninstall.self],
    defaultSubcommand: BrowserStatus.self)
}

struct BrowserStatus: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show which browsers can start dray.",
    discussion: "The exit status is 1 if none can. `dray doctor` says what is wrong.")

  func execute() async throws -> ExitStatus {
    let places = try BrowserPlaces(ProcessVariables.all)
    let found = places.registrations()
    for place in found {
      switch place.state {
      case .own: ResultOutput.standard.write("\(place.title): \(TextSafety.escaped(place.path))\n")
      case .foreign(let reason): Messages.print("\(place.title): \(place.path): \(reason)")
      case .missing: break
      }
    }
    BrowserInstall.printSandboxed(places)
    let isAny = found.contains { if case .own = $0.state { true } else { false } }
    if !isAny { Messages.print("no browser can start dray; `dray browser install` registers it") }
    return isAny ? .success : .other
  }
}

struct BrowserInstall: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Register dray with browsers.",
    discussion: """
      Without a name: with all browsers that were used here. Writes one file for each browser in the place where it looks, and a \
      script that starts this program. Again, it writes them anew where something has changed, as after a move of the program; \
      files of other programs are left alone. Then install the extension: docs/browser.md.
      """)

  @OptionGroup var selection: BrowserArguments

  @Option(
    help: ArgumentHelp("Let this extension start dray, too; may be repeated.", valueName: "id"))
  var extensionID: [String] = []

  @Option(
    name: [.customShort("d"), .long],
    help: ArgumentHelp(
      "Put downloads into this directory (default: that of `dray serve`, else ~/Downloads).", valueName: "dir"),
    completion: .directory)
  var dir: String?

  func execute() async throws -> ExitStatus {
    for id in extensionID where BrowserManifest.family(ofExtension: id) == nil {
      throw OptionValue.bad("--extension-id", "\(OptionValue.quote(id)) is not the ID of an extension")
    }
    let surroundings = try Surroundings.real()
    let places = try BrowserPlaces(surroundings.environment)
    let launcher = try launcher(surroundings)
    let wanted = selection.named(places, surroundings) ?? places.present()
    BrowserInstall.printSandboxed(places)
    guard !wanted.isEmpty else {
      Messages.print("no browser was found; name one, such as `dray browser install --firefox`")
      return .other
    }
    let installer = BrowserInstaller(places: places)
    try installer.remember(selection.directories(surroundings))
    if try installer.write(launcher) == .written { selection.say("wrote \(places.launcher)") }
    var status = ExitStatus.success
    for place in wanted {
      switch try installer.register(place, extensionID) {
      case .written: selection.say("\(place.title): wrote \(place.path)")
      case .unchanged, .removed: selection.say("\(place.title): registered already")
      case .left(let reason):
        Messages.print("\(place.title): \(place.path) was left as it is: \(reason)")
        status = .file
      }
    }
    return status
  }

  /// Returns the script. It starts this program with the queue and the configuration of this command line.
  private func launcher(_ surroundings: Surroundings) throws -> BrowserLauncher {
    guard let program = System.programPath else {
      throw Failure(.other, "dray browser install", "the system does not say which program this is")
    }
    var globals = CommandContext.current.globals
    for store in [globals.store, surroundings.environment[StoreChoice.variable]].compactMap(\.self)
    where StoreAddress.hasPassword(store) {
      throw OptionValue.bad(
        "--store", "it has a password, which would be in a file: put it into ~/.pgpass or a service file")
    }
    globals.config = globals.config.map(surroundings.absolute)
    if case .directory(let path)? = CommandContext.current.store, globals.store != nil {
      globals.store = surroundings.absolute(path)
    }
    globals.sharedDirectories = globals.sharedDirectories.map(surroundings.absolute)
    var words = globals.words
    // What the configuration says applies when the browser starts the script.
    if let dir, CommandContext.current.given.contains("dir") {
      let roots = try BrowserHostCommand.serveArguments().root
      words += ["--dir", try BrowserDirectory.check(dir, surroundings, roots: roots)]
    }
    // A browser may have another environment than this terminal.
    let names = [
      "DRAY_HOME", "DRAY_CONFIG", StoreChoice.variable, "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DOWNLOAD_DIR",
    ]
    let environment = names.compactMap { name in
      surroundings.environment[name].flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
    }
    return BrowserLauncher(program: program, words: words, environment: environment)
  }

  /// Says which browsers are in a sandbox.
  static func printSandboxed(_ places: BrowserPlaces) {
    for browser in places.sandboxed() {
      Messages.print(
        "\(browser.title) (\(browser.kind)) cannot start programs; it reaches `dray serve` over HTTP: docs/browser.md")
    }
  }
}

struct BrowserUninstall: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall", abstract: "Undo `dray browser install`.",
    discussion: """
      Without a name: for all browsers, and for the data directories that `dray browser install` was given. The script goes with the \
      last of them. Jobs and files stay.
      """)

  @OptionGroup var selection: BrowserArguments

  func execute() async throws -> ExitStatus {
    let surroundings = try Surroundings.real()
    let places = try BrowserPlaces(surroundings.environment)
    let installer = BrowserInstaller(places: places)
    var isAny = false
    for place in selection.named(places, surroundings) ?? places.registrations() {
      switch try installer.unregister(place) {
      case .removed:
        isAny = true
        selection.say("\(place.title): removed \(place.path)")
      case .left(let reason): Messages.print("\(place.title): \(place.path) was left as it is: \(reason)")
      case .written, .unchanged: break
      }
    }
    try installer.forget()
    if try installer.removeLauncher() == .removed {
      isAny = true
      selection.say("removed \(places.launcher)")
    }
    if !isAny { selection.say("nothing to remove") }
    return .success
  }
}
