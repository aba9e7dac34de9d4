package import DrayCore

/// The facts in a listing about the version of a file. Inexact facts are `nil`.
package struct ListedFacts: Sendable, Equatable {
  /// In bytes; `nil` if it was rounded.
  package var size: Int64?
  /// The time of the last change, in seconds since 1970; `nil` without seconds or with an unknown zone.
  package var modified: Int64?
  package var etag: String?

  package init(size: Int64? = nil, modified: Int64? = nil, etag: String? = nil) {
    (self.size, self.modified, self.etag) = (size, modified, etag)
  }

  /// Whether these facts prove that the listed version is the fetched one: both have the same strong `ETag`; if either
  /// has none, the same length and the same second of change.
  /// - Parameters:
  ///   - validators: The validators in the answer with the file.
  ///   - size: The length of the file.
  package func prove(_ validators: Validators, size: Int64) -> Bool {
    if let mine = self.size, mine != size { return false }
    if let mine = Validators(etag: etag).strongETag, let theirs = validators.strongETag {
      return Validators.isSame(mine, theirs)
    }
    guard self.size != nil, let modified, let recorded = validators.modified else { return false }
    return modified == recorded
  }

  var row: String {
    [size.map { "\($0)" }, modified.map { "\($0)" }, etag].compactMap(\.self).joined(separator: " ")
  }
}
