// A name for a job whose file has none yet.

internal import DrayKit
internal import TerminalUI

enum URLName {
  /// The URL's last part, or its host, as long as a name of a file may be.
  static func text(_ url: String) -> String {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") }
    let last = path.split(separator: UInt8(ascii: "/")).last ?? path
    return TextSafety.escaped(TextFit.truncatedMiddle(String(Substring(last)), width: FileName.limit))
  }
}
