// The options of `dray browser install` and `uninstall` that choose browsers.

internal import ArgumentParser
internal import DrayDocuments

/// The browsers that options name.
enum BrowserChoice: String, EnumerableFlag {
  case chromium, chrome, brave, edge, vivaldi, firefox, librewolf, all

  var kinds: [BrowserKind] { self == .all ? BrowserKind.all : BrowserKind.all.filter { $0.name == rawValue } }

  static func help(for value: BrowserChoice) -> ArgumentHelp? {
    value == .all
      ? "All browsers that dray knows." : value.kinds.first.map { ArgumentHelp(stringLiteral: "\($0.title).") }
  }
}

struct BrowserArguments: ParsableArguments, Sendable {
  @Flag(help: "For this browser; may be repeated.")
  var browsers: [BrowserChoice] = []

  @Option(
    help: ArgumentHelp(
      "For another browser of Chromium's family: its data directory; may be repeated.", valueName: "dir"),
    completion: .directory)
  var userDataDir: [String] = []

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  /// Returns the named data directories as absolute paths.
  func directories(_ surroundings: Surroundings) -> [String] { userDataDir.map { surroundings.absolute($0) } }

  /// Returns the places of the named browsers, each once; `nil` if none is named.
  func named(_ places: BrowserPlaces, _ surroundings: Surroundings) -> [BrowserRegistration]? {
    guard !browsers.isEmpty || !userDataDir.isEmpty else { return nil }
    let others = directories(surroundings).map(places.manifest(inData:))
    var seen: Set<String> = []
    return (browsers.flatMap(\.kinds).flatMap(places.places) + others).filter { seen.insert($0.path).inserted }
  }

  func say(_ text: String) { if !quiet { Messages.print(text) } }
}
