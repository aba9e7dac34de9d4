// The options for writing a job's file as an object: the server and the keys, and the properties of the object.

/// The options of a job whose target is an object.
public struct ObjectOptions: Sendable, Equatable, Codable {
  /// The server and the keys; `nil` for those of the environment at the time of the attempt.
  public var access: ObjectAccess?
  /// Whether ``access`` was given only for the target (`--target-profile`). If not, it comes from the options for `s3`
  /// URLs.
  public var hasOwnAccess: Bool?
  /// The storage class, in Amazon's spelling; `nil` for the bucket's default.
  public var storageClass: String?
  /// The encryption by the server; `nil` for the bucket's default.
  public var encryption: ObjectEncryption?
  /// The canned access control list; `nil` for the bucket's default.
  public var cannedACL: String?
  /// The user's metadata, sent as fields `x-amz-meta-NAME`.
  public var metadata: [ObjectProperty]?
  /// Tags of the object.
  public var tags: [ObjectProperty]?
  /// The maximum number of bytes that wait in memory to be uploaded; `nil` for ``usualMemory``.
  public var uploadMemory: Int64?

  /// The memory for uploads if none is set.
  public static let usualMemory: Int64 = 48 << 20
  /// The minimum of this memory: with less, no part could be uploaded while the next one arrives.
  public static let leastMemory: Int64 = 16 << 20

  /// Creates options that leave everything to the environment and the bucket.
  public init() {}

  /// The profile that was given only for the target.
  public var targetProfile: String? { hasOwnAccess ?? false ? access?.signature.profile : nil }

  /// The signature that comes from the options for `s3` URLs.
  package var sharedSignature: AWSSignature? { hasOwnAccess ?? false ? nil : access?.signature }
}

/// How the server encrypts an object.
public enum ObjectEncryption: Sendable, Equatable {
  /// With the service's own keys.
  case aes256
  /// With a key of the key management service; `nil` for the account's default key.
  case kms(key: String?)
  /// With two layers of encryption, with a key of the key management service.
  case kmsTwice(key: String?)

  /// Reads `AES256`, `aws:kms`, `aws:kms:dsse`, and the latter two with a key after a slash; `nil` for other texts.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let key = parts.count > 1 ? String(parts[1]) : nil
    guard key.map(ObjectEncryption.isKey) ?? true else { return nil }
    switch (parts[0].lowercased(), key) {
    case ("aes256", nil): self = .aes256
    case ("aws:kms", _): self = .kms(key: key)
    case ("aws:kms:dsse", _): self = .kmsTwice(key: key)
    default: return nil
    }
  }

  /// The text of an option.
  public var text: String { algorithm + (key.map { "/" + $0 } ?? "") }

  /// The value of `x-amz-server-side-encryption`.
  public var algorithm: String {
    switch self {
    case .aes256: "AES256"
    case .kms: "aws:kms"
    case .kmsTwice: "aws:kms:dsse"
    }
  }

  /// The value of `x-amz-server-side-encryption-aws-kms-key-id`.
  public var key: String? {
    switch self {
    case .aes256: nil
    case .kms(let key), .kmsTwice(let key): key
    }
  }

  /// Whether a text is the id, the alias or the ARN of a key.
  private static func isKey(_ text: String) -> Bool {
    (1...2048).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_:/".utf8.contains($0) }
  }
}

extension ObjectEncryption: Codable {
  /// Decodes a text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let one = ObjectEncryption(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "an encryption")
    }
    self = one
  }

  /// Encodes a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// A name and a value that are stored with an object: metadata or a tag.
public struct ObjectProperty: Sendable, Equatable, Codable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a property.
  public init(name: String, value: String) { (self.name, self.value) = (name, value) }

  /// `NAME=VALUE`.
  public var text: String { "\(name)=\(value)" }

  /// The maximum length of all metadata in bytes.
  public static let longestMetadata = 2048
  /// The maximum number of tags of an object.
  public static let mostTags = 10
  /// The prefix of the names of metadata that dray writes.
  public static let ownPrefix = "dray-"

  /// Splits `NAME=VALUE`; returns `nil` without a name or an equals sign.
  private static func split(_ text: String) -> ObjectProperty? {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
    return ObjectProperty(name: String(text[..<sign]), value: String(text[text.index(after: sign)...]))
  }

  /// Reads metadata. Names become lowercase, as servers return them.
  /// - Throws: The reason why the text is no metadata, as a clause.
  package static func metadata(_ text: String) throws(ObjectPropertyError) -> ObjectProperty {
    guard var property = split(text) else { throw ObjectPropertyError("write NAME=VALUE") }
    property.name = property.name.lowercased()
    if property.name.hasPrefix("x-amz-meta-") { property.name.removeFirst("x-amz-meta-".count) }
    guard !property.name.isEmpty,
      property.name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F })
    else { throw ObjectPropertyError("a name has letters, digits, - and _ only") }
    guard !property.name.hasPrefix(ownPrefix) else {
      throw ObjectPropertyError("names that begin with \(ownPrefix) are dray's")
    }
    // Accept only printable ASCII: for other bytes, servers differ in what they accept and in how they sign it.
    guard property.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw ObjectPropertyError("a value is printable ASCII: encode other text, such as in base64")
    }
    guard property.value.first != " ", property.value.last != " " else {
      throw ObjectPropertyError("a value has no blanks at its ends")
    }
    return property
  }

  /// Reads a tag.
  /// - Throws: The reason why the text is no tag, as a clause.
  package static func tag(_ text: String) throws(ObjectPropertyError) -> ObjectProperty {
    guard let property = split(text) else { throw ObjectPropertyError("write NAME=VALUE") }
    guard property.name.unicodeScalars.count <= 128, property.value.unicodeScalars.count <= 256 else {
      throw ObjectPropertyError("a tag's name has at most 128 characters, its value 256")
    }
    func isAllowed(_ text: String) -> Bool {
      text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
          || $0.properties.generalCategory == .spaceSeparator
          || "_.:/=+-@".unicodeScalars.contains($0)
      }
    }
    guard isAllowed(property.name), isAllowed(property.value) else {
      throw ObjectPropertyError("a tag has letters, digits, blanks and _.:/=+-@ only")
    }
    guard !property.name.lowercased().hasPrefix("aws:") else {
      throw ObjectPropertyError("tags that begin with aws: are Amazon's")
    }
    return property
  }

  /// Returns the reason why these metadata are too many, as a clause; `nil` if they are not.
  package static func objection(toMetadata all: [ObjectProperty]) -> String? {
    let size = all.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    // Half of the space is reserved for dray's own fields.
    guard size > longestMetadata / 2 else { return nil }
    return "all metadata together has at most \(longestMetadata / 2) bytes, and these have \(size)"
  }

  /// Returns the reason why these tags are too many, as a clause; `nil` if they are not.
  package static func objection(toTags all: [ObjectProperty]) -> String? {
    all.count > mostTags ? "an object has at most \(mostTags) tags" : nil
  }
}

/// An invalid text of a property.
package struct ObjectPropertyError: ParseError, Sendable {
  /// The reason, as a clause.
  package var message: String

  init(_ message: String) { self.message = message }
}
