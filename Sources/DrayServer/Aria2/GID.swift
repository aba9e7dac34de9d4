// The names that aria2's clients give to jobs (manual, "GID"): the first 16 hexadecimal digits of the UUID of a job.

internal import Crypto
internal import FoundationEssentials

/// A GID, or the beginning of one.
struct GID: Sendable, Hashable {
  /// How many digits a whole one has.
  static let length = 16

  /// The digits, in lower case.
  let text: String

  /// The GID of the job with this UUID.
  init(uuid: some StringProtocol) {
    // By bytes: this is done for every job of every list.
    let digits = uuid.utf8.lazy.filter { $0 != UInt8(ascii: "-") }.prefix(GID.length)
    text = String(decoding: digits.map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Reads a GID or the beginning of one, as clients may shorten them.
  /// - Throws: aria2's error for what has no digits, too many, or others than hexadecimal ones.
  init(prefix: String) throws(RPCFailure) {
    guard (1...GID.length).contains(prefix.utf8.count), GID.isHexadecimal(prefix) else {
      throw .refused("Invalid GID \(prefix)")
    }
    text = prefix.lowercased()
  }

  /// Reads a whole one that a client chooses for a job (`--gid`); 0 is none.
  init(chosen text: String) throws(RPCFailure) {
    guard text.utf8.count == GID.length, GID.isHexadecimal(text), text.contains(where: { $0 != "0" }) else {
      throw .refused("Invalid GID \(text)")
    }
    self.text = text.lowercased()
  }

  /// The UUID of a job that a client has chosen this whole GID for. Two stores do not make the same of it: part files have these
  /// names, and may lie in one directory.
  func uuid(in home: String) -> String {
    let rest = SHA256.hash(data: Data("\(home)\n\(text)".utf8)).prefix(8)
    let digits = text + rest.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    var uuid = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { uuid += "-" }
      uuid.append(digit)
    }
    return uuid
  }

  /// Whether this is the beginning of that one, or all of it.
  func begins(_ other: GID) -> Bool { other.text.utf8.starts(with: text.utf8) }

  private static func isHexadecimal(_ text: String) -> Bool {
    text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}
