// The files of aria2: tells configurations from sessions, and selects the downloads of a session. The code in this file
// has no effects outside its values.

internal import DrayKit
internal import DrayStore

enum AriaFile {
  enum Kind: Equatable {
    case configuration
    /// URLs with their options, in the format of `save-session` and `input-file`.
    case session
    case compressed
    /// A file that contains only comments and blank lines.
    case empty
  }

  /// Returns the paths at which aria2 looks for its configuration, in the order in which it looks.
  static func configurations(_ environment: [String: String]) -> [String] {
    let home = environment["HOME"] ?? StateDirectory.passwordDatabaseHome() ?? "/"
    let settings = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.config"
    return ["\(home)/.aria2/aria2.conf", "\(settings)/aria2/aria2.conf"]
  }

  /// Tells the kind of a file by its first line that is neither blank nor a comment. In a configuration, the line of an
  /// option is not indented.
  static func kind(_ bytes: [UInt8]) -> Kind {
    if bytes.starts(with: [0x1F, 0x8B]) { return .compressed }
    for line in lines(bytes) {
      guard let first = line.first, first != UInt8(ascii: "#"), !line.trimmed.isEmpty else { continue }
      let name = line.prefix { $0 != UInt8(ascii: "=") }
      let isOption = name.count < line.count && name.allSatisfy { $0.isOptionByte }
      return isOption ? .configuration : .session
    }
    return .empty
  }

  /// Removes the downloads that dray cannot fetch: torrents and magnet links, with their options.
  /// - Returns: The session, in which every line keeps its number; a remark on each removed download; and the numbers
  ///   of downloads and of torrents.
  static func downloads(
    of bytes: [UInt8], name: String
  ) -> (list: [UInt8], remarks: [String], count: Int, torrents: Int) {
    var list: [UInt8] = []
    var remarks: [String] = []
    var (count, torrents) = (0, 0)
    var isLeftOut = false
    for (index, line) in lines(bytes).enumerated() {
      if let first = line.first, first != 0x20, first != 0x09, first != UInt8(ascii: "#"), !line.trimmed.isEmpty {
        let text = String(decoding: line.prefix { $0 != 0x09 }, as: UTF8.self)
        isLeftOut = !text.contains("://")
        if isLeftOut {
          let shown = TextSafety.escaped(URLRedaction.redacted(text.start(60)))
          let lower = text.trimmingSpaces().lowercased()
          let isTorrent = lower.hasPrefix("magnet:") || lower.hasSuffix(".torrent")
          if isTorrent { torrents += 1 }
          let reason = isTorrent ? "dray does not speak BitTorrent" : "it is not a URL"
          remarks.append("\(name):\(index + 1): \(shown) is left out: \(reason)")
        } else {
          count += 1
        }
      }
      if !isLeftOut { list += line }
      list.append(UInt8(ascii: "\n"))
    }
    return (list, remarks, count, torrents)
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmed: ArraySlice<UInt8> { drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}

extension UInt8 {
  fileprivate var isOptionByte: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || self == UInt8(ascii: "-")
  }
}
