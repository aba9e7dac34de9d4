// The hashes of a file's pieces, as in Metalink; they show where a file is damaged.

/// All pieces except the last have the same length (RFC 5854 §4.2.12).
public struct PieceHashes: Sendable, Equatable, Codable {
  /// The hash function.
  public var algorithm: DigestAlgorithm
  /// The length of a piece in bytes.
  public var length: Int64
  /// The hashes in hexadecimal digits, in the order of the pieces.
  public var hashes: [String]

  /// Creates the hashes of pieces.
  public init(algorithm: DigestAlgorithm, length: Int64, hashes: [String]) {
    self.algorithm = algorithm
    self.length = length
    self.hashes = hashes
  }

  /// Whether the hashes cover a file of exactly `size` bytes.
  package func fits(_ size: Int64) -> Bool {
    length > 0 && size >= 0 && Int64(hashes.count) == size / length + (size % length == 0 ? 0 : 1)
  }
}
