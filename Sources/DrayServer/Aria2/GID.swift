// The names that aria2's clients use for jobs (manual, "GID"): the first 16 hexadecimal digits of a job's UUID.

internal import Crypto
internal import FoundationEssentials

/// A GID, or the beginning of one.
struct GID: Sendable, Hashable {
  static let length = 16

  /// The digits in lowercase.
  let text: String

  init(uuid: some StringProtocol) {
    // This code works on bytes, because it runs for every job of every list.
    let digits = uuid.utf8.lazy.filter { $0 != UInt8(ascii: "-") }.prefix(GID.length)
    text = String(decoding: digits.map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Creates the GID of a job from the job's UUID.
  init(_ uuid: UUID) {
    text = String(unsafeUninitializedCapacity: GID.length) { text in
      withUnsafeBytes(of: uuid.uuid) { bytes in
        for place in 0..<GID.length / 2 {
          text[2 * place] = GID.digit(bytes[place] >> 4)
          text[2 * place + 1] = GID.digit(bytes[place] & 15)
        }
      }
      return GID.length
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 - 10 + value }

  /// Reads a GID or the beginning of one, because clients may shorten it.
  /// - Throws: The error that aria2 has for a text that is empty, too long, or not hexadecimal.
  init(prefix: String) throws(RPCFailure) {
    guard (1...GID.length).contains(prefix.utf8.count), GID.isHexadecimal(prefix) else {
      throw .refused("Invalid GID \(prefix)")
    }
    text = prefix.lowercased()
  }

  /// Reads a full GID that a client chooses for a job (`--gid`). The GID 0 is invalid.
  init(chosen text: String) throws(RPCFailure) {
    guard text.utf8.count == GID.length, GID.isHexadecimal(text), text.contains(where: { $0 != "0" }) else {
      throw .refused("Invalid GID \(text)")
    }
    self.text = text.lowercased()
  }

  /// Returns the UUID for a job whose GID the client chose in full. Each store derives a different UUID, because part
  /// files are named by UUIDs, and two stores may use the same directory.
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

  /// Whether it is a whole GID, and not the beginning of one.
  var isFull: Bool { text.utf8.count == GID.length }

  func begins(_ other: GID) -> Bool { other.text.utf8.starts(with: text.utf8) }

  private static func isHexadecimal(_ text: String) -> Bool {
    text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}
