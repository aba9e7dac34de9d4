// Names of files in sources: `hf:org/model@main/config.json`.

internal import DrayCore

/// A name whose files a source knows: the source's scheme, and what follows the colon.
package struct SourceName: Sendable, Equatable {
  /// In lowercase.
  package var scheme: String
  package var rest: String

  package init(scheme: String, rest: String) {
    (self.scheme, self.rest) = (scheme, rest)
  }

  /// `scheme:rest`.
  package var text: String { "\(scheme):\(rest)" }

  /// The scheme of Python's packages.
  package static let packages = "pypi"

  /// The name for people: without the digests and indexes that lists add to names of packages.
  package var label: String { scheme == SourceName.packages ? String(text.prefix { $0 != "#" }) : text }

  /// The name for people, without secrets: what every message shows.
  package var shown: String { SourceReference.shown(label) }

  /// Returns the name that a text is, if its scheme is one of `schemes`.
  package init?(_ text: String, schemes: Set<String>) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon].lowercased()
    guard schemes.contains(scheme) else { return nil }
    self.init(scheme: scheme, rest: String(text[text.index(after: colon)...]))
  }
}
