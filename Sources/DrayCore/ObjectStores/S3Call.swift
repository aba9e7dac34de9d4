// The requests to an object store: method, key, query and header fields, but no signature.

/// A request of the S3 protocol.
package struct S3Call: Sendable, Equatable {
  /// The method.
  package var method: String
  /// The key of the object; empty for the bucket.
  package var key: String
  /// The parameters of the query.
  package var query: [(name: String, value: String)]
  /// The header fields.
  package var fields: [HeaderField]
  /// The body; left empty if the bytes of a part are the body.
  package var body: [UInt8]

  /// Creates a request.
  package init(
    _ method: String, key: String = "", query: [(name: String, value: String)] = [], fields: [HeaderField] = [],
    body: [UInt8] = []
  ) {
    (self.method, self.key, self.query) = (method, key, query)
    (self.fields, self.body) = (fields, body)
  }

  /// Whether two requests are equal.
  package static func == (one: S3Call, two: S3Call) -> Bool {
    one.method == two.method && one.key == two.key && one.fields == two.fields && one.body == two.body
      && one.query.elementsEqual(two.query) { $0 == $1 }
  }

  /// Whether the request is idempotent, so that it may be sent again if the answer is lost.
  package var isRepeatable: Bool {
    switch method {
    case "POST": false
    // A conditional request is not idempotent: the server would refuse the second one because of the effect of the
    // first.
    case "PUT": !fields.contains { $0.name.lowercased().hasPrefix("if-") }
    default: true
    }
  }

  /// Whether the request completes an upload, which may take the server minutes.
  package var joinsParts: Bool { method == "POST" && query.contains { $0.name == "uploadId" } }

  // MARK: Uploads

  /// Begins a multipart upload.
  package static func begin(
    _ key: String, _ description: ObjectDescription, checksum: DigestAlgorithm?
  ) -> S3Call {
    var fields = description.fields(key: key)
    if let checksum, let name = S3Checksum.name(checksum) {
      fields.append(HeaderField("x-amz-checksum-algorithm", name))
      fields.append(HeaderField("x-amz-checksum-type", S3Checksum.isOfWhole(checksum) ? "FULL_OBJECT" : "COMPOSITE"))
    }
    return S3Call("POST", key: key, query: [("uploads", "")], fields: fields)
  }

  /// Uploads a part; the bytes of the part are the body.
  package static func part(_ key: String, upload id: String, number: Int, _ check: [HeaderField]) -> S3Call {
    S3Call("PUT", key: key, query: [("partNumber", "\(number)"), ("uploadId", id)], fields: check)
  }

  /// Lists the confirmed parts after a number.
  package static func parts(_ key: String, upload id: String, after marker: Int?) -> S3Call {
    var query: [(name: String, value: String)] = [("max-parts", "1000")]
    if let marker { query.append(("part-number-marker", "\(marker)")) }
    return S3Call("GET", key: key, query: query + [("uploadId", id)])
  }

  /// Completes a multipart upload: the server joins the parts into the object.
  /// - Parameters:
  ///   - whole: The checksum of the whole object in base64, if the server keeps one.
  ///   - condition: The condition on the object that now has this key.
  package static func complete(
    _ upload: ObjectUpload, whole: String?, condition: S3Condition
  ) -> S3Call {
    var text = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
    let element = upload.algorithm.flatMap(S3Checksum.name).map { "Checksum\($0)" }
    for part in upload.parts.sorted(by: { $0.number < $1.number }) {
      text += "<Part><PartNumber>\(part.number)</PartNumber><ETag>\"\(escaped(part.etag))\"</ETag>"
      if let element, let sum = part.checksum { text += "<\(element)>\(escaped(sum))</\(element)>" }
      text += "</Part>"
    }
    text += "</CompleteMultipartUpload>"
    var fields = [HeaderField("Content-Type", "application/xml")] + condition.fields
    if let algorithm = upload.algorithm, let whole, let name = S3Checksum.field(algorithm) {
      fields.append(HeaderField(name, whole))
      fields.append(HeaderField("x-amz-checksum-type", "FULL_OBJECT"))
    }
    return S3Call("POST", key: upload.key, query: [("uploadId", upload.id)], fields: fields, body: Array(text.utf8))
  }

  /// Discards an upload.
  package static func abort(_ key: String, upload id: String) -> S3Call {
    S3Call("DELETE", key: key, query: [("uploadId", id)])
  }

  /// Lists the unfinished uploads of keys with a prefix.
  package static func uploads(prefix: String, after marker: (key: String, id: String)?) -> S3Call {
    var query: [(name: String, value: String)] = [("prefix", prefix), ("uploads", "")]
    if let marker { query += [("key-marker", marker.key), ("upload-id-marker", marker.id)] }
    return S3Call("GET", query: query.sorted { $0.name < $1.name })
  }

  // MARK: Objects

  /// Creates an object; the bytes of the object are the body.
  package static func put(
    _ key: String, _ description: ObjectDescription, _ check: [HeaderField], condition: S3Condition
  ) -> S3Call {
    S3Call("PUT", key: key, fields: description.fields(key: key) + check + condition.fields)
  }

  /// Asks for the properties of an object.
  package static func head(_ key: String) -> S3Call {
    S3Call("HEAD", key: key, fields: [HeaderField("x-amz-checksum-mode", "ENABLED")])
  }

  /// Requests bytes of an object on the condition that the object has this ETag.
  package static func get(_ key: String, _ range: Segment, etag: String) -> S3Call {
    var fields = [HeaderField("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
    if !etag.isEmpty { fields.append(HeaderField("If-Match", "\"\(etag)\"")) }
    return S3Call("GET", key: key, fields: fields)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}

/// The condition on the object that now has the key.
package enum S3Condition: Sendable, Equatable {
  case none
  /// No object may have the key.
  case isFree
  /// The object must have this ETag.
  case has(etag: String)

  var fields: [HeaderField] {
    switch self {
    case .none: []
    case .isFree: [HeaderField("If-None-Match", "*")]
    case .has(let etag): [HeaderField("If-Match", "\"\(etag)\"")]
    }
  }
}

extension TransferRequest {
  /// Creates the signed request for a call.
  /// - Parameters:
  ///   - content: The SHA-256 of the body in hexadecimal digits, or `UNSIGNED-PAYLOAD`.
  ///   - date: The time for the signature as `YYYYMMDDTHHMMSSZ`; `nil` for the time of this machine.
  package init(_ call: S3Call, bucket: String, _ access: ObjectAccess, content: String, date: String? = nil) {
    let target = S3Address.location(bucket: bucket, key: Array(call.key.utf8), access.signature)
    let query = call.query.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.map { name, value in
      PercentEncoding.strictlyEncoded(Array(name.utf8)) + [UInt8(ascii: "=")]
        + PercentEncoding.strictlyEncoded(Array(value.utf8))
    }
    self.init(
      url: RequestURL(
        scheme: target.scheme, host: target.host, port: target.port, path: Array(target.path.utf8),
        query: query.isEmpty ? nil : Array(query.joined(separator: [UInt8(ascii: "&")]))))
    method = call.method
    headers = call.fields
    (signature, credentials) = (access.signature, access.credentials)
    let trust = access.signature.targetTrust
    (caFile, isInsecure) = (trust?.caFile, trust?.isInsecure ?? false)
    guard credentials != nil else { return }
    headers.append(HeaderField("x-amz-content-sha256", content))
    if let date { headers.append(HeaderField("X-Amz-Date", date)) }
  }
}
