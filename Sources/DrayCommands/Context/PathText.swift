// Paths as text: made absolute, taken apart. No disk is asked.

internal import DrayKit

enum PathText {
  /// A path from `base` on, without `.` and doubled slashes. `..` stays: what it leads to depends on links.
  static func absolute(_ path: String, from base: String) -> String {
    let whole = path.hasPrefix("/") ? path : Job.join(base, path)
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// A path as directory and name: `a/b` is `a` and `b`; the directory of a bare name is nil.
  static func split(_ path: String) -> (directory: String?, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (nil, path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.index(after: slash)...]))
  }
}
