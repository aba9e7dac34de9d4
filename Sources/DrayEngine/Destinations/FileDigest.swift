// Hashes of complete files.

public import DrayCore

/// Computes digests of files.
public enum FileDigest {
  /// Bytes that are read at once: they are hashed while they are in the processor's own memory.
  static let blockSize = 256 << 10

  /// The digests of the first `size` bytes of a file, in the order of the algorithms; the file is read once. Blocks.
  /// - Throws: ``Failure`` when it cannot be read; `CancellationError` once `isCancelled` says so.
  public static func compute(
    _ algorithms: [DigestAlgorithm], of file: any StoredBytes, size: Int64, isCancelled: () -> Bool = { false }
  ) throws -> [DigestValue] {
    try compute(algorithms, of: file, in: 0..<size, isCancelled: isCancelled)
  }

  /// The digests of some bytes of a file. Blocks.
  /// - Throws: ``Failure`` when they cannot be read; `CancellationError` once `isCancelled` says so.
  static func compute(
    _ algorithms: [DigestAlgorithm], of file: any StoredBytes, in segment: Segment, isCancelled: () -> Bool = { false }
  ) throws -> [DigestValue] {
    var digest = RunningDigest(algorithms)
    guard !algorithms.isEmpty else { return [] }
    try read(file, segment, isCancelled) { digest.update($0) }
    return digest.values
  }

  /// The failure of a file that changed while it was read.
  public static func changed(_ path: String) -> Failure {
    Failure(.file, path, "it changed while it was read", advice: "try again when nothing writes to it")
  }

  /// Hands out the bytes of a range in their order.
  static func read(
    _ file: any StoredBytes, _ range: Segment, _ isCancelled: () -> Bool, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws {
    let block = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(min(Int64(blockSize), max(1, range.upperBound - range.lowerBound))), alignment: 4096)
    defer { block.deallocate() }
    var position = range.lowerBound
    while position < range.upperBound {
      if isCancelled() { throw CancellationError() }
      let wanted = Int(min(Int64(block.count), range.upperBound - position))
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<wanted]), at: position)
      guard count > 0 else { throw Failure.becameShorter(file.path) }
      body(UnsafeRawBufferPointer(rebasing: block[..<count]))
      position += Int64(count)
    }
  }
}
