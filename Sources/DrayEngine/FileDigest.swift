// Hashes of whole files.

internal import Crypto
public import DrayCore
internal import Foundation

/// Computes digests of files.
public enum FileDigest {
  private static let blockSize = 1 << 20

  /// The digest of the first `size` bytes of a part file. Blocks.
  /// - Throws: ``SystemError`` when it cannot be read; `CancellationError` once `isCancelled` says so.
  public static func compute(
    _ algorithm: DigestAlgorithm, of file: PartFile, size: Int64, isCancelled: () -> Bool = { false }
  ) throws -> DigestValue {
    try compute(algorithm, of: file, in: 0..<size, isCancelled: isCancelled)
  }

  /// The digest of some bytes of a part file. Blocks.
  /// - Throws: ``SystemError`` when they cannot be read; `CancellationError` once `isCancelled` says so.
  static func compute(
    _ algorithm: DigestAlgorithm, of file: PartFile, in segment: Segment, isCancelled: () -> Bool = { false }
  ) throws -> DigestValue {
    switch algorithm {
    case .md5: DigestValue(algorithm, bytes: try hash(Insecure.MD5.self, file, segment, isCancelled))
    case .sha1: DigestValue(algorithm, bytes: try hash(Insecure.SHA1.self, file, segment, isCancelled))
    case .sha256: DigestValue(algorithm, bytes: try hash(SHA256.self, file, segment, isCancelled))
    case .sha384: DigestValue(algorithm, bytes: try hash(SHA384.self, file, segment, isCancelled))
    case .sha512: DigestValue(algorithm, bytes: try hash(SHA512.self, file, segment, isCancelled))
    }
  }

  private static func hash<Function: HashFunction>(
    _ function: Function.Type, _ file: PartFile, _ segment: Segment, _ isCancelled: () -> Bool
  ) throws -> [UInt8] {
    var hasher = Function()
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 4096)
    defer { block.deallocate() }
    var position = segment.lowerBound
    while position < segment.upperBound {
      if isCancelled() { throw CancellationError() }
      let wanted = Int(min(Int64(blockSize), segment.upperBound - position))
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<wanted]), at: position)
      guard count > 0 else { throw SystemError("read", EIO) }
      hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: block[..<count]))
      position += Int64(count)
    }
    return Array(hasher.finalize())
  }
}
