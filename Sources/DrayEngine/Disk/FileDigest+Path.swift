// Hashes of files by their paths.

public import DrayCore

extension FileDigest {
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
    guard try !file.hasChanged() else { throw changed(file.path) }
    return (digest.values, size)
  }
}
