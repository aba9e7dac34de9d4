// Who may name a URL of which scheme (P15).

/// The rules for schemes.
public enum SchemePolicy {
  /// Where a URL comes from.
  public enum Author: Sendable, CaseIterable {
    /// The user, or a program that acts for the user.
    case user
    /// A document that was fetched or read: a feed, a catalog, a Metalink.
    case document
    /// A server, in a redirect.
    case server
  }

  /// Whether that source may use that scheme. A redirect never leaves http(s), and no text from outside makes dray
  /// read this machine's files, use its keys, or sign with its credentials.
  public static func allows(_ scheme: Scheme, from author: Author) -> Bool { scheme.authors.contains(author) }
}
