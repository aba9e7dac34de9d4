// The storage of a part, which keeps the bytes of an unfinished file until its destination publishes them.

public import DrayCore
import Posix

/// Bytes that can be read: a part, or a published file.
public protocol StoredBytes: AnyObject, Sendable {
  /// The path for messages.
  var path: String { get }

  /// Reads up to `buffer.count` bytes at `position`; fewer only at the end. Blocks.
  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int

  /// Returns the current identity and length of the file.
  func identity() throws(Failure) -> FileIdentity

  /// Locks the file against other processes while it is open; `false` if another process has locked it.
  func lock() -> Bool

  /// Returns the bytes of `range` outside known holes of the file.
  func dataSegments(in range: Segment) -> [Segment]

  /// Whether it has these bytes at this position. Storage that cannot be read may answer by checksums: then `true` for
  /// the first bytes of a stretch says nothing yet.
  func holds(_ bytes: UnsafeRawBufferPointer, at position: Int64) -> Bool
}

/// The entrance of a part that may have to wait for room. For the loop's thread.
public protocol PartBackpressure: AnyObject, Sendable {
  /// Whether these bytes can be written now. Otherwise their connection must wait.
  func admits(_ count: Int, at position: Int64) -> Bool
}

/// The borders at which a part can be divided, and the number of its writers.
public struct PartUnits: Sendable, Equatable {
  /// The distance of the borders.
  public let unit: Int64
  /// The maximum number of connections that write at once.
  public let mostWriters: Int

  /// Creates units.
  public init(unit: Int64, mostWriters: Int) { (self.unit, self.mostWriters) = (unit, mostWriters) }
}

/// The storage of an unfinished file. Any thread may call it; each byte has one writer at a time.
public protocol PartStorage: StoredBytes {
  /// The destination that publishes it.
  var destination: any Destination { get }

  // MARK: Bytes

  /// Writes all `bytes` at `position`.
  /// - Parameter stayingInMemory: Whether the bytes will soon be read again.
  /// - Returns: Whether they stay in memory. Some storage cannot avoid it.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64, stayingInMemory: Bool) throws(Failure) -> Bool

  /// Sets the length, and releases reserved space beyond it.
  func truncate(to length: Int64) throws(Failure)

  /// Drops all bytes, to begin with another version. Where machines share files, the part gets another file, which no
  /// write of an earlier version can meet.
  func empty() throws(Failure)

  /// Releases reserved space beyond a length when a transfer stops. Where machines share files, nothing is released: a
  /// truncation that comes late would cut the file of the next owner.
  func trim(to length: Int64)

  /// Copies segments of another file to the same positions. The bytes between them become undefined. Blocks.
  /// - Returns: `false` once `isCancelled` is true.
  func take(_ segments: SegmentSet, from other: any StoredBytes, isCancelled: () -> Bool) throws(Failure) -> Bool

  /// The entrance, if bytes may have to wait for room.
  var receiver: (any PartBackpressure)? { get }

  /// Whether its bytes can be read before it is published.
  var isReadable: Bool { get }

  /// The bytes that it certainly has; `nil` for all up to its length.
  var holding: SegmentSet? { get }

  /// Returns the places that it can compare, instead of `places`.
  func comparable(_ places: [Segment]) -> [Segment]

  /// Gives up bytes that are fetched again.
  /// - Returns: Those bytes, and others that cannot be kept without them.
  func giveUp(_ bytes: Segment) -> Segment

  /// Hashes bytes that come in order, if they cannot be read back later.
  func hash(_ algorithms: [DigestAlgorithm])

  /// Returns the digests of the whole file; `nil` if the bytes did not come in order. Blocks.
  func hashed(_ algorithms: [DigestAlgorithm]) -> [DigestValue]?

  /// Requires a proof of the published file, because its bytes cannot be read before: the publish reads them back, and
  /// succeeds only if `judge` accepts their digests.
  func mustProve(
    _ algorithms: [DigestAlgorithm], _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?)

  /// The digest that such a proof has shown.
  var provedDigest: SourcedDigest? { get }

  /// Sets the length of the whole file, if it is known, before its first byte.
  func expect(_ length: Int64?)

  // MARK: Room

  /// The units in which it is written; `nil` if it takes any bytes.
  var units: PartUnits? { get }

  /// Checks whether a file of this length can be stored.
  func checkLength(_ length: Int64) throws(Failure)

  /// Reserves space for a range, if the storage can.
  /// - Throws: If there is no space.
  func reserve(_ range: Segment) throws(Failure)

  /// The used space in bytes, including reserved space.
  var allocated: Int64 { get }

  // MARK: Durability

  /// Starts to make a range durable, without waiting.
  func startWriteBack(_ range: Segment)

  /// Makes bytes durable (P4). Blocks.
  /// - Parameter written: The written bytes.
  /// - Returns: The bytes of `written` that a checkpoint may claim.
  /// - Throws: If bytes were lost. Every later call throws, too.
  func makeDurable(_ written: SegmentSet) throws(Failure) -> SegmentSet

  /// Returns the record without which durable bytes cannot be found again; `nil` if their name is enough.
  func record(of durable: SegmentSet) -> ObjectUpload?

  // MARK: Publishing

  /// Describes the target, as soon as that is known.
  func willBe(_ name: String, _ description: ObjectDescription)

  /// Tells the known facts about the bytes, by which the published file is recognized if its server does not say that it
  /// made it.
  func willHold(_ sums: BlockSums?, _ digest: DigestValue?)

  /// The only name under which the part can be published; `nil` if it can get any.
  var boundName: String? { get }

  /// The identity of the published file, if it differs from what ``finish(size:modified:destinationIsInPlace:)`` returned.
  var publishedIdentity: FileIdentity? { get }

  /// Whether the part is elsewhere than its target, so that it must be brought there before it is finished.
  var isAway: Bool { get }

  /// Returns this part for publishing by another destination, if that can bring it to its side. Blocks.
  func homed(in other: any Destination) -> any PartStorage

  /// Brings the complete file to its target's side, if it is elsewhere. Blocks.
  /// - Returns: The part to publish instead of this one; `nil` once `isCancelled` is true.
  func stage(size: Int64, isCancelled: () -> Bool) throws(Failure) -> (any PartStorage)?

  /// Goes on bringing the complete file to its target's side, without waiting.
  /// - Returns: Whether all of it is there; `nil` if only ``bring(size:isCancelled:)`` can do it.
  func isStaged(size: Int64) throws(Failure) -> Bool?

  /// Stops background work for a part whose attempt was cancelled.
  func stop()

  /// The part to hand to ``Destination/publish(_:as:_:)`` after it was finished. Another one than this only if the
  /// destination did not make this one.
  var publishable: any PartStorage { get }

  /// Records on the file the URL that it came from. Best effort.
  /// - Returns: A note for people if that was not possible.
  func recordOrigin(_ url: String) -> String?

  /// Gives the complete file its final length and time, before the sync.
  /// - Parameters:
  ///   - modified: The time of the target, in seconds since 1970; `nil` keeps the time of the last write.
  ///   - isInPlace: Whether the destination is in place, if known.
  /// - Returns: The identity that the target will have.
  /// - Throws: If the file is too short, or has lost bytes, its name or its destination.
  func finish(size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?) throws(Failure) -> FileIdentity

  /// Makes the whole file durable. Blocks.
  func sync() throws(Failure)

  /// Checks that no byte was lost, after the volume was synced.
  func checkWriteBack() throws(Failure)
}

extension PartStorage {
  /// Sets the length to 0.
  public func empty() throws(Failure) { try truncate(to: 0) }

  /// Sets the length, best effort.
  public func trim(to length: Int64) { try? truncate(to: length) }

  /// Parts are where their targets will be, unless their storage says otherwise.
  public var isAway: Bool { false }

  /// Returns this part, which only its own destination publishes.
  public func homed(in other: any Destination) -> any PartStorage { self }

  /// This part.
  public var publishable: any PartStorage { self }

  /// `nil`: it is brought by a copy.
  public func isStaged(size: Int64) throws(Failure) -> Bool? { nil }

  /// Does nothing: there is no background work.
  public func stop() {}

  /// Returns this part.
  public func stage(size: Int64, isCancelled: () -> Bool) throws(Failure) -> (any PartStorage)? { self }

  /// `nil`: there is always room.
  public var receiver: (any PartBackpressure)? { nil }

  /// Parts can be read, unless their storage says otherwise.
  public var isReadable: Bool { true }

  /// `nil`: all bytes up to its length.
  public var holding: SegmentSet? { nil }

  /// Returns the places: it can be compared everywhere.
  public func comparable(_ places: [Segment]) -> [Segment] { places }

  /// Returns these bytes alone.
  public func giveUp(_ bytes: Segment) -> Segment { bytes }

  /// Does nothing: the bytes can be read.
  public func hash(_ algorithms: [DigestAlgorithm]) {}

  /// Returns `nil`: the bytes can be read.
  public func hashed(_ algorithms: [DigestAlgorithm]) -> [DigestValue]? { nil }

  /// Does nothing: digests are compared before the publish.
  public func mustProve(
    _ algorithms: [DigestAlgorithm], _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?
  ) {}

  /// `nil`: a file can be renamed.
  public var boundName: String? { nil }

  /// `nil`: nothing is proved by the publish.
  public var provedDigest: SourcedDigest? { nil }

  /// Does nothing: any length fits.
  public func expect(_ length: Int64?) {}

  /// `nil`: any bytes.
  public var units: PartUnits? { nil }

  /// Returns `nil`: the name is enough.
  public func record(of durable: SegmentSet) -> ObjectUpload? { nil }

  /// Does nothing: the name is needed at the end only.
  public func willBe(_ name: String, _ description: ObjectDescription) {}

  /// Does nothing: a file system says what it does.
  public func willHold(_ sums: BlockSums?, _ digest: DigestValue?) {}

  /// `nil`: the identity is the one that ``finish(size:modified:destinationIsInPlace:)`` returned.
  public var publishedIdentity: FileIdentity? { nil }

  /// Returns a note: the storage has no such record.
  public func recordOrigin(_ url: String) -> String? { "its URL could not be recorded there" }
}

extension StoredBytes {
  /// Returns up to `count` bytes at `position`; fewer only at the end.
  public func bytes(_ count: Int, at position: Int64 = 0) throws(Failure) -> [UInt8] {
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let result: Result<Int, Failure> = bytes.withUnsafeMutableBytes { buffer in
      do throws(Failure) { return .success(try read(into: buffer, at: position)) } catch { return .failure(error) }
    }
    bytes.removeLast(count - (try result.get()))
    return bytes
  }

  /// Reads the bytes and compares them.
  public func holds(_ bytes: UnsafeRawBufferPointer, at position: Int64) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 16) { here in
      guard let mine = here.baseAddress, let theirs = bytes.baseAddress,
        (try? read(into: here, at: position)) == bytes.count
      else { return false }
      return System.areEqual(mine, theirs, bytes.count)
    }
  }
}
