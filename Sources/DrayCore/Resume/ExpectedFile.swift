// What a file must be, known before its server answers.

/// What a file must be.
public struct ExpectedFile: Sendable {
  /// The length that it must have, if known from elsewhere than the server.
  public var size: Int64?
  /// The most bytes that it may have.
  public var maxSize: SizeLimit?
  /// The type that it must be of.
  public var type: ExpectedType?
  /// The digest that it must have.
  public var digest: DigestValue?
  /// The validators of the version that it must be of; `nil` if any version will do.
  public var version: Validators?

  /// Creates an expectation; without arguments, any file will do.
  public init(
    size: Int64? = nil, maxSize: SizeLimit? = nil, type: ExpectedType? = nil, digest: DigestValue? = nil,
    version: Validators? = nil
  ) {
    (self.size, self.maxSize, self.type, self.digest, self.version) = (size, maxSize, type, digest, version)
  }
}
