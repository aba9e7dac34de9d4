// Hashes of complete files.

public import DrayCore
internal import Glibc
internal import Posix

/// Computes digests of files.
public enum FileDigest {
  /// Bytes that are read at once: they are hashed while they are in the processor's own memory.
  static let blockSize = 256 << 10

  /// The digests of the first `size` bytes of a part file, in the order of the algorithms; the file is read once. Blocks.
  /// - Throws: ``SystemError`` when it cannot be read; `CancellationError` once `isCancelled` says so.
  public static func compute(
    _ algorithms: [DigestAlgorithm], of file: PartFile, size: Int64, isCancelled: () -> Bool = { false }
  ) throws -> [DigestValue] {
    try compute(algorithms, of: file, in: 0..<size, isCancelled: isCancelled)
  }

  /// The digests of some bytes of a part file. Blocks.
  /// - Throws: ``SystemError`` when they cannot be read; `CancellationError` once `isCancelled` says so.
  static func compute(
    _ algorithms: [DigestAlgorithm], of file: PartFile, in segment: Segment, isCancelled: () -> Bool = { false }
  ) throws -> [DigestValue] {
    var digest = RunningDigest(algorithms)
    guard !algorithms.isEmpty else { return [] }
    try read(file, segment, isCancelled) { digest.update($0) }
    return digest.values
  }

  /// The digests of a whole file, and its length. Blocks.
  /// - Throws: ``Failure`` of kind `file` when there is none, it cannot be read, or it changes meanwhile.
  public static func compute(
    _ algorithms: [DigestAlgorithm], ofFileAt path: String
  ) throws(Failure) -> (values: [DigestValue], size: Int64) {
    let file = try LocalFile(path: Array(path.utf8))
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 4096)
    defer { block.deallocate() }
    var digest = RunningDigest(algorithms)
    var size: Int64 = 0
    while case let count = try file.read(into: block, at: size), count > 0 {
      digest.update(UnsafeRawBufferPointer(rebasing: block[..<count]))
      size += Int64(count)
    }
    guard try !file.hasChanged() else {
      throw Failure(.file, file.path, "it changed while it was read", advice: "try again when nothing writes to it")
    }
    return (digest.values, size)
  }

  /// Hands out the bytes of a range in their order.
  static func read(
    _ file: PartFile, _ range: Segment, _ isCancelled: () -> Bool, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws {
    let block = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(min(Int64(blockSize), max(1, range.upperBound - range.lowerBound))), alignment: 4096)
    defer { block.deallocate() }
    var position = range.lowerBound
    while position < range.upperBound {
      if isCancelled() { throw CancellationError() }
      let wanted = Int(min(Int64(block.count), range.upperBound - position))
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<wanted]), at: position)
      guard count > 0 else { throw SystemError("read", EIO) }
      body(UnsafeRawBufferPointer(rebasing: block[..<count]))
      position += Int64(count)
    }
  }
}
