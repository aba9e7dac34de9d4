// Where something below a directory is: by its parts, as the server has them, and by the names that they get here.

/// The way from a directory to something below it.
public struct TreePath: Sendable, Hashable {
  /// The longest path here, in bytes: with the directory above and the name of a part file it must be one that the system
  /// takes.
  static let longest = 3000

  /// The parts as the server has them, decoded; a byte that is not text is `%XX`. Filters look at these.
  public let components: [String]
  /// The names that the parts get here, each one that ``FileName`` allows (P6).
  public let names: [String]
  /// Whether it is a directory.
  public let isDirectory: Bool

  /// What a URL is to a directory.
  public enum Place: Sendable, Hashable {
    case below(TreePath)
    /// It is elsewhere, or the directory itself.
    case outside
    /// It is below, and cannot be put anywhere here, for this reason (printable).
    case unusable(String)
  }

  /// Where `url` is, as seen from `directory`, whose path ends with a slash.
  public static func place(of url: RequestURL, below directory: RequestURL) -> Place {
    guard url.isBelow(directory) else { return .outside }
    var parts = url.path.utf8.dropFirst(directory.path.utf8.count)
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isDirectory = parts.last?.isEmpty ?? false
    if isDirectory { parts.removeLast() }
    guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty }) else { return .unusable("a part of its path is empty") }
    var components: [String] = []
    var names: [String] = []
    for part in parts {
      let bytes = PercentEncoding.decoded(Array(part)[...])
      let component = TextSafety.decoded(bytes) { "%\(TextSafety.hex($0))" }
      // A server that decodes before it looks for directories would go elsewhere.
      guard !component.unicodeScalars.contains("/"),
        !component.unicodeScalars.split(separator: "\\", omittingEmptySubsequences: false).contains(where: {
          $0.elementsEqual("..".unicodeScalars)
        })
      else { return .unusable("a part of its path has a separator in it") }
      let name = FileName.fromURLPath(String(Substring(part)))
      guard name != FileName.fallback || component == FileName.fallback else {
        return .unusable("nothing is left of a part of its path that could be the name of a file")
      }
      components.append(component)
      names.append(name)
    }
    guard names.reduce(0, { $0 + $1.utf8.count + 1 }) <= longest else { return .unusable("its path is too long") }
    return .below(TreePath(components: components, names: names, isDirectory: isDirectory))
  }

  /// The path of the directory that it is in, below the directory of the tree; empty for that one itself.
  public var directory: String { names.dropLast().joined(separator: "/") }
  /// Its own name here.
  public var name: String { names.last ?? FileName.fallback }
  /// Its path here, below the directory of the tree.
  public var path: String { names.joined(separator: "/") }
}
