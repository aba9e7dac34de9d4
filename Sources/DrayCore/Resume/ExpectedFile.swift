/// The requirements on a file before the server answers.
package struct ExpectedFile: Sendable {
  /// The required length, if something other than the server gave it.
  package var size: Int64?
  /// The maximum length.
  package var maxSize: SizeLimit?
  /// The required type.
  package var type: ExpectedType?
  /// The required digest.
  package var digest: DigestValue?
  /// The validators of the required version; `nil` if any version will do.
  package var version: Validators?
  /// Whether ``digest`` alone identifies the file, because the request is redirected to servers whose entity tags mean
  /// nothing to each other (``LinkedFile``). It has no effect without a digest.
  package var isLinked = false
  /// Whether a lock file states the length and the digest, so that another version is no mistake of the user.
  package var isLocked = false

  /// Returns the advice after another digest, or another length.
  package static func advice(_ what: String, isLocked: Bool) -> Advice {
    isLocked ? "the lock file pins that version" : "check the given \(what)"
  }

  /// Creates requirements; by default, any file will do.
  package init(
    size: Int64? = nil, maxSize: SizeLimit? = nil, type: ExpectedType? = nil, digest: DigestValue? = nil,
    version: Validators? = nil
  ) {
    (self.size, self.maxSize, self.type, self.digest, self.version) = (size, maxSize, type, digest, version)
  }
}
