// Reads blocks of a file and compares them with their checksums.

public import DrayCore
internal import Glibc

/// Compares what a file has with what is known of it.
public enum BlockComparison {
  /// Bytes that are read at once: they are summed before they leave the processor's cache.
  private static let step = 256 << 10

  /// Those of `extents` whose bytes in `file` are not those that were summed: other bytes, none, or some that cannot be
  /// read. Blocks.
  /// - Returns: `nil` once `isCancelled` says so.
  public static func differing(
    _ extents: [BlockSums.Extent], in file: any StoredBytes, isCancelled: () -> Bool = { false }
  ) -> [BlockSums.Extent]? {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 4096)
    defer { memory.deallocate() }
    var bad: [BlockSums.Extent] = []
    for extent in extents {
      var (sum, position) = (CRC32C(), extent.lower)
      while position < extent.upper {
        if isCancelled() { return nil }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: memory[..<Int(min(Int64(step), extent.upper - position))])
        // A block that cannot be read is as good as one that is not there: it is fetched again.
        guard let count = try? file.read(into: wanted, at: position), count > 0 else { break }
        sum.update(UnsafeRawBufferPointer(rebasing: wanted[..<count]))
        position += Int64(count)
      }
      if position < extent.upper || sum != extent.sum { bad.append(extent) }
    }
    return bad
  }
}
