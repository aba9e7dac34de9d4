/// What is required of a file before the server answers.
public struct ExpectedFile: Sendable {
  /// The required length, if something other than the server gave it.
  public var size: Int64?
  /// The maximum length.
  public var maxSize: SizeLimit?
  /// The required type.
  public var type: ExpectedType?
  /// The required digest.
  public var digest: DigestValue?
  /// The validators of the required version; `nil` if any version will do.
  public var version: Validators?
  /// Whether ``digest`` alone identifies the file, because the request is redirected to servers whose entity tags mean
  /// nothing to each other (``LinkedFile``). It has no effect without a digest.
  public var isLinked = false

  /// Creates requirements; by default, any file will do.
  public init(
    size: Int64? = nil, maxSize: SizeLimit? = nil, type: ExpectedType? = nil, digest: DigestValue? = nil,
    version: Validators? = nil
  ) {
    (self.size, self.maxSize, self.type, self.digest, self.version) = (size, maxSize, type, digest, version)
  }
}
