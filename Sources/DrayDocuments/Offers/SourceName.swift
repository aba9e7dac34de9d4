// Names of files in sources: `hf:org/model@main/config.json`.

internal import DrayCore

/// A name whose files a source knows: the source's scheme, and what follows the colon.
public struct SourceName: Sendable, Equatable {
  /// In lowercase.
  public var scheme: String
  public var rest: String

  public init(scheme: String, rest: String) {
    (self.scheme, self.rest) = (scheme, rest)
  }

  /// `scheme:rest`.
  public var text: String { "\(scheme):\(rest)" }

  /// The scheme of Python's packages.
  public static let packages = "pypi"

  /// The name for people: without the digests and indexes that lists add to names of packages.
  public var label: String { scheme == SourceName.packages ? String(text.prefix { $0 != "#" }) : text }

  /// The name for people, without secrets: what every message shows.
  public var shown: String { SourceReference.shown(label) }

  /// Returns the name that a text is, if its scheme is one of `schemes`.
  public init?(_ text: String, schemes: Set<String>) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon].lowercased()
    guard schemes.contains(scheme) else { return nil }
    self.init(scheme: scheme, rest: String(text[text.index(after: colon)...]))
  }
}
