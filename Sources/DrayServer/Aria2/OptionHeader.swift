// Fields of a request as aria2's clients give them: lines, some of them copied from a browser.

internal import DrayCore
internal import DrayWire

/// Lines of `--header`.
enum OptionHeader {
  /// Reads the fields. A line without a colon, which some clients make of a cookie, is none and does not count; neither does a field that
  /// nobody may set, which a browser extension has copied.
  /// - Throws: aria2's error for one that cannot be sent.
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

  /// Checks the value of a field.
  /// - Throws: aria2's error for one with control characters, which could end the field.
  static func value(_ text: String?, _ option: String) throws(RPCFailure) -> String? {
    guard let text else { return nil }
    guard FieldRule.isValue(text) else { throw bad(option) }
    return String(decoding: text.utf8.trimmingBlanks, as: UTF8.self)
  }

  /// Whether a line has credentials in it.
  static func isSecret(_ line: some StringProtocol) -> Bool {
    SafeHead.isSecretName(line.prefix { $0 != ":" }.lowercased())
  }

  private static func bad(_ option: String) -> RPCFailure {
    .refused("We encountered a problem while processing the option '--\(option)'.")
  }
}
