// Decides which sources of a URL may use which scheme (P15).

/// The rules for schemes.
public enum SchemePolicy {
  /// The source of a URL.
  public enum Author: Sendable, CaseIterable {
    /// The user, or a program that acts for the user.
    case user
    /// A document: a feed, a catalog, a Metalink file.
    case document
    /// A server, in a redirect.
    case server
  }

  /// Whether a source may use a scheme. A redirect never leaves http(s). No text from outside can make dray read local
  /// files, use the user's keys, or sign with the user's credentials.
  public static func allows(_ scheme: Scheme, from author: Author) -> Bool { scheme.authors.contains(author) }
}
