// The secret of a service, and the comparison of a text with it.

internal import Crypto
internal import FoundationEssentials

/// A secret that clients must know. Its description hides it, so that logs cannot contain it.
package struct Secret: Sendable {
  /// The minimum length of a secret in bytes.
  package static let shortest = 8
  /// The maximum length of a secret in bytes.
  package static let longest = 1024

  private let digest: [UInt8]

  /// Creates a secret. The result is `nil` if the text is too short or too long, or has control characters.
  package init?(_ text: String) {
    guard (Self.shortest...Self.longest).contains(text.utf8.count) else { return nil }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    digest = Self.digest(of: text)
  }

  /// Whether a text is the secret. The comparison covers all bytes of two digests, so its duration reveals nothing
  /// about the secret.
  package func matches(_ text: String) -> Bool { Self.areEqual(digest, Self.digest(of: text)) }

  /// Returns a text that nobody can guess: 32 random bytes in base64url (RFC 4648 §5).
  package static func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    return base64((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let text = Data(bytes).base64EncodedString()
    return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Returns the digest of a text, in characters that may be part of a file's name. If the text is random, nobody can
  /// find it from the digest.
  package static func name(of text: String) -> String { base64(digest(of: text)) }

  /// Returns the digest of a text together with the secret, in characters that may be part of a file's name. With
  /// another secret, the same text has another digest.
  func name(with text: String) -> String { Secret.base64(Array(SHA256.hash(data: Data(digest + Array(text.utf8))))) }

  static func digest(of text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

  /// Compares two digests in a time that does not depend on their content.
  static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Secret: CustomStringConvertible {
  /// A placeholder that hides the secret.
  package var description: String { "(secret)" }
}
