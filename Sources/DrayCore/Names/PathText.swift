// Paths as text: joined, made absolute, taken apart. No disk is asked.

/// Paths as text.
public enum PathText {
  /// Joins a directory and a name.
  public static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  /// Makes a path absolute, from `base` on, without `.` and doubled slashes. `..` stays: links decide where it leads.
  public static func absolute(_ path: String, from base: String) -> String {
    let whole = path.hasPrefix("/") ? path : join(base, path)
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Splits a path at its last slash: `a/b` is `a` and `b`, `a/` is `a` and an empty name, and `a` has no directory.
  public static func split(_ path: String) -> (directory: String?, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (nil, path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.index(after: slash)...]))
  }

  /// All but the last component, as `dirname` has it (POSIX.1-2017 §3.2.5): `/a` of `/a/b/`, `/` of `/a`, empty of `a`.
  public static func directory(of path: String) -> String {
    let path = trimmed(path[...])
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(trimmed(path[...slash]))
  }

  /// The last component, as `basename` has it: `b` of `/a/b/`, `/` of `/`.
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
