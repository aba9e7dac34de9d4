// The storage of a part: keeps the bytes of an unfinished file until its destination publishes them.

public import DrayCore
internal import Glibc

/// Bytes that can be read: a part, or a published file.
public protocol StoredBytes: AnyObject, Sendable {
  /// The path for messages.
  var path: String { get }

  /// Reads up to `buffer.count` bytes at `position`; fewer only at the end. Blocks.
  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int

  /// The identity and the length of the file as it is now.
  func identity() throws(Failure) -> FileIdentity

  /// Keeps other processes from working on the file while it is open; `false` if one already does.
  func lock() -> Bool

  /// The bytes of `range` outside the holes of the file, as far as that is known.
  func dataSegments(in range: Segment) -> [Segment]
}

/// The storage of an unfinished file. Any thread may call it; each byte has one writer at a time.
public protocol PartStorage: StoredBytes {
  /// The destination that publishes it.
  var destination: any Destination { get }

  // MARK: Bytes

  /// Writes all of `bytes` at `position`.
  /// - Parameter stayingInMemory: whether the bytes are read again soon.
  /// - Returns: whether they stay in memory. If that was not asked for, the storage cannot avoid it.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64, stayingInMemory: Bool) throws(Failure) -> Bool

  /// Sets the length, and releases the room that was reserved beyond it.
  func truncate(to length: Int64) throws(Failure)

  /// Copies bytes of another file to their places. Bytes between them are undefined then. Blocks.
  /// - Returns: `false` once `isCancelled` says so.
  func take(_ segments: SegmentSet, from other: any StoredBytes, isCancelled: () -> Bool) throws(Failure) -> Bool

  // MARK: Room

  /// Checks whether a file of this length can be stored.
  func checkLength(_ length: Int64) throws(Failure)

  /// Reserves room for a range, as far as the storage can.
  /// - Throws: if there is no room.
  func reserve(_ range: Segment) throws(Failure)

  /// The room that it takes, in bytes, including reserved room.
  var allocated: Int64 { get }

  // MARK: Durability

  /// Starts to make a range durable, without waiting.
  func startWriteBack(_ range: Segment)

  /// Makes bytes durable (P4). Blocks.
  /// - Parameter written: the bytes that were written.
  /// - Returns: the bytes of `written` that a checkpoint may claim.
  /// - Throws: if bytes were lost. Every later call throws, too.
  func makeDurable(_ written: SegmentSet) throws(Failure) -> SegmentSet

  // MARK: Publishing

  /// Gives the whole file its final length and time, before it is synced.
  /// - Parameters:
  ///   - modified: the time of the target, in seconds since 1970; `nil` keeps the time of its arrival.
  ///   - isInPlace: whether the destination is in place, if that is known.
  /// - Returns: the identity that the target will have.
  /// - Throws: if the file is too short, or has lost bytes, its name or its destination.
  func finish(size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?) throws(Failure) -> FileIdentity

  /// Makes the whole file durable. Blocks.
  func sync() throws(Failure)

  /// Checks that no byte was lost, after the volume was synced.
  func checkWriteBack() throws(Failure)
}

extension StoredBytes {
  /// The bytes at `position`, at most `count`; fewer only at the end.
  public func bytes(_ count: Int, at position: Int64 = 0) throws(Failure) -> [UInt8] {
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let result: Result<Int, Failure> = bytes.withUnsafeMutableBytes { buffer in
      do throws(Failure) { return .success(try read(into: buffer, at: position)) } catch { return .failure(error) }
    }
    bytes.removeLast(count - (try result.get()))
    return bytes
  }

  /// Whether it has these bytes at this position.
  func holds(_ bytes: UnsafeRawBufferPointer, at position: Int64) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 16) { here in
      guard let mine = here.baseAddress, let theirs = bytes.baseAddress,
        (try? read(into: here, at: position)) == bytes.count
      else { return false }
      return memcmp(mine, theirs, bytes.count) == 0
    }
  }
}
