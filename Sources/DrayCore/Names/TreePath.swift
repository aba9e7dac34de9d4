/// The path from a directory to a file or directory below it.
package struct TreePath: Sendable, Hashable {
  /// The maximum length of the local path in bytes. The system must accept the local path together with the directory
  /// above it and the name of a part file.
  static let longest = 3000

  /// The decoded components of the path on the server, to which filters are applied. A byte that is not text is shown
  /// as `%XX`.
  package let components: [String]
  /// The local names of the components, each made safe by ``FileName`` (P6).
  package let names: [String]
  /// Whether the path leads to a directory.
  package let isDirectory: Bool

  /// The place of a URL relative to a directory.
  package enum Place: Sendable, Hashable {
    case below(TreePath)
    /// The URL is elsewhere, or is the directory itself.
    case outside
    /// The URL is below the directory, but cannot have a local path, for this reason (printable).
    case unusable(String)
  }

  /// Returns the place of `url` relative to `directory`, whose path ends with a slash.
  /// - Parameter cut: The number of directories to leave out of the local path, counted from the server's root; `nil`
  ///   leaves out those of `directory`.
  package static func place(of url: RequestURL, below directory: RequestURL, cut: Int? = nil) -> Place {
    guard url.isBelow(directory), let tail = url.tail(below: directory) else { return .outside }
    var parts = tail.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isDirectory = parts.last?.isEmpty ?? false
    if isDirectory { parts.removeLast() }
    guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty }) else { return .unusable("a part of its path is empty") }
    var components: [String] = []
    var names: [String] = []
    for part in parts {
      let bytes = PercentEncoding.decoded(Array(part)[...])
      let component = TextSafety.decoded(bytes) { "%\(TextSafety.hex($0))" }
      // Refuse a slash in a component: a server that decodes the path before it looks for directories would find a
      // different file.
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
    if let cut {
      let above = directory.path.split(separator: "/").map { FileName.fromURLPath(String($0)) }
      names = Array((above + names.dropLast()).dropFirst(cut)) + names.suffix(1)
    }
    guard names.reduce(0, { $0 + $1.utf8.count + 1 }) <= longest else { return .unusable("its path is too long") }
    return .below(TreePath(components: components, names: names, isDirectory: isDirectory))
  }

  /// The path of the parent directory, relative to the tree's directory; empty for a top-level entry.
  package var directory: String { names.dropLast().joined(separator: "/") }
  /// The local name.
  package var name: String { names.last ?? FileName.fallback }
  /// The local path, relative to the tree's directory.
  package var path: String { names.joined(separator: "/") }
}
