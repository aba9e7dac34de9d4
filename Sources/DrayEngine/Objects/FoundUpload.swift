package import DrayCore

/// An unfinished upload in a bucket.
public struct FoundUpload: Sendable, Equatable {
  package var upload: ListedUpload
  /// The mark of the upload, if this store began it.
  package var mark: UploadMark?
}
