// Reads blocks of a file and compares them with their checksums.

public import DrayCore

public enum BlockComparison {
  /// Returns the extents among `extents` that differ in `file`, are missing, or cannot be read. The call blocks the
  /// calling thread.
  /// - Returns: `nil` once `isCancelled` is true.
  public static func differing(
    _ extents: [BlockSums.Extent], in file: any StoredBytes, isCancelled: () -> Bool = { false }
  ) -> [BlockSums.Extent]? {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: FileDigest.blockSize, alignment: 4096)
    defer { memory.deallocate() }
    var bad: [BlockSums.Extent] = []
    for extent in extents {
      var (sum, position) = (CRC32C(), extent.lower)
      while position < extent.upper {
        if isCancelled() { return nil }
        let wanted = UnsafeMutableRawBufferPointer(
          rebasing: memory[..<Int(min(Int64(FileDigest.blockSize), extent.upper - position))])
        // An unreadable block counts as missing, so that its bytes are fetched again.
        guard let count = try? file.read(into: wanted, at: position), count > 0 else { break }
        sum.update(UnsafeRawBufferPointer(rebasing: wanted[..<count]))
        position += Int64(count)
      }
      if position < extent.upper || sum != extent.sum { bad.append(extent) }
    }
    return bad
  }
}
