// Hashes complete files.

public import DrayCore

public enum FileDigest {
  /// The number of bytes to read at once: small enough that the bytes are hashed while still in the processor's cache.
  static let blockSize = 256 << 10

  /// Returns the digests of the first `size` bytes of a file, in the order of the algorithms. The file is read once for
  /// all algorithms. The call blocks the calling thread.
  /// - Throws: ``Failure`` if the file cannot be read; `CancellationError` once `isCancelled` is true.
  public static func compute(
    _ algorithms: [DigestAlgorithm], of file: any StoredBytes, size: Int64, isCancelled: () -> Bool = { false }
  ) throws -> [DigestValue] {
    try compute(algorithms, of: file, in: 0..<size, isCancelled: isCancelled)
  }

  /// Returns the digests of a range of a file. The call blocks the calling thread.
  /// - Throws: ``Failure`` if the file cannot be read; `CancellationError` once `isCancelled` is true.
  static func compute(
    _ algorithms: [DigestAlgorithm], of file: any StoredBytes, in segment: Segment, isCancelled: () -> Bool = { false }
  ) throws -> [DigestValue] {
    var digest = RunningDigest(algorithms, size: Int64(segment.count))
    guard !algorithms.isEmpty else { return [] }
    try read(file, segment, isCancelled) { digest.update($0) }
    return digest.values
  }

  public static func changed(_ path: String) -> Failure {
    Failure(.file, path, "it changed while it was read", advice: "try again when nothing writes to it")
  }

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
