// The secret of a service, and its comparison with a text.

internal import Crypto
internal import FoundationEssentials

/// A secret. Its description hides it, so that logs cannot contain it.
public struct Secret: Sendable {
  /// The minimum length in bytes.
  public static let shortest = 8
  /// The maximum length in bytes.
  public static let longest = 1024

  private let digest: [UInt8]

  /// Creates a secret; `nil` if the text is too short, too long, or has control characters.
  public init?(_ text: String) {
    guard (Self.shortest...Self.longest).contains(text.utf8.count) else { return nil }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    digest = Self.digest(of: text)
  }

  /// Whether a text is the secret. Compares all bytes of digests, so the time reveals nothing about the secret.
  public func matches(_ text: String) -> Bool { Self.areEqual(digest, Self.digest(of: text)) }

  /// Returns an unguessable text: 32 random bytes in base64url (RFC 4648 §5).
  public static func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    return base64((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let text = Data(bytes).base64EncodedString()
    return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Returns the digest of a text as a word that may be part of a file's name. It does not reveal a random text.
  public static func name(of text: String) -> String { base64(digest(of: text)) }

  /// Returns the digest of a text together with the secret, as a word. Another secret gives another word.
  func name(with text: String) -> String { Secret.base64(Array(SHA256.hash(data: Data(digest + Array(text.utf8))))) }

  static func digest(of text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

  /// Compares two digests in constant time.
  static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Secret: CustomStringConvertible {
  /// A placeholder that hides the secret.
  public var description: String { "(secret)" }
}
