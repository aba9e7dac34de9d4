// Puts a file system's objection to a name into words, and suggests a name that the file system accepts. Other code
// tries out the name on the file system.

/// A file system's objection to a name.
package struct NameObjection: Sendable, Equatable {
  /// The reason, as a clause.
  package var reason: String
  /// A similar name that the file system accepts.
  package var suggestion: String

  /// The length in bytes of a name that every file system accepts.
  private static let shortest = 120
  /// Characters that FAT, NTFS and similar file systems reserve.
  private static let reserved = Set("<>:\"|?*\\")

  /// Whether every file system accepts the name, because it has only letters, digits and a few signs. Such a name needs
  /// no trial.
  package static func isPlain(_ name: String) -> Bool {
    guard name.utf8.count <= shortest, let last = name.utf8.last, last != UInt8(ascii: "."),
      name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "._-+=,@".utf8.contains($0) })
    else { return false }
    return FileName.safe(name) == name || name.hasPrefix(".") || name.hasPrefix("-")
  }

  /// Creates the objection to a name that no file could get.
  /// - Parameter isTooLong: Whether the name is too long (`ENAMETOOLONG`). If it is not, a character in the name is the
  ///   reason.
  package init(to name: String, isTooLong: Bool) {
    if isTooLong {
      reason = "the file system allows no name of \(name.utf8.count) bytes"
      suggestion = FileName.safe(name, limit: NameObjection.shortest) ?? "file"
      return
    }
    let foreign = NameObjection.distinct(name.filter { NameObjection.reserved.contains($0) })
    let others = foreign.isEmpty ? NameObjection.distinct(name.filter { !$0.isASCII }) : []
    let signs = (foreign.isEmpty ? others : foreign).prefix(4).map { "'\($0)'" }.joined(separator: ", ")
    if !signs.isEmpty {
      reason = "the file system allows no \(signs) in a name"
      suggestion = String(name.map { foreign.contains($0) || others.contains($0) ? "_" : $0 })
    } else {
      reason = "the file system does not allow this name"
      suggestion = FileName.safe("_" + name, limit: NameObjection.shortest) ?? "file"
    }
    suggestion = FileName.safe(suggestion) ?? "file"
  }

  private static func distinct(_ characters: String) -> [Character] {
    characters.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
