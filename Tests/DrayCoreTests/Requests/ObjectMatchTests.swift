// Which objects are those of an upload, by the facts that servers state.

import DrayCore
import Testing

@Suite struct ObjectMatchTests {
  private static let md5 = String(repeating: "ab", count: 16)

  private static func facts(_ etag: String, size: Int64 = 9, sum: String? = nil, isEncrypted: Bool = false) throws
    -> ObjectFacts
  {
    var fields = [HeaderField("Content-Length", "\(size)"), HeaderField("ETag", "\"\(etag)\"")]
    if let sum { fields.append(HeaderField("x-amz-checksum-crc64nvme", sum)) }
    if isEncrypted { fields.append(HeaderField("x-amz-server-side-encryption", "aws:kms")) }
    return try #require(ObjectFacts(ResponseHead(status: 200, fields: fields)))
  }

  enum Result { case same, other, unproved }

  /// Columns: the ETag of the object, its size, its checksum, whether it is encrypted; whether the upload has parts, its
  /// checksum, the ETag of its answer; the result. The computed ETag is the MD5, with `-2` for parts.
  private static let rows: [(String, Int64, String?, Bool, Bool, String?, String?, Result)] = [
    (md5, 9, nil, false, false, nil, nil, .same), (md5, 8, nil, false, false, nil, md5, .other),
    ("\(md5)-2", 9, nil, false, true, nil, nil, .same), ("\(md5)-3", 9, nil, false, true, nil, nil, .other),
    (String(repeating: "0", count: 32), 9, nil, false, false, nil, nil, .other),
    // A tag that is no MD5 proves nothing, unless the answer named it.
    ("opaque", 9, nil, false, false, nil, nil, .unproved), ("opaque", 9, nil, false, false, nil, "opaque", .same),
    ("opaque", 9, nil, false, false, nil, "another", .unproved), (md5, 9, nil, true, false, nil, nil, .unproved),
    (md5, 9, nil, false, true, nil, nil, .unproved),
    // The checksum of the whole object decides before the tag.
    ("opaque", 9, "AAAAAAAAAAA=", false, true, "AAAAAAAAAAA=", nil, .same),
    ("\(md5)-2", 9, "AAAAAAAAAAE=", false, true, "AAAAAAAAAAA=", nil, .other),
  ]

  @Test(arguments: rows.indices)
  func verdicts(index: Int) throws {
    let (etag, size, sum, isEncrypted, isOfParts, whole, answered, expected) = Self.rows[index]
    let match = ObjectMatch(
      size: 9, isOfParts: isOfParts, etag: isOfParts ? "\(Self.md5)-2" : Self.md5,
      whole: whole.map { (.crc64nvme, $0) }, answered: answered)
    let verdict = match.verdict(on: try Self.facts(etag, size: size, sum: sum, isEncrypted: isEncrypted))
    let found: Result =
      switch verdict {
      case .same: .same
      case .other: .other
      case .unproved: .unproved
      }
    #expect(found == expected)
  }

  /// Columns: the method, whether it was sent at the stop, whether it began after it, seconds of silence, seconds at most.
  @Test(
    arguments: [
      ("GET", true, false, 1, 2), ("HEAD", true, false, 1, 2), ("DELETE", true, false, 1, 2),
      ("GET", false, false, 1, 2),
      ("PUT", true, false, 2, 2), ("POST", true, false, 2, 2), ("PUT", false, false, 0, 0), ("POST", false, true, 0, 0),
      ("HEAD", true, true, 0.5, 0.5), ("GET", false, true, 0.5, 0.5),
    ] as [(String, Bool, Bool, Double, Double)])
  func patienceAfterAStop(_ method: String, _ wasSent: Bool, _ isLate: Bool, _ silence: Double, _ most: Double) {
    let patience = StopPatience.of(method: method, wasSent: wasSent, isLate: isLate)
    #expect((patience.silence, patience.most) == (silence, most))
    // A write, then a look at what it made.
    let look = StopPatience.of(method: "HEAD", wasSent: true, isLate: true)
    #expect(patience.most + look.most < 3)
  }

  @Test(
    arguments: [
      (404, "NoSuchUpload", true), (404, "NoSuchKey", true), (404, "NoSuchBucket", false), (404, "", false),
      (403, "AccessDenied", false), (503, "SlowDown", false),
    ])
  func onlyAnAnswerAboutTheUploadEndsIt(_ status: Int, _ code: String, _ isOver: Bool) {
    #expect(S3Refusal(status: status, code: code).endsUpload == isOver)
  }

  @Test(
    arguments: [
      (nil, "eu-west-1", ""), (nil, "cn-north-1", "cn-"), (nil, "us-gov-west-1", "us-gov-"),
      ("http://H:80/", "cn-north-1", "http://h"), ("https://h:9000", "x", "https://h:9000"),
      ("https://h/base//", "x", "https://h/base"),
    ] as [(String?, String, String)])
  func aServerIsOneText(_ endpoint: String?, _ region: String, _ expected: String) throws {
    var signature = AWSSignature(region: region)
    signature.endpoint = try endpoint.map { try RequestURL.parse($0).url }
    #expect(signature.server == expected)
    let mark = UploadMark(place: "s3://b/a b", signature: signature, key: "k", id: "1", part: "p", startedAt: 0)
    #expect(UploadMark.place(stored: mark.storedPlace) == "s3://b/a b")
  }
}
