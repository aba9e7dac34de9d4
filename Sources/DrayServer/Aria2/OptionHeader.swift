// Fields of a request as aria2's clients give them: lines, some of them copied from a browser.

internal import DrayCore
internal import DrayWire

/// Lines of `--header`.
enum OptionHeader {
  /// Fields that frame the message or ask for ranges are dray's own to decide; what a browser extension copied of them does not
  /// count.
  private static let own: Set<String> = [
    "range", "if-range", "if-match", "accept-encoding", "content-length", "transfer-encoding", "connection", "te",
    "trailer", "upgrade", "host",
  ]

  /// Reads the fields. A line without a colon, which some clients make of a cookie, is none and does not count.
  /// - Throws: aria2's error for one that cannot be sent.
  static func fields(_ text: String) throws(RPCFailure) -> [HeaderField] {
    var fields: [HeaderField] = []
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      guard colon != line.startIndex, line[..<colon].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
        let content = try value(String(line[line.index(after: colon)...]), "header")
      else { throw bad("header") }
      let name = String(line[..<colon])
      if !own.contains(name.lowercased()) { fields.append(HeaderField(name, content)) }
    }
    return fields
  }

  /// Checks the value of a field.
  /// - Throws: aria2's error for one with control characters, which could end the field.
  static func value(_ text: String?, _ option: String) throws(RPCFailure) -> String? {
    guard let text else { return nil }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) else {
      throw bad(option)
    }
    let blanks: Set<Unicode.Scalar> = [" ", "\t"]
    let scalars = text.unicodeScalars.drop { blanks.contains($0) }
    let end = scalars.lastIndex { !blanks.contains($0) }.map { scalars.index(after: $0) } ?? scalars.startIndex
    return String(scalars[..<end])
  }

  /// Whether a line has credentials in it.
  static func isSecret(_ line: some StringProtocol) -> Bool {
    SafeHead.isSecretName(line.prefix { $0 != ":" }.lowercased())
  }

  private static func bad(_ option: String) -> RPCFailure {
    .refused("We encountered a problem while processing the option '--\(option)'.")
  }
}
