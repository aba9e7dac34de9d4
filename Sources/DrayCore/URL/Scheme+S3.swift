// The scheme s3: a short form for the https URL of a bucket and a key, with signed requests.

extension Scheme {
  /// Objects as `s3://BUCKET/KEY`, as in Amazon's own tools.
  package static let s3 = Scheme(
    "s3", port: 443, .http, authors: [.user], listing: .keys,
    [.headerFields, .methods, .upload, .credentials, .signature, .resume, .tls, .proxy],
    Form(
      checkHost: { (host, isAlone) throws(URLParseError) in try checkBucket(host, isAlone: isAlone) },
      file: FilePath()))

  private static func checkBucket(_ bucket: ArraySlice<UInt8>, isAlone: Bool) throws(URLParseError) {
    guard isAlone else {
      throw URLParseError("an s3 URL has no user and no port: another server than Amazon's is set as the endpoint")
    }
    guard BucketName.isValid(Array(bucket)) else {
      throw URLParseError("this is not the name of a bucket: write s3://BUCKET/KEY, with 3 to 63 of a-z, 0-9, - and .")
    }
  }
}
