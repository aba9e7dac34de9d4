// A list of cookies to read, merge and write.

/// How cookies changed while they were used.
package struct CookieChanges: Sendable, Equatable {
  /// The cookies that are new or have changed attributes or values.
  package var changed: [Cookie]
  /// The cookies that were removed.
  package var removed: Set<Cookie.Key>

  /// Creates changes.
  package init(changed: [Cookie] = [], removed: Set<Cookie.Key> = []) {
    self.changed = changed
    self.removed = removed
  }

  /// Creates the changes that turn `before` into `after`.
  package init(from before: [Cookie], to after: [Cookie]) {
    let old = Dictionary(before.map { ($0.key, $0) }) { $1 }
    changed = after.filter { old[$0.key] != $0 }
    removed = Set(old.keys).subtracting(after.map(\.key))
  }

  /// Whether no cookie has changed.
  package var isEmpty: Bool { changed.isEmpty && removed.isEmpty }
}

/// Cookies in the order of arrival. If several cookies have the same key, only the latest is kept.
package struct CookieList: Sendable, Equatable {
  /// The cookies.
  package private(set) var cookies: [Cookie] = []

  /// Creates a list of these cookies.
  package init(_ cookies: [Cookie] = []) {
    apply(CookieChanges(changed: cookies))
  }

  /// Reads a file in the Netscape format. Invalid lines are skipped.
  package init(text: String) {
    // The text is split only at line feeds, because values may contain other characters that end lines in Unicode.
    self.init(text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { Cookie(line: Substring($0)) })
  }

  /// Applies changes.
  package mutating func apply(_ changes: CookieChanges) {
    var latest = Dictionary(changes.changed.map { ($0.key, $0) }) { $1 }
    cookies = cookies.compactMap { cookie in
      if let newer = latest.removeValue(forKey: cookie.key) { return newer }
      return changes.removed.contains(cookie.key) ? nil : cookie
    }
    for cookie in changes.changed {
      if let newer = latest.removeValue(forKey: cookie.key) { cookies.append(newer) }
    }
  }

  /// Removes expired cookies.
  package mutating func removeExpired(at now: Int64) { cookies.removeAll { $0.isExpired(at: now) } }

  /// The contents of a file in the Netscape format.
  package var text: String {
    "# Netscape HTTP Cookie File\n# https://curl.se/docs/http-cookies.html\n# Written by dray; it holds secrets.\n\n"
      + cookies.map { $0.line + "\n" }.joined()
  }
}
