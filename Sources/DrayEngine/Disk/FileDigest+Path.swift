// Hashes files by path.

public import DrayCore

extension FileDigest {
  /// Returns the digests of a whole file, and its length. The call blocks the calling thread.
  /// - Throws: ``Failure`` of kind `file` if the file is missing, cannot be read, or changes while it is read.
  public static func compute(
    _ algorithms: [DigestAlgorithm], ofFileAt path: String
  ) throws(Failure) -> (values: [DigestValue], size: Int64) {
    let file = try LocalFile(path: Array(path.utf8))
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 4096)
    defer { block.deallocate() }
    // The length cannot change unnoticed: a file that has changed is refused below.
    var digest = RunningDigest(algorithms, size: file.facts.size)
    var size: Int64 = 0
    while case let count = try file.read(into: block, at: size), count > 0 {
      digest.update(UnsafeRawBufferPointer(rebasing: block[..<count]))
      size += Int64(count)
    }
    guard try !file.hasChanged() else { throw changed(file.path) }
    return (digest.values, size)
  }
}
