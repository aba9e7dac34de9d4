internal import FoundationEssentials

enum Base64Text {
  static func encoded(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// `nil` for a text that is not base64. The padding may be missing.
  static func decoded(_ text: String) -> [UInt8]? {
    var padded = text
    while padded.utf8.count % 4 != 0 { padded += "=" }
    return Data(base64Encoded: padded).map(Array.init)
  }
}
