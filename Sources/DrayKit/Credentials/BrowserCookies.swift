// Reads the cookies of a browser: finds the profile, and reads a private copy of its database.

package import DrayCore
internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Posix
internal import Threads

/// Cookies that another program keeps.
package enum BrowserCookies {
  /// The directories with Firefox's profiles, below the home directory: of a package, a snap and a flatpak.
  private static let places = [
    ".mozilla/firefox", ".config/mozilla/firefox", "snap/firefox/common/.mozilla/firefox",
    ".var/app/org.mozilla.firefox/.mozilla/firefox",
  ]
  private static let encrypted = [
    "brave", "chrome", "chromium", "edge", "opera", "vivaldi", "whale",
  ]

  /// Returns all cookies that have not expired. The call blocks the calling thread.
  /// - Parameters:
  ///   - text: `firefox`, or `firefox:PROFILE` with the name of a profile or the path of its directory.
  ///   - environment: The variables that show where the browser's files are.
  /// - Throws: Kind `usage` for another browser or a missing profile; kind `file`.
  package static func read(_ text: String, environment: [String: String]) throws(Failure) -> [Cookie] {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let browser = parts[0].lowercased()
    guard browser == "firefox" else {
      let name = TextSafety.escaped(parts[0].start(40))
      let reason =
        encrypted.contains(browser)
        ? "\(name) encrypts its cookies with a key of the desktop's keyring, which dray does not use"
        : "\"\(name)\" is not a browser that dray can read"
      throw bad(reason, "use firefox, or export the cookies to a file and use that with \(.cookieFile)")
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? StateDirectory.passwordDatabaseHome()
    guard let home else { throw bad("the home directory is unknown", "name the profile's directory") }
    let directory = try profile(parts.count > 1 ? parts[1] : nil, home: home)
    return try copied(PathText.join(directory, "cookies.sqlite")) { (path) throws(Failure) in
      try FirefoxCookies.read(copy: path, now: Int64(WallClock.now()))
    }
  }

  private static func profile(_ name: String?, home: String) throws(Failure) -> String {
    if let name, name.contains("/") {
      guard hasCookies(name) else {
        throw bad("no cookies.sqlite in \(TextSafety.escaped(name))", "name the directory of a profile")
      }
      return name
    }
    var known: [String] = []
    for place in places {
      let root = PathText.join(home, place)
      guard let data = FileManager.default.contents(atPath: PathText.join(root, "profiles.ini")) else { continue }
      let profiles = FirefoxProfiles(String(decoding: data, as: UTF8.self))
      known += profiles.names
      if let path = profiles.path(
        of: name, hasCookies: { hasCookies($0.hasPrefix("/") ? $0 : PathText.join(root, $0)) })
      {
        return path.hasPrefix("/") ? path : PathText.join(root, path)
      }
    }
    let names = known.map { TextSafety.escaped($0) }.joined(separator: ", ")
    throw bad(
      name.map { "Firefox has no profile \"\(TextSafety.escaped($0))\" with cookies" }
        ?? "no Firefox profile with cookies was found",
      names.isEmpty ? "name the directory of a profile: firefox:/PATH" : "there are: \(names)")
  }

  private static func hasCookies(_ directory: String) -> Bool {
    FileManager.default.fileExists(atPath: PathText.join(directory, "cookies.sqlite"))
  }

  /// Runs `body` with a copy of the database in a private directory, which is removed afterwards.
  private static func copied<T>(_ path: String, _ body: (String) throws(Failure) -> T) throws(Failure) -> T {
    let directory = PathText.join(System.temporaryDirectory, "dray.\(UUID().uuidString)")
    do throws(SystemError) { try System.makeDirectory(directory, mode: 0o700) } catch {
      throw Failure(
        .file, directory, "the temporary directory cannot be created: \(error.text)",
        advice: "set TMPDIR to a writable directory")
    }
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let copy = PathText.join(directory, "cookies.sqlite")
    do {
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      // Copy the log as well: it has changes that Firefox has not merged yet. SQLite creates the index of the log
      // again.
      if FileManager.default.fileExists(atPath: path + "-wal") {
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
      }
    } catch {
      throw Failure(
        .file, path, "the cookies of Firefox cannot be copied",
        advice: "check their permissions, and the free space in TMPDIR")
    }
    return try body(copy)
  }

  private static func bad(_ reason: String, _ advice: Advice) -> Failure {
    Failure(.usage, "the cookies of a browser", reason, advice: advice)
  }
}
