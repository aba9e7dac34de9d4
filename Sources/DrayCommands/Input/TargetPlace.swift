// The place of a job's file, decided from the command line.

internal import DrayKit
internal import Posix

/// The place of a job's file.
struct TargetPlace: Equatable {
  /// The directory.
  var place: DirectoryPlace
  /// The name, if the user gave one.
  var name: String?

  /// The absolute path of the directory.
  var directory: String { place.path }

  init(place: DirectoryPlace, name: String?) { (self.place, self.name) = (place, name) }

  /// Whether a text is a form rather than a path: `name=x&y=1`.
  private static func isForm(_ text: String) -> Bool {
    let first = text.prefix { $0 != "/" }
    return first.contains("=") || text.contains("&") && !text.hasPrefix("/")
  }

  /// Decides from `-d` and `-o`. A relative `-o` is below the directory, an absolute one is independent of it.
  /// - Parameters:
  ///   - isForeign: Whether `output` comes from a list or a document. Such a path must stay below the directory, and
  ///     links in it are not followed (P6).
  ///   - kind: Returns the kind of a path.
  ///   - resolve: Returns an absolute path without `..`.
  /// - Throws: kind `usage`, naming the option by `names`.
  init(
    dir: String?, output: String?, base: String, names: (dir: String, output: String) = ("--dir", "--output"),
    isForeign: Bool = false, kind: (String) -> System.Kind = { _ in .directory }, resolve: (String) -> String
  ) throws(Failure) {
    if let dir, dir.isEmpty { throw OptionValue.bad(names.dir, "it is empty: name a directory") }
    // -d is curl's --data.
    if let dir, !isForeign, TargetPlace.isForm(dir), kind(PathText.absolute(dir, from: base)) == .missing {
      throw OptionValue.bad(
        names.dir, "\(OptionValue.quote(dir)) is not a directory, and looks like data to send",
        advice: "did you mean --data? `mkdir` makes a directory of that name")
    }
    let directory = resolve(PathText.absolute(dir ?? "", from: base))
    place = DirectoryPlace(directory)
    guard let output else { return }
    let parts = PathText.split(output)
    guard !output.isEmpty, !parts.name.isEmpty, parts.name != ".", parts.name != ".." else {
      throw OptionValue.bad(
        names.output, "\(OptionValue.quote(output)) names no file: -d names a directory, -o a file")
    }
    guard parts.name.utf8.count <= 255 else {
      throw OptionValue.bad(names.output, "the name has \(parts.name.utf8.count) bytes: at most 255 are possible")
    }
    if isForeign, output.hasPrefix("/") || output.split(separator: "/").contains("..") {
      throw OptionValue.bad(
        names.output, "\(OptionValue.quote(output)) leads out of the directory",
        advice: "write a path below it; use dir= for another directory")
    }
    if let prefix = parts.directory {
      if dir != nil, prefix.hasPrefix("/") {
        throw OptionValue.bad(
          names.output, "an absolute path conflicts with \(names.dir): omit one")
      }
      let whole = resolve(PathText.absolute(prefix, from: directory))
      let below = prefix.split(separator: "/").count { $0 != "." }
      place = DirectoryPlace(whole, foreignDepth: isForeign ? below : 0)
    }
    name = parts.name
  }
}
