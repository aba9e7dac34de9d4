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
    let roots = roots.map { surroundings.withoutParents(surroundings.absolute($0)) }
    guard !roots.isEmpty, AllowedDirectories(roots).place(path) == nil else { return }
    let all = roots.map { TextSafety.escaped($0) }.joined(separator: ", ")
    throw Failure(
      .usage, "--dir", "\(TextSafety.escaped(path)) is not below `root` of [serve] in the configuration",
      advice: "choose a directory below \(all), or add this one to `root`", recovery: .keep)
  }

  private static func refusal(_ path: String) -> SystemError? {
    do throws(SystemError) { try System.checkWritable(path) } catch { return error }
    return nil
  }
}
