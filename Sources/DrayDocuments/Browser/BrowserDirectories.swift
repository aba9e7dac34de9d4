// The list of data directories that `dray browser install --user-data-dir` was given, so that `uninstall` finds what was
// written there.

internal import DrayCore

public struct BrowserDirectories: Sendable, Equatable {
  public static let fileName = "browser-directories.json"
  /// The maximum length of the file in bytes.
  public static let longest = 1 << 20
  /// The maximum number of directories. With more, the oldest are forgotten.
  private static let most = 200
  private static let longestPath = 4096
  private static let key = "userDataDirectories"

  /// Absolute paths, in the order in which they were added.
  public private(set) var paths: [String] = []

  public init() {}

  /// Reads the file; `nil` if it is not such a list.
  public init?(_ bytes: some Sequence<UInt8>) {
    guard let node = try? JSONNode.parse(bytes, kind: "a list of directories"),
      let list = node[BrowserDirectories.key]?.array
    else { return nil }
    for path in list.prefix(BrowserDirectories.most).compactMap(\.string) { add(path) }
  }

  /// Adds a directory. A path that is not absolute is ignored.
  public mutating func add(_ path: String) {
    guard path.hasPrefix("/"), path.utf8.count <= BrowserDirectories.longestPath, !path.utf8.contains(0),
      !paths.contains(path)
    else { return }
    paths = paths.suffix(BrowserDirectories.most - 1) + [path]
  }

  /// Keeps the directories for which `isKept` returns `true`.
  public mutating func keep(where isKept: (String) -> Bool) { paths = paths.filter(isKept) }

  /// The content of the file.
  public var text: String {
    var json = JSONText()
    json.beginObject()
    json.key(BrowserDirectories.key)
    json.beginArray()
    for path in paths { json.value(path) }
    json.endArray()
    json.endObject()
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
