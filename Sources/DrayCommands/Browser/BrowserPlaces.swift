// The files by which browsers find dray: which exist, and which of them are dray's own.

internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import Posix

struct BrowserPlaces: Sendable {
  let home: String
  let configuration: String
  /// The absolute path of the script that browsers start.
  let launcher: String
  /// The absolute path of the list of data directories (``BrowserDirectories``). It is beside the script, because all
  /// state directories of a user share the script.
  let directories: String

  /// - Throws: Kind `usage` if the home directory is not known.
  init(_ environment: [String: String]) throws(Failure) {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard let home = absolute("HOME") ?? StateDirectory.passwordDatabaseHome() else {
      throw OptionValue.bad("dray browser", "HOME is not set")
    }
    self.home = home
    configuration = absolute("XDG_CONFIG_HOME") ?? PathText.join(home, ".config")
    let data = absolute("XDG_DATA_HOME") ?? PathText.join(home, ".local/share")
    launcher = PathText.join(data, "dray/\(BrowserLauncher.fileName)")
    directories = PathText.join(data, "dray/\(BrowserDirectories.fileName)")
  }

  // MARK: What is there

  /// All manifests that exist, in the usual places and in the data directories that `install` was given.
  func registrations() -> [BrowserRegistration] {
    var seen: Set<String> = []
    return (usual + remembered.paths.map(manifest(inData:))).filter {
      $0.state != .missing && seen.insert($0.path).inserted
    }
  }

  private var usual: [BrowserRegistration] {
    BrowserKind.all.flatMap { kind in
      kind.dataDirectories(home: home, configuration: configuration).map { manifest(of: kind, in: $0) }
    }
  }

  /// The data directories that `install` was given; empty if the list cannot be read.
  var remembered: BrowserDirectories {
    (try? System.read(directories, limit: BrowserDirectories.longest)).flatMap { BrowserDirectories($0) }
      ?? BrowserDirectories()
  }

  /// Whether browsers look for a manifest in a data directory without being told.
  func isUsual(_ data: String) -> Bool { usual.contains { $0.path == manifest(inData: data).path } }

  /// The places of the browsers that were used here, by their data directories.
  func present() -> [BrowserRegistration] {
    BrowserKind.all.flatMap { kind in
      let used = kind.dataDirectories(home: home, configuration: configuration).filter { System.kind($0) == .directory }
      // Firefox looks in the usual place even if its data are in $XDG_CONFIG_HOME, as they are since version 147.
      return kind.family == .firefox && !used.isEmpty ? places(of: kind) : used.map { manifest(of: kind, in: $0) }
    }
  }

  /// The usual place of a browser, and those of its other editions that were used here.
  func places(of kind: BrowserKind) -> [BrowserRegistration] {
    let all = kind.dataDirectories(home: home, configuration: configuration)
    return all.prefix(1).map { manifest(of: kind, in: $0) }
      + all.dropFirst().filter { System.kind($0) == .directory }.map { manifest(of: kind, in: $0) }
  }

  /// The place of another browser of Chromium's family.
  /// - Parameter data: Its data directory.
  func manifest(inData data: String) -> BrowserRegistration {
    BrowserRegistration(title: data, family: .chromium, path: path(data, BrowserKind.all[0]))
  }

  private func manifest(of kind: BrowserKind, in data: String) -> BrowserRegistration {
    BrowserRegistration(title: kind.title, family: kind.family, path: path(data, kind))
  }

  private func path(_ data: String, _ kind: BrowserKind) -> String {
    PathText.join(kind.manifestDirectory(in: data), BrowserManifest.fileName)
  }

  /// The browsers in sandboxes, with the kind of sandbox.
  func sandboxed() -> [(title: String, kind: String)] {
    BrowserKind.all.flatMap { kind in
      kind.sandboxes(home: home).filter { System.kind($0.directory) == .directory }.map { (kind.title, $0.kind) }
    }
  }
}

/// The place of a manifest.
struct BrowserRegistration: Sendable, Equatable {
  enum State: Sendable, Equatable {
    case missing
    case own(BrowserManifest)
    /// Another program's file, or one that cannot be read, for this reason.
    case foreign(String)
  }

  let title: String
  let family: BrowserKind.Family
  let path: String
  let state: State

  init(title: String, family: BrowserKind.Family, path: String) {
    (self.title, self.family, self.path) = (title, family, path)
    state = BrowserRegistration.state(path)
  }

  /// Creates a place in a known state, for tests.
  init(title: String, family: BrowserKind.Family, path: String, state: State) {
    (self.title, self.family, self.path, self.state) = (title, family, path, state)
  }

  /// Whether a browser starts a script by this manifest.
  func starts(_ launcher: String) -> Bool {
    if case .own(let manifest) = state { manifest.path == launcher } else { false }
  }

  private static func state(_ path: String) -> State {
    switch System.kind(path) {
    case .missing: return .missing
    case .file: break
    case .directory, .other: return .foreign("it is not a file")
    case .unreadable(let error): return .foreign(error.text)
    }
    do throws(SystemError) {
      let bytes = try System.read(path, limit: BrowserManifest.longest)
      return BrowserManifest(bytes).map { .own($0) } ?? .foreign("another program wrote it")
    } catch {
      return .foreign(error.text)
    }
  }
}
