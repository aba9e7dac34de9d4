// A name for a job whose file has none yet.

internal import DrayKit
internal import TerminalUI

enum URLName {
  /// The name of a job, escaped: that of its file, or the one that its URL would give it.
  static func text(_ url: String, file: String?) -> String {
    if let file { return TextSafety.escaped(file) }
    guard let parsed = try? RequestURL.parse(url).url else { return text(url) }
    return TextSafety.escaped(FileName.fromURLPath(parsed.path))
  }

  /// The URL's last part, or its host, as long as a name of a file may be.
  static func text(_ url: String) -> String {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") }
    let last = path.split(separator: UInt8(ascii: "/")).last ?? path
    return TextSafety.escaped(TextFit.truncatedMiddle(String(Substring(last)), width: FileName.limit))
  }
}
