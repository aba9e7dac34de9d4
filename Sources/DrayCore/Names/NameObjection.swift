// What a file system has against a name, in words, and a name that would do: pure decisions. Which names it takes is found out by
// trying one.

/// Why a file system does not take a name.
public struct NameObjection: Sendable, Equatable {
  /// One clause.
  public var reason: String
  /// A name like it, without what the file system does not take.
  public var suggestion: String

  /// Names up to this length are taken everywhere.
  private static let shortest = 120
  /// What FAT, NTFS and their like keep for themselves.
  private static let reserved = Set("<>:\"|?*\\")

  /// Whether every file system takes a name, so that it need not be tried: letters, digits and a few signs.
  public static func isPlain(_ name: String) -> Bool {
    guard name.utf8.count <= shortest, let last = name.utf8.last, last != UInt8(ascii: "."),
      name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "._-+=,@".utf8.contains($0) })
    else { return false }
    return FileName.safe(name) == name || name.hasPrefix(".") || name.hasPrefix("-")
  }

  /// The objection that an attempt to make a file with this name met.
  /// - Parameter isTooLong: whether its length was the reason (`ENAMETOOLONG`), and not a character.
  public init(to name: String, isTooLong: Bool) {
    if isTooLong {
      reason = "the file system takes no name of \(name.utf8.count) bytes"
      suggestion = FileName.safe(name, limit: NameObjection.shortest) ?? "file"
      return
    }
    let foreign = NameObjection.distinct(name.filter { NameObjection.reserved.contains($0) })
    let others = foreign.isEmpty ? NameObjection.distinct(name.filter { !$0.isASCII }) : []
    let signs = (foreign.isEmpty ? others : foreign).prefix(4).map { "'\($0)'" }.joined(separator: ", ")
    if !signs.isEmpty {
      reason = "the file system takes no \(signs) in a name"
      suggestion = String(name.map { foreign.contains($0) || others.contains($0) ? "_" : $0 })
    } else {
      reason = "the file system does not take this name"
      suggestion = FileName.safe("_" + name, limit: NameObjection.shortest) ?? "file"
    }
    suggestion = FileName.safe(suggestion) ?? "file"
  }

  private static func distinct(_ characters: String) -> [Character] {
    characters.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
