// Combines remarks about several files of a list or name.

enum Remarks {
  /// The remark on files that already have the source's version, and are not fetched.
  /// - Parameters:
  ///   - name: The name without its secrets; `nil` for files of several names.
  ///   - count: The number of files.
  static func present(_ name: String?, _ count: Int) -> String {
    (name.map { "\($0): " } ?? "") + "\(count) file\(count == 1 ? "" : "s") up to date"
  }

  /// Returns the first of many remarks, and the number of the others.
  /// - Parameter place: What the remarks are about.
  static func shortened(_ remarks: [String], _ place: String) -> [String] {
    let more = remarks.count - most
    return remarks.prefix(most) + (more > 0 ? ["\(place): \(more) more like this"] : [])
  }

  private static let most = 20
}
