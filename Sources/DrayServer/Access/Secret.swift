// The secret of a service, and how another text is compared with it.

internal import Crypto
internal import FoundationEssentials

/// A secret. It is in no description, so that no log can have it.
public struct Secret: Sendable {
  /// The fewest bytes that one may have.
  public static let shortest = 8
  /// The most bytes that one may have.
  public static let longest = 1024

  private let digest: [UInt8]

  /// Makes a secret of a text; nil for one that is too short to be kept, too long, or has control characters.
  public init?(_ text: String) {
    guard (Self.shortest...Self.longest).contains(text.utf8.count) else { return nil }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    digest = Self.digest(of: text)
  }

  /// Whether a text is the secret. The time it takes says nothing about the secret: digests are compared, all of their bytes.
  public func matches(_ text: String) -> Bool { Self.areEqual(digest, Self.digest(of: text)) }

  /// A text that nobody guesses: 32 random bytes in the letters of base64url (RFC 4648 §5).
  public static func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let text = Data(bytes).base64EncodedString()
    return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  static func digest(of text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

  /// Compares two digests in a time that does not depend on where they differ.
  static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Secret: CustomStringConvertible {
  /// No part of it.
  public var description: String { "(secret)" }
}
