// Digests in the forms that users and servers write.

internal import FoundationEssentials

/// The reason why a text is not a digest.
public struct DigestParseError: ParseError, Sendable {
  /// One line: the error, and a valid form.
  public let message: String
  init(_ message: String) { self.message = message }
}

/// The digest of a whole file.
public struct DigestValue: Hashable, Sendable {
  /// The algorithm.
  public let algorithm: DigestAlgorithm
  /// The ``DigestAlgorithm/byteCount`` bytes of the digest.
  public let bytes: [UInt8]

  /// Creates a digest from computed bytes.
  public init(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Reads `ALGORITHM=HEX` or `ALGORITHM=BASE64`; `:` may replace `=`. Hexadecimal digits alone are enough, as in lists
  /// of digests, because their number shows the algorithm.
  /// - Throws: ``DigestParseError`` for an unknown algorithm, invalid digits or a wrong length.
  public static func parse(_ text: String) throws(DigestParseError) -> DigestValue {
    guard let mark = text.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
      guard let bytes = hexBytes(text), !bytes.isEmpty else {
        throw DigestParseError("\(quoted(text)) is not a digest: write it like sha-256=HEX")
      }
      if let algorithm = DigestAlgorithm.hashes.first(where: { $0.byteCount == bytes.count }) {
        return DigestValue(algorithm, bytes: bytes)
      }
      throw DigestParseError(
        "\(quoted(text)) has \(text.utf8.count) digits, which name no algorithm: write it like sha-256=HEX or crc32=HEX"
      )
    }
    let name = String(text[..<mark])
    guard let algorithm = DigestAlgorithm(named: name) else {
      let known = DigestAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
      throw DigestParseError("the digest algorithm \(quoted(name)) is unknown: use one of \(known)")
    }
    let digits = String(text[text.index(after: mark)...])
    if let bytes = hexBytes(digits), bytes.count == algorithm.byteCount { return DigestValue(algorithm, bytes: bytes) }
    if let bytes = base64Bytes(digits), bytes.count == algorithm.byteCount {
      return DigestValue(algorithm, bytes: bytes)
    }
    throw DigestParseError(
      "a \(algorithm.rawValue) digest has \(algorithm.byteCount * 2) hexadecimal digits (or is its base64),"
        + " and \(quoted(digits)) has \(digits.count) characters")
  }

  /// The digest in lowercase hexadecimal digits.
  public var hex: String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { target in
      for (index, byte) in bytes.enumerated() { (target[2 * index], target[2 * index + 1]) = hexDigits(byte) }
      return 2 * bytes.count
    }
  }

  /// The digest in padded base64.
  public var base64: String { Data(bytes).base64EncodedString() }

  private static func hexBytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map(\.hexValue)
    guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
  }

  private static func base64Bytes(_ text: String) -> [UInt8]? {
    var standard = text.replacing("-", with: "+").replacing("_", with: "/")
    while standard.utf8.count % 4 != 0 { standard += "=" }
    return Data(base64Encoded: standard).map(Array.init)
  }
}

extension DigestValue: CustomStringConvertible {
  /// The form `sha-256=HEX`.
  public var description: String { "\(algorithm.rawValue)=\(hex)" }
}

extension DigestValue: Codable {
  /// Decodes a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try DigestValue.parse(try container.decode(String.self))
    } catch let error as DigestParseError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Encodes a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
