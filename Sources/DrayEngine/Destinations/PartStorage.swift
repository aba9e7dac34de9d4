// The storage of a part, which keeps the bytes of an unfinished file until its destination publishes them.

public import DrayCore
internal import Posix

/// Makes bytes wait until a part has room for them. For the loop's thread.
public protocol PartBackpressure: AnyObject, Sendable {
  /// `false` if the connection of these bytes must wait.
  func admits(_ count: Int, at position: Int64) -> Bool
}

/// The borders at which a part can be divided, and how many connections may write at once.
public struct PartUnits: Sendable, Equatable {
  public let unit: Int64
  /// The maximum number of connections that write at once.
  public let mostWriters: Int

  public init(unit: Int64, mostWriters: Int) { (self.unit, self.mostWriters) = (unit, mostWriters) }
}

/// The part of an upload: its bytes go to a server, which keeps only whole parts of the file, so that they can be
/// neither read back nor renamed as those of a file.
public protocol PartUpload: AnyObject, Sendable {
  /// `nil` if bytes never have to wait for room.
  var receiver: (any PartBackpressure)? { get }

  /// Whether bytes can be read before the part is published.
  var isReadable: Bool { get }

  /// The bytes that the storage certainly has; `nil` for all up to its length.
  var holding: SegmentSet? { get }

  /// The ranges that the storage can compare instead of `places`.
  func comparable(_ places: [Segment]) -> [Segment]

  /// Gives up bytes that are fetched again.
  /// - Returns: These bytes, and others that cannot be kept without them.
  func giveUp(_ bytes: Segment) -> Segment

  /// Hashes bytes that arrive in order, if they cannot be read back later.
  func hash(_ algorithms: [DigestAlgorithm])

  /// Returns the digests of the whole file; `nil` if the bytes did not arrive in order. Blocks the thread.
  func hashed(_ algorithms: [DigestAlgorithm]) -> [DigestValue]?

  /// Requires a proof of the published file, for storage whose bytes cannot be read before the publish. The publish
  /// then reads the bytes back, and succeeds only if `judge` accepts their digests.
  func mustProve(
    _ algorithms: [DigestAlgorithm], _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?)

  /// The digest that ``mustProve(_:_:)`` has proved.
  var provedDigest: SourcedDigest? { get }

  /// Sets the length of the whole file, if known, before the first byte.
  func expect(_ length: Int64?)

  /// Returns the record that is needed to find durable bytes again; `nil` if their name is enough.
  func record(of durable: SegmentSet) -> ObjectUpload?

  /// Records facts about the bytes. They identify the published file if its server does not say that it made the file.
  func willHold(_ sums: BlockSums?, _ digest: DigestValue?)

  /// The only name under which the part can be published; `nil` for any name.
  var boundName: String? { get }

  /// Stops background work for a part whose attempt was cancelled.
  func stop()
}

/// The storage of an unfinished file. Any thread may call it; each byte has one writer at a time.
public protocol PartStorage: StoredBytes {
  var destination: any Destination { get }

  /// The part as an upload; `nil` if its bytes are in a file.
  var upload: (any PartUpload)? { get }

  // MARK: Bytes

  /// - Parameter stayingInMemory: Whether the bytes will soon be read again.
  /// - Returns: Whether the bytes stay in memory. Some storage cannot avoid that.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64, stayingInMemory: Bool) throws(Failure) -> Bool

  /// Sets the length, and releases reserved space beyond it.
  func truncate(to length: Int64) throws(Failure)

  /// Drops all bytes, before another version is written. Where machines share files, the part gets a new file, so that
  /// delayed writes of the earlier version cannot reach it.
  func empty() throws(Failure)

  /// Releases reserved space beyond a length when a transfer stops. Where machines share files, nothing is released: a
  /// delayed truncation would cut the file of the next owner.
  func trim(to length: Int64)

  /// Copies segments of another file to the same positions. The bytes between the segments become undefined. Blocks the
  /// thread.
  /// - Returns: `false` once `isCancelled` is true.
  func take(_ segments: SegmentSet, from other: any StoredBytes, isCancelled: () -> Bool) throws(Failure) -> Bool

  // MARK: Room

  /// `nil` if the storage takes any bytes.
  var units: PartUnits? { get }

  func checkLength(_ length: Int64) throws(Failure)

  /// Reserves space for a range, if the storage can.
  /// - Throws: An error if there is no space.
  func reserve(_ range: Segment) throws(Failure)

  /// In bytes, including reserved space.
  var allocated: Int64 { get }

  // MARK: Durability

  func startWriteBack(_ range: Segment)

  /// Makes bytes durable (P4). Blocks the thread.
  /// - Parameter written: The written bytes.
  /// - Returns: The bytes of `written` that a checkpoint may cover.
  /// - Throws: An error if bytes were lost. Every later call throws, too.
  func makeDurable(_ written: SegmentSet) throws(Failure) -> SegmentSet

  // MARK: Publishing

  /// Describes the target, as soon as it is known.
  func willBe(_ name: String, _ description: ObjectDescription)

  /// The identity of the published file, if it differs from what ``finish(size:modified:destinationIsInPlace:)`` returned.
  var publishedIdentity: FileIdentity? { get }

  /// Whether the part is in another place than its target, so that ``stage(size:isCancelled:)`` must come before
  /// ``finish(size:modified:destinationIsInPlace:)``.
  var isAway: Bool { get }

  /// Returns this part in a form that `other` can publish, if it can stage the part. Blocks the thread.
  func homed(in other: any Destination) -> any PartStorage

  /// Brings the complete file next to its target, if it is elsewhere. Blocks the thread.
  /// - Returns: The part to publish instead of this one; `nil` once `isCancelled` is true.
  func stage(size: Int64, isCancelled: () -> Bool) throws(Failure) -> (any PartStorage)?

  /// Continues to bring the complete file next to its target, without waiting.
  /// - Returns: Whether all of the file is there; `nil` if only ``stage(size:isCancelled:)`` can bring it.
  func isStaged(size: Int64) throws(Failure) -> Bool?

  /// The part for ``Destination/publish(_:as:_:)`` after ``finish(size:modified:destinationIsInPlace:)``. Differs from
  /// this one only if the destination did not make this one.
  var publishable: any PartStorage { get }

  /// Records on the file the URL that it came from. Best effort.
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

  /// Best effort.
  public func trim(to length: Int64) { try? truncate(to: length) }

  /// Parts are where their targets will be.
  public var isAway: Bool { false }

  /// Only its own destination publishes it.
  public func homed(in other: any Destination) -> any PartStorage { self }

  public var publishable: any PartStorage { self }

  /// A copy brings it.
  public func isStaged(size: Int64) throws(Failure) -> Bool? { nil }

  public func stage(size: Int64, isCancelled: () -> Bool) throws(Failure) -> (any PartStorage)? { self }

  /// Any bytes.
  public var units: PartUnits? { nil }

  /// The name is needed only at the end.
  public func willBe(_ name: String, _ description: ObjectDescription) {}

  public var publishedIdentity: FileIdentity? { nil }

  public func recordOrigin(_ url: String) -> String? { "its URL could not be recorded there" }
}

// The upload answers, if the part is one. A file always has room, can be read and renamed, and is found by its name.
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
