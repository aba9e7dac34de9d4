// Hashes of the pieces of a file, as Metalink gives them: they show which part of a file is wrong.

/// The hashes of a file's pieces, all of one length but the last (RFC 5854 §4.2.12).
public struct PieceHashes: Sendable, Equatable, Codable {
  /// The hash function.
  public var algorithm: DigestAlgorithm
  /// Bytes of a piece.
  public var length: Int64
  /// The hashes in the order of the pieces, in hexadecimal digits.
  public var hashes: [String]

  /// Makes the hashes of pieces.
  public init(algorithm: DigestAlgorithm, length: Int64, hashes: [String]) {
    self.algorithm = algorithm
    self.length = length
    self.hashes = hashes
  }

  /// Whether they cover a file of `size` bytes, and no more.
  public func fits(_ size: Int64) -> Bool {
    length > 0 && size >= 0 && Int64(hashes.count) == size / length + (size % length == 0 ? 0 : 1)
  }
}
