// The names that are shown for jobs whose files have no names yet.

internal import DrayKit
internal import TerminalUI

enum URLName {
  /// Returns the escaped name of a job: the name of its file, or, if the file has none, a name made from the URL.
  static func text(_ url: String, file: String?) -> String {
    if let file { return TextSafety.escaped(file) }
    guard let parsed = try? RequestURL.parse(url).url else { return text(url) }
    return TextSafety.escaped(FileName.fromURLPath(parsed.path))
  }

  /// Returns the last part of the URL, or the host, shortened to the maximum length of a file's name.
  static func text(_ url: String) -> String {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") }
    let last = path.split(separator: UInt8(ascii: "/")).last ?? path
    return TextSafety.escaped(TextFit.truncatedMiddle(String(Substring(last)), width: FileName.limit))
  }
}
