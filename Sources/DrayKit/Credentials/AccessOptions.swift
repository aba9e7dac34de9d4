/// Options for schemes whose requests need more than a URL.
package struct AccessOptions: Sendable, Equatable {
  /// The options for S3.
  package var s3: S3Options

  /// Creates options; the defaults leave everything to the environment.
  package init(s3: S3Options = S3Options()) { self.s3 = s3 }
}
