// Decides which names are the same in a directory. Some file systems ignore the case of letters, or normalise Unicode
// (P23, N7).

/// How a directory compares names.
public struct NameFolding: Sendable, Hashable {
  /// Whether names that differ only in the case of letters are the same.
  package var foldsCase: Bool
  /// Whether canonically equivalent names are the same (Unicode Standard Annex #15).
  package var normalizes: Bool

  /// Names are compared byte by byte.
  package static let none = NameFolding()

  /// Creates a comparison.
  package init(foldsCase: Bool = false, normalizes: Bool = false) {
    (self.foldsCase, self.normalizes) = (foldsCase, normalizes)
  }

  /// A value that is equal for all names that are the same in the directory.
  package enum Key: Sendable, Hashable {
    case bytes([UInt8])
    case characters(String)
  }

  /// Returns the key of a name, or of a path with each of its names folded.
  package func key(_ name: String) -> Key {
    let folded = foldsCase ? name.lowercased() : name
    // Swift's strings are equal if they are canonically equivalent.
    return normalizes ? .characters(folded) : .bytes(Array(folded.utf8))
  }

  /// Whether two different names are the same in the directory.
  package func folds(_ name: String, _ other: String) -> Bool {
    self != .none && !name.utf8.elementsEqual(other.utf8) && key(name) == key(other)
  }

  /// The differences that the directory ignores, in words that end a clause.
  package var words: String {
    switch (foldsCase, normalizes) {
    case (true, true): "letter case and Unicode forms"
    case (true, false): "letter case"
    default: "Unicode forms"
    }
  }
}
