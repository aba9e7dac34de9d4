// Splits paths as text, without access to the disk.

/// The two parts of a path (POSIX.1-2017 §3.2.5, `dirname` and `basename`). Trailing slashes do not count.
public enum PathParts {
  /// Returns all but the last component: `/a` for `/a/b`, `/` for `/a`, empty for `a`.
  public static func directory(of path: String) -> String {
    let path = trimmed(path[...])
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(trimmed(path[...slash]))
  }

  /// Returns the last component: `b` for `/a/b`, `/` for `/`.
  public static func name(of path: String) -> String {
    let path = trimmed(path[...])
    guard path.count > 1, let slash = path.lastIndex(of: "/") else { return String(path) }
    return String(path[path.index(after: slash)...])
  }

  private static func trimmed(_ path: Substring) -> Substring {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    return path
  }
}
