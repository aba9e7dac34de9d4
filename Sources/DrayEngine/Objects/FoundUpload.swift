public import DrayCore

/// An unfinished upload in a bucket.
public struct FoundUpload: Sendable, Equatable {
  public var upload: ListedUpload
  /// The mark of the upload, if this store began it.
  public var mark: UploadMark?
}
