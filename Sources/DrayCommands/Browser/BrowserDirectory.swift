// The directory that `dray browser install --dir` names for downloads. It is checked when it is typed: later only the
// browser sees what is wrong with it.

internal import DrayKit
internal import Posix

enum BrowserDirectory {
  /// Checks that the jobs of browsers may go into a directory.
  /// - Parameters:
  ///   - roots: The directories of `root` in `[serve]`; empty for no limit.
  ///   - refusal: Returns why no file can be written into a directory; `nil` if that is possible.
  /// - Returns: Its absolute path.
  /// - Throws: Kind `usage` or `file`.
  static func check(
    _ text: String, _ surroundings: Surroundings, roots: [String],
    refusal: (String) -> SystemError? = BrowserDirectory.refusal
  ) throws(Failure) -> String {
    let path = try surroundings.directory(text, "--dir")
    let shown = TextSafety.escaped(path)
    try confine(path, surroundings, roots: roots)
    guard surroundings.kind(path) == .directory else {
      throw Failure(
        .usage, "--dir", "\(shown): no such directory", advice: "create it, or name another one", recovery: .keep)
    }
    try refuseLinks(path, surroundings, roots: roots)
    if let error = refusal(path) {
      throw Failure(
        .file, shown, "no file can be written there: \(error.text)",
        advice: "change its permissions, or choose another directory with --dir", recovery: .keep)
    }
    return path
  }

  /// Checks that a directory is one of those into which the configuration lets clients put files, or below one.
  /// - Throws: Kind `usage`.
  static func confine(_ path: String, _ surroundings: Surroundings, roots: [String]) throws(Failure) {
    let allowed = self.allowed(surroundings, roots)
    guard !roots.isEmpty, allowed.place(path) == nil else { return }
    let all = allowed.roots.map { TextSafety.escaped($0) }.joined(separator: ", ")
    throw Failure(
      .usage, "--dir", "\(TextSafety.escaped(path)) is not below `root` of [serve] in the configuration",
      advice: "choose a directory below \(all), or add this one to `root`", recovery: .keep)
  }

  private static func allowed(_ surroundings: Surroundings, _ roots: [String]) -> AllowedDirectories {
    AllowedDirectories(roots.map { surroundings.withoutParents(surroundings.absolute($0)) })
  }

  /// Checks that there is no link below the root of a directory, because jobs of clients follow none there.
  /// - Throws: Kind `usage`.
  private static func refuseLinks(_ path: String, _ surroundings: Surroundings, roots: [String]) throws(Failure) {
    let allowed = self.allowed(surroundings, roots)
    guard let place = allowed.place(path), place.foreignDepth > 0 else { return }
    let parts = place.path.split(separator: "/")
    let root = surroundings.realPath("/" + parts.dropLast(place.foreignDepth).joined(separator: "/"))
    let below = parts.suffix(place.foreignDepth).joined(separator: "/")
    guard let root, let real = surroundings.realPath(path), real != PathText.join(root, below) else { return }
    let shown = TextSafety.escaped(real)
    throw Failure(
      .usage, "--dir", "\(TextSafety.escaped(path)) leads through a link below `root` of [serve] in the configuration",
      advice: allowed.place(real) == nil ? "name \(shown), and add it to `root`" : "name \(shown)", recovery: .keep)
  }

  private static func refusal(_ path: String) -> SystemError? {
    do throws(SystemError) { try System.checkWritable(path) } catch { return error }
    return nil
  }
}
