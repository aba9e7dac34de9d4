// Reads the pieces of a file and compares them with their hashes.

public import DrayCore

extension PieceHashes {
  /// Returns the bytes of the pieces of `file` that match their hashes. Missing and unreadable pieces do not match. The
  /// call blocks the calling thread.
  /// - Parameter size: The expected length of the file.
  /// - Returns: `nil` once `isCancelled` is true.
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
