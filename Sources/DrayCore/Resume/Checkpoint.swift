/// The bytes of a job that survive a crash, and the version of the file to which they belong.
public struct Checkpoint: Sendable, Equatable {
  /// The ranges of the part file that survive a crash.
  public var segments: SegmentSet
  /// The checksums of these bytes. A job that is read from the store has its checksums in another place, because few
  /// callers need them.
  public var sums: BlockSums
  /// The length of the whole file, if known.
  public var size: Int64?
  /// The validators of the version that the bytes belong to.
  public var validators: Validators
  /// The server's digests of this version of the file.
  public var offered: [SourcedDigest]
  /// Where the bytes come from and what form they have; `nil` if that is unknown, or if no bytes are kept.
  public var provenance: Provenance?
  /// The upload that contains the bytes, if they are in an object store.
  public var upload: ObjectUpload?

  /// Creates a checkpoint; by default, for a new job.
  public init(
    segments: SegmentSet = SegmentSet(), sums: BlockSums = BlockSums(), size: Int64? = nil,
    validators: Validators = Validators(), offered: [SourcedDigest] = [], provenance: Provenance? = nil,
    upload: ObjectUpload? = nil
  ) {
    self.segments = segments
    self.sums = sums
    self.size = size
    self.validators = validators
    self.offered = offered
    self.provenance = provenance
    self.upload = upload
  }
}
