// Reads the pieces of a file and compares them with their hashes.

public import DrayCore

extension PieceHashes {
  /// The bytes of the pieces of `file` that have their hash; those that are not there, or cannot be read, have none.
  /// Blocks.
  /// - Parameter size: the length that the file is to have.
  /// - Returns: `nil` once `isCancelled` says so.
  public func good(in file: any StoredBytes, size: Int64, isCancelled: () -> Bool = { false }) -> SegmentSet? {
    var good = SegmentSet()
    for (segment, hash) in pieces(of: size) {
      do {
        let found = try FileDigest.compute([algorithm], of: file, in: segment, isCancelled: isCancelled)
        if found.first?.hex == hash.lowercased() { good.insert(segment) }
      } catch is CancellationError {
        return nil
      } catch {
        continue  // A piece that cannot be read is fetched again.
      }
    }
    return good
  }
}
