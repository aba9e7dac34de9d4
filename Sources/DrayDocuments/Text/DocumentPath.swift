internal import DrayCore

/// Checks relative paths in documents, so that they stay below their directory (P6).
package enum DocumentPath {
  /// `nil` if it is absolute, empty, or leads upwards.
  /// - Parameter keeping: Names that stay as they are.
  package static func safe(_ text: String, keeping: Set<String> = []) -> String? {
    let parts = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" }.map { String($0) }
    var safe: [String] = []
    for part in parts {
      if keeping.contains(part) {
        safe.append(part)
        continue
      }
      guard !part.isEmpty, part != ".", part != "..", !part.unicodeScalars.contains("\\"),
        let name = FileName.safe(part), name != ".."
      else { return nil }
      safe.append(name)
    }
    return safe.isEmpty || safe.count > 32 ? nil : safe.joined(separator: "/")
  }

  /// Drops leading `/` and `./`, so that `/x` and `./x` are below the directory.
  package static func relative(_ text: String) -> String? {
    var rest = text.unicodeScalars[...]
    while let first = rest.first, first == "/" || first == "." && rest.dropFirst().first == "/" { rest.removeFirst() }
    return safe(String(rest))
  }
}
