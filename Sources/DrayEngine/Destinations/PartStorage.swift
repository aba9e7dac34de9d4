// The storage of a part, which keeps the bytes of an unfinished file until its destination publishes it.

public import DrayCore
internal import Posix

/// Makes bytes wait until a part has space for them; called on the loop's thread.
public protocol PartBackpressure: AnyObject, Sendable {
  /// Returns `false` if the connection of these bytes must wait.
  func admits(_ count: Int, at position: Int64) -> Bool
}

/// Where a part can be divided, and how many connections may write to it at once.
public struct PartUnits: Sendable, Equatable {
  public let unit: Int64
  /// The maximum number of connections that write at once.
  public let mostWriters: Int

  public init(unit: Int64, mostWriters: Int) { (self.unit, self.mostWriters) = (unit, mostWriters) }
}

/// A part that is an upload: its bytes go to a server that keeps only whole parts of the file, so they can neither be
/// read back nor be renamed like those of a file.
public protocol PartUpload: AnyObject, Sendable {
  /// Decides whether bytes must wait; `nil` if they never do.
  var receiver: (any PartBackpressure)? { get }

  /// Whether bytes can be read before the part is published.
  var isReadable: Bool { get }

  /// The bytes that the storage has for certain; `nil` for all bytes up to its length.
  var holding: SegmentSet? { get }

  /// Returns ranges that the storage can compare instead of `places`.
  func comparable(_ places: [Segment]) -> [Segment]

  /// Gives up bytes, so that they can be fetched again.
  /// - Returns: These bytes, and further ones that cannot be kept without them.
  func giveUp(_ bytes: Segment) -> Segment

  /// Hashes bytes as they arrive in order, if they cannot be read back later.
  func hash(_ algorithms: [DigestAlgorithm])

  /// Returns the digests of the whole file; `nil` if the bytes did not arrive in order. Blocks the thread.
  func hashed(_ algorithms: [DigestAlgorithm]) -> [DigestValue]?

  /// Requires a proof of the published file, because its bytes cannot be read before. The publish then reads the bytes
  /// back, and succeeds only if `judge` accepts their digests.
  func mustProve(
    _ algorithms: [DigestAlgorithm], _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?)

  /// The digest that was proved because of ``mustProve(_:_:)``.
  var provedDigest: SourcedDigest? { get }

  /// Sets the length of the whole file, if it is known, before the first byte.
  func expect(_ length: Int64?)

  /// Returns the record without which the durable bytes cannot be found again; `nil` if their name suffices.
  func record(of durable: SegmentSet) -> ObjectUpload?

  /// Records facts about the bytes, by which the published file is recognized if its server does not say that it has
  /// created the file.
  func willHold(_ sums: BlockSums?, _ digest: DigestValue?)

  /// The only name under which the part can be published; `nil` for any name.
  var boundName: String? { get }

  /// Stops work in the background for a part whose attempt was cancelled.
  func stop()
}

/// The storage of an unfinished file. Any thread may call it, but each byte has only one writer at a time.
public protocol PartStorage: StoredBytes {
  var destination: any Destination { get }

  /// The part as an upload; `nil` if its bytes are in a file.
  var upload: (any PartUpload)? { get }

  // MARK: Bytes

  /// - Parameter stayingInMemory: Whether the bytes will soon be read again.
  /// - Returns: Whether the bytes stay in memory, which some storage cannot avoid.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64, stayingInMemory: Bool) throws(Failure) -> Bool

  /// Sets the length, and releases reserved space beyond it.
  func truncate(to length: Int64) throws(Failure)

  /// Drops all bytes before another version is written. Where machines share files, the part gets a new file, so that
  /// delayed writes of the earlier version cannot reach it.
  func empty() throws(Failure)

  /// Releases reserved space beyond a length when a transfer stops. Where machines share files, nothing is released,
  /// because a delayed truncation would cut off the file of the next owner.
  func trim(to length: Int64)

  /// Copies segments of another file to the same positions. The bytes between the segments are undefined afterwards.
  /// Blocks the thread.
  /// - Returns: `false` once `isCancelled` is true.
  func take(_ segments: SegmentSet, from other: any StoredBytes, isCancelled: () -> Bool) throws(Failure) -> Bool

  // MARK: Room

  /// Where the part can be divided; `nil` if it takes any bytes.
  var units: PartUnits? { get }

  func checkLength(_ length: Int64) throws(Failure)

  /// Reserves space for a range, if the storage can.
  /// - Throws: An error if there is no space.
  func reserve(_ range: Segment) throws(Failure)

  /// The number of bytes that the part takes, including reserved space.
  var allocated: Int64 { get }

  // MARK: Durability

  func startWriteBack(_ range: Segment)

  /// Makes bytes durable (P4). Blocks the thread.
  /// - Parameter written: The written bytes.
  /// - Returns: The bytes of `written` that a checkpoint may cover.
  /// - Throws: An error if bytes were lost. In that case, every later call throws, too.
  func makeDurable(_ written: SegmentSet) throws(Failure) -> SegmentSet

  // MARK: Publishing

  /// Tells the part what its target is, as soon as that is known.
  func willBe(_ name: String, _ description: ObjectDescription)

  /// The identity of the published file, if it differs from what ``finish(size:modified:destinationIsInPlace:)`` returned.
  var publishedIdentity: FileIdentity? { get }

  /// Whether the part is in another place than its target, so that it must be staged (``stage(size:isCancelled:)``)
  /// before it is finished (``finish(size:modified:destinationIsInPlace:)``).
  var isAway: Bool { get }

  /// Returns this part in a form that `other` can publish, if it can stage the part. Blocks the thread.
  func homed(in other: any Destination) -> any PartStorage

  /// Moves or copies the complete file to its target's place, if it is elsewhere. Blocks the thread.
  /// - Returns: The part to publish instead of this one; `nil` once `isCancelled` is true.
  func stage(size: Int64, isCancelled: () -> Bool) throws(Failure) -> (any PartStorage)?

  /// Continues to bring the complete file to its target's place, without waiting.
  /// - Returns: Whether all of the file is there; `nil` if only ``stage(size:isCancelled:)`` can do that.
  func isStaged(size: Int64) throws(Failure) -> Bool?

  /// The part for ``Destination/publish(_:as:_:)`` after ``finish(size:modified:destinationIsInPlace:)``. It differs
  /// from this one only if the destination did not create this one.
  var publishable: any PartStorage { get }

  /// Records on the file the URL that it came from, if possible.
  /// - Returns: A note for people if that was not possible.
  func recordOrigin(_ url: String) -> String?

  /// Gives the complete file its final length and time, before the sync.
  /// - Parameters:
  ///   - modified: The time of the target, in seconds since 1970; `nil` keeps the time of the last write.
  ///   - isInPlace: Whether the destination is known to be in place; `nil` if unknown.
  /// - Returns: The identity that the target will have.
  /// - Throws: An error if the file is too short, or has lost bytes, its name or its destination.
  func finish(size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?) throws(Failure) -> FileIdentity

  /// Makes the whole file durable. Blocks the thread.
  func sync() throws(Failure)

  /// Checks that no byte was lost, after the volume was synced.
  func checkWriteBack() throws(Failure)
}

extension PartStorage {
  public func empty() throws(Failure) { try truncate(to: 0) }

  /// Truncates the part; failures are ignored.
  public func trim(to length: Int64) { try? truncate(to: length) }

  /// Usually parts are where their targets will be.
  public var isAway: Bool { false }

  /// Usually only its own destination can publish a part.
  public func homed(in other: any Destination) -> any PartStorage { self }

  public var publishable: any PartStorage { self }

  /// Usually a copy is needed.
  public func isStaged(size: Int64) throws(Failure) -> Bool? { nil }

  public func stage(size: Int64, isCancelled: () -> Bool) throws(Failure) -> (any PartStorage)? { self }

  /// Usually a part takes any bytes.
  public var units: PartUnits? { nil }

  /// Usually the name is needed only at the end.
  public func willBe(_ name: String, _ description: ObjectDescription) {}

  public var publishedIdentity: FileIdentity? { nil }

  public func recordOrigin(_ url: String) -> String? { "its URL could not be recorded there" }
}

// If the part is an upload, the upload answers; a file always has space, can be read and renamed, and is found by its
// name.
extension PartStorage {
  public var upload: (any PartUpload)? { nil }
  public var receiver: (any PartBackpressure)? { upload?.receiver }
  public var isReadable: Bool { upload?.isReadable ?? true }
  public var holding: SegmentSet? { upload?.holding }
  public var provedDigest: SourcedDigest? { upload?.provedDigest }
  public var boundName: String? { upload?.boundName }
  public func comparable(_ places: [Segment]) -> [Segment] { upload?.comparable(places) ?? places }
  public func giveUp(_ bytes: Segment) -> Segment { upload?.giveUp(bytes) ?? bytes }
  public func hash(_ algorithms: [DigestAlgorithm]) { upload?.hash(algorithms) }
  public func hashed(_ algorithms: [DigestAlgorithm]) -> [DigestValue]? { upload?.hashed(algorithms) }
  public func mustProve(
    _ algorithms: [DigestAlgorithm], _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?
  ) { upload?.mustProve(algorithms, judge) }
  public func expect(_ length: Int64?) { upload?.expect(length) }
  public func record(of durable: SegmentSet) -> ObjectUpload? { upload?.record(of: durable) }
  public func willHold(_ sums: BlockSums?, _ digest: DigestValue?) { upload?.willHold(sums, digest) }
  public func stop() { upload?.stop() }
}
