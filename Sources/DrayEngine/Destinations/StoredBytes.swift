public import DrayCore
internal import Posix

/// The readable bytes of a file or object, such as a part or a target.
public protocol StoredBytes: AnyObject, Sendable {
  var path: String { get }

  /// Reads up to `buffer.count` bytes at `position`; returns fewer only at the end. The call blocks the calling thread.
  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int

  func identity() throws(Failure) -> FileIdentity

  /// Locks the file against other processes while it is open. Returns `false` if another process has locked it.
  func lock() -> Bool

  /// Returns the bytes of `range` that are not in known holes of the file.
  func dataSegments(in range: Segment) -> [Segment]

  /// Whether the storage has exactly these bytes at this position. Storage that cannot be read may compare checksums
  /// instead; in that case, it may return `true` at the beginning of a stretch before anything was compared.
  func holds(_ bytes: UnsafeRawBufferPointer, at position: Int64) -> Bool
}

extension StoredBytes {
  /// Returns bytes; returns fewer than `count` only at the end.
  public func bytes(_ count: Int, at position: Int64 = 0) throws(Failure) -> [UInt8] {
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let result: Result<Int, Failure> = bytes.withUnsafeMutableBytes { buffer in
      do throws(Failure) { return .success(try read(into: buffer, at: position)) } catch { return .failure(error) }
    }
    bytes.removeLast(count - (try result.get()))
    return bytes
  }

  public func holds(_ bytes: UnsafeRawBufferPointer, at position: Int64) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 16) { here in
      guard let mine = here.baseAddress, let theirs = bytes.baseAddress,
        (try? read(into: here, at: position)) == bytes.count
      else { return false }
      return System.areEqual(mine, theirs, bytes.count)
    }
  }
}
