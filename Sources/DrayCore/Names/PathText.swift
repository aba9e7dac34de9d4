// Joins paths, makes them absolute, and splits them. All functions work on text, without access to the disk.

/// Paths as text.
public enum PathText {
  /// Joins a directory and a name.
  public static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  /// Returns a typed path with a leading `~` replaced by the home directory. Shells do not expand the `~` in
  /// `--dir=~/isos`, and lists are read without a shell. Other users' homes (`~ann`) are not known.
  public static func homed(_ path: String, home: String?) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home else { return path }
    return home + path.dropFirst()
  }

  /// Returns an absolute path, relative to `base`, without `.` and doubled slashes. `..` stays, because links decide
  /// where it leads. The text of a place in an object store counts as absolute; a malformed one stays unchanged.
  public static func absolute(_ path: String, from base: String) -> String {
    let whole = path.hasPrefix("/") || ObjectPlace.isMeant(by: path) ? path : path.isEmpty ? base : join(base, path)
    if ObjectPlace.isMeant(by: whole) { return (try? ObjectPlace(parsing: whole))?.path ?? whole }
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Splits a path at its last slash: `a/b` is `a` and `b`, `a/` is `a` and an empty name, and `a` has no directory.
  public static func split(_ path: String) -> (directory: String?, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (nil, path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.index(after: slash)...]))
  }

  /// Returns all but the last component, like `dirname` (POSIX.1-2017 §3.2.5): `/a` for `/a/b/`, `/` for `/a`, empty
  /// for `a`.
  public static func directory(of path: String) -> String {
    let path = trimmed(path[...])
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(trimmed(path[...slash]))
  }

  /// Returns the last component, like `basename`: `b` for `/a/b/`, `/` for `/`.
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
