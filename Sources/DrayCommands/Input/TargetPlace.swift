// Decides from the command line where the file of a job is stored.

internal import DrayKit
internal import Posix

struct TargetPlace: Equatable {
  var place: DirectoryPlace
  /// The name of the file; `nil` if the user gave none.
  var name: String?

  var directory: String { place.path }

  init(place: DirectoryPlace, name: String?) { (self.place, self.name) = (place, name) }

  /// Whether a text is the data of a form, such as `name=x&y=1`, and not a path.
  private static func isForm(_ text: String) -> Bool {
    let first = text.prefix { $0 != "/" }
    return first.contains("=") || text.contains("&") && !text.hasPrefix("/")
  }

  /// Refuses a URL at which no files can be stored, because it would be taken for a path.
  /// - Throws: Kind `usage` with the name of the option.
  private static func refuseURL(_ text: String, _ option: String) throws(Failure) {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".") }
    guard scheme.first?.isLetter ?? false, !ObjectPlace.isMeant(by: text) else { return }
    let (rest, name) = (text.dropFirst(scheme.count), scheme.lowercased())
    guard rest.hasPrefix("://") || name == "s3" && rest.hasPrefix(":/") else { return }
    let advice: Advice =
      switch name {
      case "file": "write its path"
      case "s3": "write s3://BUCKET/KEY"
      case "gs": "s3://BUCKET/KEY with \(.endpoint) https://storage.googleapis.com leads there"
      default: "write a path, or s3://BUCKET/KEY"
      }
    throw OptionValue.bad(option, "files cannot be stored at \(name)://", advice: advice)
  }

  /// Decides from the values of `-d` and `-o`. A relative `-o` lies below the directory; an absolute one does not
  /// depend on the directory. Both may name places in an object store.
  /// - Parameters:
  ///   - isForeign: Whether `output` comes from a list or a document. Such a path must lie below the directory, and
  ///     links in it are not followed (P6).
  ///   - kind: Returns what exists at a path.
  ///   - resolve: Returns an absolute path without `..`.
  /// - Throws: Kind `usage` with the name that `names` has for the option.
  init(
    dir: String?, output: String?, base: String, names: (dir: String, output: String) = ("--dir", "--output"),
    isForeign: Bool = false, kind: (String) -> System.Kind = { _ in .directory }, resolve: (String) -> String
  ) throws(Failure) {
    if let dir, dir.isEmpty { throw OptionValue.bad(names.dir, "it is empty: name a directory") }
    for (text, option) in [(dir, names.dir), (output, names.output)] {
      if let text { try TargetPlace.refuseURL(text, option) }
    }
    if let dir, ObjectPlace.isMeant(by: dir) {
      _ = try OptionValue.object(names.dir) { () throws(ObjectPlaceError) in try ObjectPlace(parsing: dir) }
    }
    // The user probably meant the -d of curl, which is --data.
    if let dir, !isForeign, !ObjectPlace.isMeant(by: dir), TargetPlace.isForm(dir),
      kind(PathText.absolute(dir, from: base)) == .missing
    {
      throw OptionValue.bad(
        names.dir, "\(OptionValue.quote(dir)) is not a directory, and looks like data to send",
        advice: "did you mean --data? `mkdir` makes a directory of that name")
    }
    let directory = resolve(PathText.absolute(dir ?? "", from: base))
    place = DirectoryPlace(directory)
    guard let output else { return }
    guard !ObjectPlace.isMeant(by: output) else {
      guard !isForeign else { throw TargetPlace.leadsOut(output, names.output) }
      guard dir == nil else {
        throw OptionValue.bad(names.output, "it names a place, as \(names.dir) does: omit one")
      }
      let found = try OptionValue.object(names.output) { () throws(ObjectPlaceError) in
        try ObjectPlace.object(parsing: output)
      }
      (place, name) = (DirectoryPlace(found.place.path), found.name)
      return
    }
    let parts = PathText.split(output)
    guard !output.isEmpty, !parts.name.isEmpty, parts.name != ".", parts.name != ".." else {
      throw OptionValue.bad(
        names.output, "\(OptionValue.quote(output)) names no file: -d names a directory, -o a file")
    }
    let object = ObjectPlace(directory)
    guard object != nil && !output.hasPrefix("/") || parts.name.utf8.count <= 255 else {
      throw OptionValue.bad(names.output, "the name has \(parts.name.utf8.count) bytes: at most 255 are possible")
    }
    if isForeign, output.hasPrefix("/") || output.split(separator: "/").contains("..") {
      throw TargetPlace.leadsOut(output, names.output)
    }
    if let object, !output.hasPrefix("/") {
      // In an object store, a prefix is only the start of a key, so `./x` and `../x` do not mean other places.
      _ = try OptionValue.object(names.output) { () throws(ObjectPlaceError) in try object.appending(output) }
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

  private static func leadsOut(_ output: String, _ option: String) -> Failure {
    OptionValue.bad(
      option, "\(OptionValue.quote(output)) leads out of the directory",
      advice: "write a path below it; use dir= for another directory")
  }
}
