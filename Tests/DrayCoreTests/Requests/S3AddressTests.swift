// The URLs of s3 files, and the meaning of S3's answers.

import Testing

@testable import DrayCore

@Suite struct S3AddressTests {
  @Test(
    arguments: [
      ("s3://files/a/b.bin", "eu-central-1", nil, "https://files.s3.eu-central-1.amazonaws.com/a/b.bin"),
      ("s3://files/b", "cn-north-1", nil, "https://files.s3.cn-north-1.amazonaws.com.cn/b"),
      // The certificate covers only one label before the server's name.
      ("s3://my.files/b", "us-east-1", nil, "https://s3.us-east-1.amazonaws.com/my.files/b"),
      ("s3://files/b", "us-east-1", "http://127.0.0.1:9000", "http://127.0.0.1:9000/files/b"),
      ("s3://files/b", "us-east-1", "https://h/s3/", "https://h/s3/files/b"),
      // Characters that the signature encodes are encoded, however they were typed; a slash stays a slash.
      ("s3://files/a=b/c d+e", "r1", "http://h", "http://h/files/a%3Db/c%20d%2Be"),
      ("s3://files/a%3Db/%63", "r1", "http://h", "http://h/files/a%3Db/c"),
      ("s3://files/ü~(1)'!*&$,:;@?", "r1", "http://h", "http://h/files/%C3%BC~%281%29%27%21%2A%26%24%2C%3A%3B%40%3F"),
      ("s3://files/a//b", "r1", "http://h", "http://h/files/a//b"),
    ] as [(String, String, String?, String)])
  func locations(typed: String, region: String, endpoint: String?, expected: String) throws {
    var request = TransferRequest(url: try RequestURL.parse(typed).url)
    request.signature = AWSSignature(region: region)
    request.signature?.endpoint = try endpoint.map { try RequestURL.parse($0).url }
    #expect(request.address.string == expected)
  }

  @Test func withoutASignatureItIsAskedAsItStands() throws {
    let request = TransferRequest(url: try RequestURL.parse("s3://files/b").url)
    #expect(request.address.string == "https://files.s3.us-east-1.amazonaws.com/b")
    let web = TransferRequest(url: try RequestURL.parse("http://h/b").url)
    #expect(web.address == web.url)
  }

  @Test(
    arguments: [
      ("eu-central-1", true), ("local", true), ("", false), ("a.b", false), ("a/b", false), ("-a", false),
      ("A", false), ("x@evil", false),
    ])
  func regions(text: String, isRegion: Bool) { #expect(S3Address.isRegion(text) == isRegion) }

  @Test(
    arguments: [
      (301, "eu-west-1", true, Failure.Kind.status, "the AWS region eu-west-1"),
      (400, "eu-west-1", true, .status, "in the region eu-west-1"), (403, nil, true, .authentication, "keys"),
      (403, "us-east-1", false, .authentication, "an AWS profile"),
      // A server's text is not shown as it is.
      (403, "x\u{1B}[31m", true, .authentication, "keys"),
    ] as [(Int, String?, Bool, Failure.Kind, String)])
  func failures(status: Int, region: String?, isSigned: Bool, kind: Failure.Kind, says: String) throws {
    var head = ResponseHead(status: status)
    if let region { head.fields = [HeaderField("x-amz-bucket-region", region)] }
    let found = S3Address.failure(head, asked: AWSSignature(), isSigned: isSigned, subject: "s")
    let failure = try #require(found)
    #expect(failure.kind == kind && failure.message(.plain).contains(says), "\(failure.message(.plain))")
  }

  @Test(arguments: [(200, nil), (301, nil), (404, "eu-west-1"), (301, "us-east-1")] as [(Int, String?)])
  func ordinaryAnswers(status: Int, region: String?) {
    var head = ResponseHead(status: status)
    if let region { head.fields = [HeaderField("x-amz-bucket-region", region)] }
    #expect(S3Address.failure(head, asked: AWSSignature(), isSigned: true, subject: "s") == nil)
  }

  /// The scheme of a request decides how its answers are read; a signed https URL has S3's answers, too.
  @Test(arguments: [("s3://files/b", true, true), ("https://h/b", true, true), ("https://h/b", false, false)])
  func requestsJudgeTheirAnswers(typed: String, isSigned: Bool, isJudged: Bool) throws {
    var request = TransferRequest(url: try RequestURL.parse(typed).url)
    if isSigned { request.signature = AWSSignature() }
    let head = ResponseHead(status: 301, fields: [HeaderField("x-amz-bucket-region", "eu-west-1")])
    #expect((request.failure(on: head, subject: "s") != nil) == isJudged)
    #expect(request.failure(on: ResponseHead(status: 200), subject: "s") == nil)
  }
}
