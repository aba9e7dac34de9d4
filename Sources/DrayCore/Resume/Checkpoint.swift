// What is durably on disk of a job, and of which version of the file.

/// What is durably on disk of a job, and of which version of the file.
public struct Checkpoint: Sendable, Equatable {
  /// The byte ranges of the part file that are durable.
  public var segments: SegmentSet
  /// The checksums of these bytes. A job from the store has them separately, because few callers need them.
  public var sums: BlockSums
  /// The length of the whole file, if known.
  public var size: Int64?
  /// What identifies the version that the bytes are of.
  public var validators: Validators
  /// The server's digests of the whole of this version.
  public var offered: [SourcedDigest]
  /// The origin of the bytes; `nil` if unknown, or if none are kept.
  public var provenance: Provenance?

  /// Creates a checkpoint; the default is that of a new job.
  public init(
    segments: SegmentSet = SegmentSet(), sums: BlockSums = BlockSums(), size: Int64? = nil,
    validators: Validators = Validators(), offered: [SourcedDigest] = [], provenance: Provenance? = nil
  ) {
    self.segments = segments
    self.sums = sums
    self.size = size
    self.validators = validators
    self.offered = offered
    self.provenance = provenance
  }
}
