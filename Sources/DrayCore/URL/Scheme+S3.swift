// s3: a way to write the https URL of a bucket and a key, whose requests are signed.

extension Scheme {
  /// `s3://BUCKET/KEY`, as Amazon's own tools have it.
  public static let s3 = Scheme(
    "s3", port: 443, .http, authors: [.user], listing: .keys,
    [.headerFields, .methods, .upload, .credentials, .signature, .resume, .tls, .proxy],
    Form(
      checkHost: { (host, isAlone) throws(URLParseError) in try checkBucket(host, isAlone: isAlone) },
      file: FilePath()))

  /// Checks the bucket by Amazon's rules; compatible services follow them too.
  private static func checkBucket(_ bucket: ArraySlice<UInt8>, isAlone: Bool) throws(URLParseError) {
    guard isAlone else {
      throw URLParseError("an s3 URL has no user and no port: another server than Amazon's is set as the endpoint")
    }
    let isName = bucket.allSatisfy { $0.isLetter && $0 == $0.lowercased || $0.isDigit || ".-_".utf8.contains($0) }
    guard (3...63).contains(bucket.count), isName, bucket.first != UInt8(ascii: "."), !bucket.contains("..".utf8) else {
      throw URLParseError("this is not the name of a bucket: write s3://BUCKET/KEY, with 3 to 63 of a-z, 0-9, - and .")
    }
  }
}
