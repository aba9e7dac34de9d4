// The storage of a part: it keeps the bytes of an unfinished file until the destination publishes the file.

public import DrayCore
internal import Posix

/// Makes bytes wait until a part has space for them. Called on the loop's thread.
public protocol PartBackpressure: AnyObject, Sendable {
  /// Returns `false` if the connection that received these bytes must wait.
  func admits(_ count: Int, at position: Int64) -> Bool
}

/// Where a part can be divided, and how many connections may write to it at once.
public struct PartUnits: Sendable, Equatable {
  public let unit: Int64
  /// The maximum number of connections that write at once.
  public let mostWriters: Int

  public init(unit: Int64, mostWriters: Int) { (self.unit, self.mostWriters) = (unit, mostWriters) }
}

/// A part that is an upload. Its bytes go to a server that keeps only whole parts of the file, so the bytes can be
/// neither read back nor renamed like those of a file.
public protocol PartUpload: AnyObject, Sendable {
  /// Decides whether bytes must wait; `nil` if they never do.
  var receiver: (any PartBackpressure)? { get }

  /// Whether bytes can be read before the part is published.
  var isReadable: Bool { get }

  /// The bytes that the storage certainly has; `nil` stands for all bytes up to its length.
  var holding: SegmentSet? { get }

  /// Returns the ranges that the storage can compare in place of `places`.
  func comparable(_ places: [Segment]) -> [Segment]

  /// Gives up bytes, so that they can be fetched again.
  /// - Returns: These bytes, and all other bytes that cannot be kept without them.
  func giveUp(_ bytes: Segment) -> Segment

  /// Hashes bytes as they arrive in order; for bytes that cannot be read back later.
  func hash(_ algorithms: [DigestAlgorithm])

  /// Returns the digests of the whole file; `nil` if the bytes did not arrive in order. The call blocks the calling
  /// thread.
  func hashed(_ algorithms: [DigestAlgorithm]) -> [DigestValue]?

  /// Requires a proof of the published file, because the file's bytes cannot be read earlier. The publish then reads
  /// the bytes back, and succeeds only if `judge` accepts their digests.
  func mustProve(
    _ algorithms: [DigestAlgorithm], _ judge: @escaping @Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?)

  /// The digest that was proved because of ``mustProve(_:_:)``.
  var provedDigest: SourcedDigest? { get }

  /// Sets the length of the whole file before the first byte; `nil` if the length is unknown.
  func expect(_ length: Int64?)

  /// Returns the record that is needed to find the durable bytes again; `nil` if the part's name is enough.
  func record(of durable: SegmentSet) -> ObjectUpload?

  /// Records facts about the bytes. The published file is recognized by them if its server does not confirm that it has
  /// created the file.
  func willHold(_ sums: BlockSums?, _ digest: DigestValue?)

  /// The only name under which the part can be published; `nil` for any name.
  var boundName: String? { get }

  /// Stops background work for a part whose attempt was cancelled.
  func stop()
}

/// The storage of an unfinished file. Any thread may call the storage, but each byte has only one writer at a time.
public protocol PartStorage: StoredBytes {
  var destination: any Destination { get }

  /// The part as an upload; `nil` if its bytes are in a file.
  var upload: (any PartUpload)? { get }

  // MARK: Bytes

  /// - Parameter stayingInMemory: Whether the bytes will soon be read again.
  /// - Returns: Whether the bytes stay in memory; some storage always keeps them there.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64, stayingInMemory: Bool) throws(Failure) -> Bool

  /// Sets the length, and releases reserved space beyond it.
  func truncate(to length: Int64) throws(Failure)

  /// Drops all bytes before another version is written. On a file system that machines share, the part gets a new file,
  /// so that delayed writes of the earlier version cannot reach the new one.
  func empty() throws(Failure)

  /// Releases reserved space beyond a length when a transfer stops. On a file system that machines share, nothing is
  /// released: a delayed truncation would cut off the next owner's file.
  func trim(to length: Int64)

  /// Copies segments of another file to the same positions. Afterwards, the bytes between the segments are undefined.
  /// The call blocks the calling thread.
  /// - Returns: `false` once `isCancelled` is true.
  func take(_ segments: SegmentSet, from other: any StoredBytes, isCancelled: () -> Bool) throws(Failure) -> Bool

  // MARK: Room

  /// The places at which the part can be divided; `nil` if it can be divided anywhere.
  var units: PartUnits? { get }

  func checkLength(_ length: Int64) throws(Failure)

  /// Reserves space for a range, if the storage supports that.
  /// - Throws: An error if there is no space.
  func reserve(_ range: Segment) throws(Failure)

  /// The number of bytes that the part takes, including reserved space.
  var allocated: Int64 { get }

  // MARK: Durability

  func startWriteBack(_ range: Segment)

  /// Makes bytes durable (P4). The call blocks the calling thread.
  /// - Parameter written: The bytes that were written.
  /// - Returns: The bytes of `written` that a checkpoint may cover.
  /// - Throws: An error if bytes were lost. After that, every later call throws, too.
  func makeDurable(_ written: SegmentSet) throws(Failure) -> SegmentSet

  // MARK: Publishing

  /// Tells the part its target as soon as the target is known.
  func willBe(_ name: String, _ description: ObjectDescription)

  /// The identity of the published file, if it differs from the identity that
  /// ``finish(size:modified:destinationIsInPlace:)`` returned.
  var publishedIdentity: FileIdentity? { get }

  /// Whether the part is in another place than its target. Such a part must be staged (``stage(size:isCancelled:)``)
  /// before it is finished (``finish(size:modified:destinationIsInPlace:)``).
  var isAway: Bool { get }

  /// Returns this part in a form that `other` can publish, if `other` can stage this part. The call blocks the calling
  /// thread.
  func homed(in other: any Destination) -> any PartStorage

  /// Moves or copies the complete file to the place of its target, if it is in another place. The call blocks the
  /// calling thread.
  /// - Returns: The part to publish instead of this one; `nil` once `isCancelled` is true.
  func stage(size: Int64, isCancelled: () -> Bool) throws(Failure) -> (any PartStorage)?

  /// Continues to move the complete file to the place of its target, without waiting.
  /// - Returns: Whether the whole file is in that place; `nil` if only ``stage(size:isCancelled:)`` can move it.
  func isStaged(size: Int64) throws(Failure) -> Bool?

  /// The part for ``Destination/publish(_:as:_:)`` after ``finish(size:modified:destinationIsInPlace:)``. It differs
  /// from this part only if another destination created this part.
  var publishable: any PartStorage { get }

  /// Records on the file the URL from which the file came, if possible.
  /// - Returns: A note for people if the URL could not be recorded.
  func recordOrigin(_ url: String) -> String?

  /// Gives the complete file its final length and time, before the sync.
  /// - Parameters:
  ///   - modified: The time of the target, in seconds since 1970; `nil` keeps the time of the last write.
  ///   - isInPlace: Whether the destination is known to be in place; `nil` if unknown.
  /// - Returns: The identity that the target will have.
  /// - Throws: An error if the file is too short, or has lost bytes, its name or its destination.
  func finish(size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?) throws(Failure) -> FileIdentity

  /// Does the same as ``finish(size:modified:destinationIsInPlace:)`` for a file that the caller has just created, and
  /// written as a whole: its length and its name are known.
  func finishNew(size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?) throws(Failure) -> FileIdentity

  /// Makes the whole file durable. The call blocks the calling thread.
  func sync() throws(Failure)

  /// Checks after a sync of the volume that no byte was lost.
  func checkWriteBack() throws(Failure)
}

extension PartStorage {
  public func empty() throws(Failure) { try truncate(to: 0) }

  /// Truncates the part; failures are ignored.
  public func trim(to length: Int64) { try? truncate(to: length) }

  /// Usually, a part is in the same place as its target.
  public var isAway: Bool { false }

  /// Usually, only the destination that created a part can publish it.
  public func homed(in other: any Destination) -> any PartStorage { self }

  public var publishable: any PartStorage { self }

  /// Usually, moving the file needs a copy.
  public func isStaged(size: Int64) throws(Failure) -> Bool? { nil }

  public func stage(size: Int64, isCancelled: () -> Bool) throws(Failure) -> (any PartStorage)? { self }

  /// Usually, a part can be divided anywhere.
  public var units: PartUnits? { nil }

  /// Usually, the target's name is needed only at the end.
  public func willBe(_ name: String, _ description: ObjectDescription) {}

  public var publishedIdentity: FileIdentity? { nil }

  /// Usually, a new file needs the same steps as any other.
  public func finishNew(
    size: Int64, modified: Int64?, destinationIsInPlace isInPlace: Bool?
  ) throws(Failure) -> FileIdentity {
    try finish(size: size, modified: modified, destinationIsInPlace: isInPlace)
  }

  public func recordOrigin(_ url: String) -> String? { "its URL could not be recorded there" }
}

// If the part is an upload, the upload answers. A file always accepts bytes, can be read and renamed, and is found by
// its name.
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
