// Decides which schemes the URLs of an author may have (P15).

/// The rules for schemes.
package enum SchemePolicy {
  /// Who supplied a URL.
  package enum Author: Sendable, CaseIterable {
    /// The user, or a program that acts for the user.
    case user
    /// A document: a feed, a catalog, a Metalink file.
    case document
    /// A server, in a redirect.
    case server
  }

  /// Whether a URL of a scheme may come from this author. A redirect never leaves http(s). No text from another author
  /// can make dray read local files or use the user's keys and credentials.
  package static func allows(_ scheme: Scheme, from author: Author) -> Bool { scheme.authors.contains(author) }
}
