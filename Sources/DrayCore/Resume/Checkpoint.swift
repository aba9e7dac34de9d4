// What is durably on disk of a job, and of which version of the file.

/// What is durably on disk of a job, and of which version of the file.
public struct Checkpoint: Sendable, Equatable {
  /// The byte ranges of the part file that are on disk for certain.
  public var segments: SegmentSet
  /// What is known of their bytes. A job that comes from the store has them apart, as few need them.
  public var sums: BlockSums
  /// The length of the whole file, if known.
  public var size: Int64?
  /// What identifies the version that the bytes are of.
  public var validators: Validators
  /// What the server says that the whole of this version hashes to.
  public var offered: [SourcedDigest]

  /// Makes a checkpoint; the default is that of a job that has nothing.
  public init(
    segments: SegmentSet = SegmentSet(), sums: BlockSums = BlockSums(), size: Int64? = nil,
    validators: Validators = Validators(), offered: [SourcedDigest] = []
  ) {
    self.segments = segments
    self.sums = sums
    self.size = size
    self.validators = validators
    self.offered = offered
  }
}
