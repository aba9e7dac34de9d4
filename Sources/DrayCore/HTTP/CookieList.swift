// Cookies as a list that changes: read, merged, written.

/// The changes to cookies while they were used.
public struct CookieChanges: Sendable, Equatable {
  /// New ones, and those with changed attributes or values.
  public var changed: [Cookie]
  /// Removed ones.
  public var removed: Set<Cookie.Key>

  /// Changes.
  public init(changed: [Cookie] = [], removed: Set<Cookie.Key> = []) {
    self.changed = changed
    self.removed = removed
  }

  /// What must be done to `before` to get `after`.
  public init(from before: [Cookie], to after: [Cookie]) {
    let old = Dictionary(before.map { ($0.key, $0) }) { $1 }
    changed = after.filter { old[$0.key] != $0 }
    removed = Set(old.keys).subtracting(after.map(\.key))
  }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { changed.isEmpty && removed.isEmpty }
}

/// Cookies in the order in which they came; of the same cookie the later stays.
public struct CookieList: Sendable, Equatable {
  /// The cookies.
  public private(set) var cookies: [Cookie] = []

  /// A list of these.
  public init(_ cookies: [Cookie] = []) {
    apply(CookieChanges(changed: cookies))
  }

  /// Reads a file in Netscape's format; lines that are not cookies are left out.
  public init(text: String) {
    // At line feeds only: a value may contain other line ends of Unicode.
    self.init(text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { Cookie(line: Substring($0)) })
  }

  /// Applies changes.
  public mutating func apply(_ changes: CookieChanges) {
    var latest = Dictionary(changes.changed.map { ($0.key, $0) }) { $1 }
    cookies = cookies.compactMap { cookie in
      if let newer = latest.removeValue(forKey: cookie.key) { return newer }
      return changes.removed.contains(cookie.key) ? nil : cookie
    }
    for cookie in changes.changed {
      if let newer = latest.removeValue(forKey: cookie.key) { cookies.append(newer) }
    }
  }

  /// Removes expired ones.
  public mutating func removeExpired(at now: Int64) { cookies.removeAll { $0.isExpired(at: now) } }

  /// The file in Netscape's format.
  public var text: String {
    "# Netscape HTTP Cookie File\n# https://curl.se/docs/http-cookies.html\n# Written by dray; it holds secrets.\n\n"
      + cookies.map { $0.line + "\n" }.joined()
  }
}
