// The requests to object stores, and the meaning of their answers.

import Testing

@testable import DrayCore

@Suite struct S3CallTests {
  private static let access = ObjectAccess(
    signature: AWSSignature(), credentials: Credentials(user: "k", password: "s"))

  private func request(_ call: S3Call, endpoint: String? = "http://127.0.0.1:9000/s3/") throws -> TransferRequest {
    var access = Self.access
    access.signature.endpoint = try endpoint.map { try RequestURL.parse($0).url }
    return TransferRequest(call, bucket: "bucket", access, content: "hash", date: "20260101T000000Z")
  }

  /// The queries are sorted and strictly encoded, as the signature needs them.
  @Test func addresses() throws {
    #expect(
      try request(.parts("a b/ü%", upload: "i/d=", after: 7)).url.string
        == "http://127.0.0.1:9000/s3/bucket/a%20b/%C3%BC%25?max-parts=1000&part-number-marker=7&uploadId=i%2Fd%3D")
    #expect(try request(.begin("k", ObjectDescription(), checksum: nil)).url.string.hasSuffix("/bucket/k?uploads="))
    #expect(
      try request(.uploads(prefix: "p/", after: ("k", "u"))).url.string.hasSuffix(
        "/bucket/?key-marker=k&prefix=p%2F&upload-id-marker=u&uploads="))
    #expect(try request(.head("k"), endpoint: nil).url.string == "https://bucket.s3.us-east-1.amazonaws.com/k")
    #expect(
      try request(.part("k", upload: "u", number: 10, [])).url.string.hasSuffix("/k?partNumber=10&uploadId=u"))
  }

  @Test func fields() throws {
    let request = try request(.put("k", ObjectDescription(), [HeaderField("Content-MD5", "m")], condition: .isFree))
    #expect(request.method == "PUT")
    let fields = request.headers.map { "\($0.name): \($0.value)" }
    #expect(fields.contains("If-None-Match: *") && fields.contains("Content-MD5: m"))
    #expect(fields.contains("x-amz-content-sha256: hash") && fields.contains("X-Amz-Date: 20260101T000000Z"))
    let begin = S3Call.begin("k", ObjectDescription(), checksum: .crc64nvme).fields
    #expect(begin.contains(HeaderField("x-amz-checksum-type", "FULL_OBJECT")))
    #expect(
      S3Call.get("k", 5..<9, etag: "e").fields == [HeaderField("Range", "bytes=5-8"), HeaderField("If-Match", "\"e\"")])
    #expect(SignatureTime.text(0) == "19700101T000000Z" && SignatureTime.text(1_767_225_599) == "20251231T235959Z")
  }

  @Test func theEndNamesThePartsInOrder() {
    var upload = ObjectUpload(key: "k", id: "u", plan: .unknownLength, algorithm: .crc32c)
    upload.parts = [
      .init(number: 2, size: 1, etag: "b&", checksum: "B="), .init(number: 1, size: 1, etag: "a", checksum: "A="),
    ]
    let text = String(decoding: S3Call.complete(upload, whole: nil, condition: .isFree).body, as: UTF8.self)
    let parts = [
      "<Part><PartNumber>1</PartNumber><ETag>\"a\"</ETag><ChecksumCRC32C>A=</ChecksumCRC32C></Part>",
      "<Part><PartNumber>2</PartNumber><ETag>\"b&amp;\"</ETag><ChecksumCRC32C>B=</ChecksumCRC32C></Part>",
    ]
    #expect(text.contains(parts.joined()))
  }

  @Test(
    arguments: [
      (S3Call.head("k"), true), (.abort("k", upload: "u"), true), (.part("k", upload: "u", number: 1, []), true),
      (.put("k", ObjectDescription(), [], condition: .none), true),
      (.put("k", ObjectDescription(), [], condition: .isFree), false),
      (.complete(ObjectUpload(key: "k", id: "u", plan: .unknownLength), whole: nil, condition: .none), false),
    ])
  func whatMayBeRepeated(_ call: S3Call, _ isRepeatable: Bool) { #expect(call.isRepeatable == isRepeatable) }

  /// Only the end of an upload may take minutes.
  @Test(
    arguments: [
      (S3Call.begin("k", ObjectDescription(), checksum: nil), false),
      (.part("k", upload: "u", number: 1, []), false), (.abort("k", upload: "u"), false),
      (.complete(ObjectUpload(key: "k", id: "u", plan: .unknownLength), whole: nil, condition: .none), true),
    ])
  func whatTakesMinutes(_ call: S3Call, _ joinsParts: Bool) { #expect(call.joinsParts == joinsParts) }

  /// The status and the code of an answer, and its meaning.
  @Test(
    arguments: [
      (503, "SlowDown", .busy), (500, "InternalError", .busy), (500, "", .busy), (200, "InternalError", .busy),
      (403, "RequestTimeTooSkewed", .clock(nil)), (400, "ExpiredToken", .expired), (404, "NoSuchUpload", .noUpload),
      (404, "NoSuchBucket", .noBucket), (404, "NoSuchKey", .noObject), (404, "", .noObject),
      (412, "PreconditionFailed", .conditionFailed), (412, "", .conditionFailed),
      (501, "NotImplemented", .notImplemented),
      (400, "NotImplemented", .notImplemented), (409, "ConditionalRequestConflict", .conflict),
      (400, "BadDigest", .damaged), (400, "InvalidPart", .wrongParts), (403, "AccessDenied", .refused),
      (429, "", .busy),
    ] as [(Int, String, S3Refusal.Meaning)])
  func meanings(_ status: Int, _ code: String, _ meaning: S3Refusal.Meaning) {
    #expect(S3Refusal(status: status, code: code).meaning == meaning)
  }

  /// The exit status and the recovery of a job that ends with it.
  @Test(
    arguments: [
      (503, "SlowDown", .status, .retry), (404, "NoSuchBucket", .status, .keep),
      (403, "RequestTimeTooSkewed", .authentication, .keep), (400, "ExpiredToken", .authentication, .keep),
      (404, "NoSuchUpload", .status, .retry), (403, "AccessDenied", .authentication, .keep),
      (412, "PreconditionFailed", .file, .final), (400, "InvalidPart", .integrity, .retry),
    ] as [(Int, String, Failure.Kind, Failure.Recovery)])
  func failures(_ status: Int, _ code: String, _ kind: Failure.Kind, _ recovery: Failure.Recovery) {
    let failure = S3Refusal(status: status, code: code).failure("s3://bucket/k", Self.access)
    #expect(failure.kind == kind && failure.recovery == recovery && failure.subject == "s3://bucket/k")
  }

  @Test func answersAsElements() throws {
    let error = S3Element("Error", "", [S3Element("Code", "SlowDown"), S3Element("Message", "slow")])
    #expect(S3Refusal(ResponseHead(status: 503), error, now: 0).code == "SlowDown")
    let page = S3Element(
      "ListPartsResult", "",
      [
        S3Element("IsTruncated", "true"), S3Element("NextPartNumberMarker", "2"),
        S3Element(
          "Part", "",
          [
            S3Element("PartNumber", "2"), S3Element("Size", "5"), S3Element("ETag", "\"e\""),
            S3Element("ChecksumCRC64NVME", "s"),
          ]),
        S3Element("Part", "", [S3Element("PartNumber", "x")]),
      ])
    let parts = try #require(S3PartPage(page, .crc64nvme))
    #expect(parts.parts == [.init(number: 2, size: 5, etag: "e", checksum: "s")] && parts.next == 2)
    #expect(S3PartPage(error, nil) == nil && S3UploadPage(error) == nil)
    let uploads = S3Element(
      "ListMultipartUploadsResult", "",
      [S3Element("Upload", "", [S3Element("Key", "k"), S3Element("UploadId", "u"), S3Element("Initiated", "t")])])
    #expect(S3UploadPage(uploads)?.uploads == [ListedUpload(key: "k", id: "u", initiated: "t")])
    #expect(S3UploadPage(uploads)?.nextKey == nil)
  }
}
