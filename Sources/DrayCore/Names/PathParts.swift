// Paths taken apart as text, without a look at the disk.

/// The two parts of a path (POSIX.1-2017 §3.2.5, `dirname` and `basename`); slashes at its end do not count.
public enum PathParts {
  /// All but the last component: `/a` of `/a/b`, `/` of `/a`, empty of `a`.
  public static func directory(of path: String) -> String {
    let path = trimmed(path[...])
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(trimmed(path[...slash]))
  }

  /// The last component: `b` of `/a/b`, `/` of `/`.
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
