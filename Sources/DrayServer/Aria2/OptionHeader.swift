// Request fields from aria2's clients, as lines that may be copied from a browser.

internal import DrayCore
internal import DrayWire

/// The lines of `--header`.
enum OptionHeader {
  /// Reads the header fields in a text. Two kinds of lines are skipped: lines without a colon, which some clients send
  /// for cookies, and fields that no client may set, which browser extensions copy.
  /// - Throws: The error that aria2 has for a field that cannot be sent.
  static func fields(_ text: String) throws(RPCFailure) -> [HeaderField] {
    var fields: [HeaderField] = []
    for line in text.split(separator: "\n") {
      do throws(FieldObjection) {
        fields.append(try FieldLine.parse(String(line), from: .client))
      } catch {
        switch error {
        case .noColon, .isOwn: continue
        case .notAName, .controlCharacter: throw bad("header")
        }
      }
    }
    return fields
  }

  /// Checks the value of a header field.
  /// - Throws: The error that aria2 has for a value with control characters, which could end the field early.
  static func value(_ text: String?, _ option: String) throws(RPCFailure) -> String? {
    guard let text else { return nil }
    guard FieldRule.isValue(text) else { throw bad(option) }
    return String(decoding: text.utf8.trimmingBlanks, as: UTF8.self)
  }

  /// Whether a line contains a user's credentials.
  static func isSecret(_ line: some StringProtocol) -> Bool {
    SafeHead.isSecretName(line.prefix { $0 != ":" }.lowercased())
  }

  private static func bad(_ option: String) -> RPCFailure {
    .refused("We encountered a problem while processing the option '--\(option)'.")
  }
}
