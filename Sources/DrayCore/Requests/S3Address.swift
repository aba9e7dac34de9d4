// Converts an `s3` URL to the https URL of its bucket and key, and interprets S3's answers.

/// The addresses of S3, and the meaning of its answers.
package enum S3Address {
  static let rules = RequestRules(
    address: { location(of: $0.url, $0.signature ?? AWSSignature()) },
    failure: { request, head, subject in
      request.signature.flatMap {
        failure(head, asked: $0, isSigned: request.credentials != nil, subject: subject)
      }
    })

  /// Returns the URL to request for an `s3` URL.
  ///
  /// The bucket is part of the host, as Amazon requires. The bucket is part of the path if another server is set, or if
  /// the bucket's name does not fit into a host name: dots would not match the certificate, and underscores are not
  /// allowed. The key is encoded byte by byte, as the signature requires: all bytes except letters, digits and `-._~/`.
  package static func location(of url: RequestURL, _ signature: AWSSignature) -> RequestURL {
    location(
      bucket: url.host, key: PercentEncoding.decoded(Array(url.path.utf8)[...].dropFirst()), signature)
  }

  /// Returns the URL to request for a bucket and the bytes of a key.
  package static func location(bucket: String, key: [UInt8], _ signature: AWSSignature) -> RequestURL {
    let key = [UInt8(ascii: "/")] + PercentEncoding.strictlyEncoded(key, keepsSlashes: true)
    if let endpoint = signature.endpoint {
      var prefix = Array(endpoint.path.utf8)
      while prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
      return RequestURL(
        scheme: endpoint.scheme, host: endpoint.host, port: endpoint.port,
        path: prefix + [UInt8(ascii: "/")] + Array(bucket.utf8) + key, query: nil)
    }
    let server = "s3.\(signature.region).amazonaws.com" + (signature.region.hasPrefix("cn-") ? ".cn" : "")
    let fitsHost = !bucket.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }
    return fitsHost
      ? RequestURL(scheme: "https", host: "\(bucket).\(server)", port: nil, path: key, query: nil)
      : RequestURL(
        scheme: "https", host: server, port: nil, path: [UInt8(ascii: "/")] + Array(bucket.utf8) + key, query: nil)
  }

  /// Whether a text can be the name of a region, which becomes part of a host name.
  package static func isRegion(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.allSatisfy { $0.isLetter && $0.lowercased == $0 || $0.isDigit || $0 == UInt8(ascii: "-") }
  }

  /// Returns the failure that S3 reports in addition to the status: the wrong region, or refused keys.
  /// - Parameter isSigned: Whether the request was signed.
  /// - Returns: `nil` for any other answer.
  package static func failure(
    _ head: ResponseHead, asked: AWSSignature, isSigned: Bool, subject: String
  ) -> Failure? {
    guard [301, 307, 400, 403].contains(head.status) else { return nil }
    guard let region = head.first("x-amz-bucket-region"), isRegion(region), region != asked.region else {
      guard head.status == 403 else { return nil }
      return Failure(
        .authentication, subject,
        isSigned
          ? "403 Forbidden with these keys"
          : "it is not public"
            + " (403 Forbidden)",
        advice: isSigned
          ? "check the keys and the clock"
          : "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or add \(.awsProfile)",
        httpStatus: 403, recovery: .keep)
    }
    return Failure(
      .status, subject, "the bucket is in the region \(region), not in \(asked.region)",
      advice: "add \(.awsRegion) \(region)", httpStatus: head.status, recovery: .keep)
  }
}

extension TransferRequest {
  /// Returns the request for the keys below an `s3` URL whose path ends with a slash (ListObjectsV2).
  /// - Parameter next: The continuation token of the previous answer.
  package func listing(_ directory: RequestURL, next: String?) -> TransferRequest {
    var listing = self
    // The URL may be a signed https URL. The signature covers the query as it is sent, so the parameters are sorted and
    // strictly encoded.
    let bucket = S3Address.location(of: directory.withoutPath, signature ?? AWSSignature())
    let prefix = PercentEncoding.decoded(Array(directory.path.utf8.dropFirst())[...])
    var parameters: [(String, [UInt8])] = [
      ("encoding-type", Array("url".utf8)), ("list-type", Array("2".utf8)), ("prefix", prefix),
    ]
    if let next { parameters.insert(("continuation-token", Array(next.utf8)), at: 0) }
    let query = parameters.map { Array($0.0.utf8) + [UInt8(ascii: "=")] + PercentEncoding.strictlyEncoded($0.1) }
    listing.url = RequestURL(
      scheme: bucket.scheme, host: bucket.host, port: bucket.port, path: Array(bucket.path.utf8),
      query: Array(query.joined(separator: [UInt8(ascii: "&")])))
    return listing
  }
}

extension RequestURL {
  fileprivate var withoutPath: RequestURL {
    RequestURL(scheme: scheme, host: host, port: port, path: [UInt8(ascii: "/")], query: nil)
  }
}
