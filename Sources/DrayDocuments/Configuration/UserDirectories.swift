// The directories of a desktop's user (user-dirs.dirs(5)), whose names are in the user's language.

internal import DrayCore

package enum UserDirectories {
  /// Returns the directory for downloads; `nil` if there is none.
  package static func downloads(in text: String, home: String) -> String? {
    let start = "XDG_DOWNLOAD_DIR=\""
    // The file is read by shells, so the last line counts.
    guard let line = text.split(whereSeparator: \.isNewline).map(\.trimmingBlanks).last(where: { $0.hasPrefix(start) }),
      line.hasSuffix("\""), line.utf8.count > start.utf8.count
    else { return nil }
    var path = ""
    var isEscaped = false
    for character in line.dropFirst(start.count).dropLast() {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else {
        path.append(character)
        isEscaped = false
      }
    }
    if path.hasPrefix("$HOME") { path = home + path.dropFirst("$HOME".count) }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    // The home directory itself means that there is no such directory.
    return path.hasPrefix("/") && path != home ? path : nil
  }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    var rest = drop { $0 == " " || $0 == "\t" }
    while let last = rest.last, last == " " || last == "\t" || last == "\r" { rest.removeLast() }
    return rest
  }
}
