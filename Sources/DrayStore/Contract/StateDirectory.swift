package import DrayCore
internal import Posix

/// The directory with the job store and the runners' files. The directory has mode 0700, and its files have mode 0600.
public struct StateDirectory: Sendable, Equatable {
  /// The absolute path.
  public var path: String

  public init(path: String) { self.path = path }

  var databasePath: String { PathText.join(path, "dray.sqlite") }
  /// The cookie jar that all jobs share, in Netscape's format.
  public var cookiesPath: String { PathText.join(path, "cookies.txt") }
  var runnersPath: String { PathText.join(path, "runners") }

  public var bodiesPath: String { PathText.join(path, "bodies") }
  /// The directory of the journals of part files.
  public var journalsPath: String { PathText.join(path, "journals") }

  /// Finds the state directory without touching it: `$DRAY_HOME`; else `$XDG_STATE_HOME/dray` if that variable is
  /// absolute (the XDG specification says to ignore relative paths); else `~/.local/state/dray`. The home directory is
  /// `$HOME`, or the one in the password database.
  /// - Throws: A failure of kind `store` if no home directory is known.
  package static func locate(
    environment: [String: String],
    passwordDatabaseHome: () -> String? = StateDirectory.passwordDatabaseHome
  ) throws(Failure) -> StateDirectory {
    if let home = environment["DRAY_HOME"], !home.isEmpty {
      if home.hasPrefix("/") { return StateDirectory(path: home) }
      if let current = System.currentDirectory { return StateDirectory(path: PathText.join(current, home)) }
    }
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return StateDirectory(path: PathText.join(state, "dray"))
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? passwordDatabaseHome()
    guard let home, home.hasPrefix("/") else {
      throw Failure(
        .store, "~/.local/state/dray",
        "HOME is not set, and the password database has no home directory for user \(System.userID)",
        advice: "set \(.stateDirectory) to a directory for dray's job store")
    }
    return StateDirectory(path: PathText.join(home, ".local/state/dray"))
  }

  /// Returns the home directory of this process's user in the password database.
  public static func passwordDatabaseHome() -> String? { System.passwordDatabaseHome() }

  /// Creates the directory, its missing parents, and the directory for runners. Existing directories stay unchanged.
  /// - Throws: A failure of kind `store` that names the path that cannot be created or written.
  package func create() throws(Failure) {
    var above = ""
    for part in path.split(separator: "/") {
      let parent = above.isEmpty ? "/" : above
      above += "/\(part)"
      try make(above, in: parent)
    }
    try checkOwner()
    try make(runnersPath, in: path)
    do {
      try System.checkWritable(path)
    } catch {
      throw unusable(path, error)
    }
  }

  /// Checks that no other user can put files into the directory, and so control this user's jobs.
  /// - Throws: A failure of kind `store` with the reason.
  package func checkOwner() throws(Failure) {
    for directory in [path, runnersPath] {
      guard let access = try? System.ownership(of: directory) else { continue }
      if access.owner != System.effectiveUserID {
        throw Failure(
          .store, directory, "the state directory is another user's (\(access.owner))",
          advice: "set \(.stateDirectory) to a directory of your own")
      }
      if access.mode & 0o022 != 0 {
        throw Failure(
          .store, directory, "others can write to the state directory (mode \(String(access.mode & 0o7777, radix: 8)))",
          advice: "look at what is in it, then `chmod go-w` it")
      }
    }
  }

  /// Creates the directory for bodies. The directory is needed only by senders of a body.
  /// - Throws: A failure of kind `store` that names the directory.
  package func createBodies() throws(Failure) { try make(bodiesPath, in: path) }

  private func make(_ directory: String, in parent: String) throws(Failure) {
    do {
      // If the parent is not synced, a power cut loses the new directory and everything in it.
      if try System.makeDirectory(directory) { System.syncDirectory(parent) }
    } catch {
      // Some file systems answer EACCES or EROFS for an existing directory.
      if (try? System.node(PathText.join(directory, "."))) != nil { return }
      throw unusable(directory, error)
    }
  }

  /// Checks that no file blocks the path of the directory, which may be missing. Creates nothing.
  /// - Throws: A failure of kind `store` that names the file.
  package func checkPath() throws(Failure) {
    do { _ = try System.node(PathText.join(path, ".")) } catch {
      if error.code == SystemError.noDirectory { throw noDirectory() }
    }
  }

  /// The failure if the path is, or leads through, something that is not a directory.
  func noDirectory() -> Failure {
    var above = ""
    for part in path.split(separator: "/") {
      above += "/\(part)"
      if (try? System.node(PathText.join(above, "."))) == nil { break }
    }
    let reason =
      above == path
      ? "the state directory is not a directory" : "it is not a directory, and the state directory would be below it"
    return Failure(.store, above, reason, advice: "set \(.stateDirectory) to a directory")
  }

  private func unusable(_ directory: String, _ error: SystemError) -> Failure {
    if error.code == SystemError.noDirectory { return noDirectory() }
    return Failure(
      .store, directory, "the state directory cannot be written: \(error.text)",
      advice: "set \(.stateDirectory) to a directory that can be written")
  }
}
