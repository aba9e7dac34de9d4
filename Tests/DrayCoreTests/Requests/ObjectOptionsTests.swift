// The options of objects: encryption, metadata, tags, and how they are stored.

import DrayCore
import FoundationEssentials
import Testing

@Suite struct ObjectOptionsTests {
  @Test(
    arguments: [
      ("AES256", "AES256", nil), ("aes256", "AES256", nil), ("aws:kms", "aws:kms", nil),
      ("aws:kms/alias/mine", "aws:kms", "alias/mine"),
      ("aws:kms:dsse/arn:aws:kms:eu-central-1:1:key/2", "aws:kms:dsse", "arn:aws:kms:eu-central-1:1:key/2"),
    ] as [(String, String, String?)])
  func encryption(_ text: String, _ algorithm: String, _ key: String?) throws {
    let one = try #require(ObjectEncryption(text))
    #expect(one.algorithm == algorithm && one.key == key)
    #expect(ObjectEncryption(one.text) == one)
  }

  @Test(arguments: ["", "AES256/key", "aws", "aws:kms/", "aws:kms/a b", "AES128", "aws:kms/a\r\nb"])
  func noEncryption(_ text: String) { #expect(ObjectEncryption(text) == nil) }

  @Test(arguments: [
    ("a=b", "a", "b"), ("A-b_c=x=y", "a-b_c", "x=y"), ("x-amz-meta-Team=", "team", ""), ("n=a b", "n", "a b"),
  ])
  func metadata(_ text: String, _ name: String, _ value: String) throws {
    #expect(try ObjectProperty.metadata(text) == ObjectProperty(name: name, value: value))
  }

  @Test(arguments: [
    "", "a", "=b", "a b=c", "ä=c", "a=ä", "a=b\nc", "a= b", "a=b ", "dray-source=x", "x-amz-meta-=x", "a:b=c",
  ])
  func noMetadata(_ text: String) {
    #expect(throws: ObjectPropertyError.self) { try ObjectProperty.metadata(text) }
  }

  @Test(
    arguments: [
      ("a=b", "a", "b"), ("Team=R & D", nil, nil), ("Über=ä_.:/=+-@ 1", "Über", "ä_.:/=+-@ 1"), ("aws:x=1", nil, nil),
      ("=x", nil, nil), ("a", nil, nil), ("a\n=b", nil, nil),
    ] as [(String, String?, String?)])
  func tags(_ text: String, _ name: String?, _ value: String?) {
    let found = try? ObjectProperty.tag(text)
    #expect(found?.name == name && found?.value == value)
  }

  @Test func limits() {
    let tags = (0..<ObjectProperty.mostTags).map { ObjectProperty(name: "t\($0)", value: "") }
    #expect(ObjectProperty.objection(toTags: tags) == nil)
    #expect(ObjectProperty.objection(toTags: tags + [ObjectProperty(name: "x", value: "")]) != nil)
    let large = ObjectProperty(name: "n", value: String(repeating: "v", count: ObjectProperty.longestMetadata))
    #expect(ObjectProperty.objection(toMetadata: [large]) != nil)
    #expect(ObjectProperty.objection(toMetadata: [ObjectProperty(name: "n", value: "v")]) == nil)
  }

  @Test func areStoredWithTheJob() throws {
    var options = JobOptions()
    var object = ObjectOptions()
    object.access = ObjectAccess(
      signature: AWSSignature(region: "eu-central-1"), credentials: Credentials(user: "k", password: "s"))
    (object.storageClass, object.encryption, object.cannedACL) = ("GLACIER", .kms(key: "k"), "private")
    object.metadata = [ObjectProperty(name: "a", value: "b")]
    object.tags = [ObjectProperty(name: "c", value: "d")]
    object.uploadMemory = 32 << 20
    options.object = object
    let data = try JSONEncoder().encode(options)
    #expect(try JSONDecoder().decode(JobOptions.self, from: data) == options)
    let plain = try JSONEncoder().encode(JobOptions())
    #expect(!String(decoding: plain, as: UTF8.self).contains("object"))
  }

  @Test func whoseProfileItIs() {
    var object = ObjectOptions()
    var signature = AWSSignature()
    signature.profile = "mine"
    object.access = ObjectAccess(signature: signature)
    #expect(object.targetProfile == nil && object.sharedSignature == signature)
    object.hasOwnAccess = true
    #expect(object.targetProfile == "mine" && object.sharedSignature == nil)
  }

  @Test(arguments: [
    ("InvalidStorageClass", "--storage-class"), ("AccessControlListNotSupported", "--acl"),
    ("KMS.NotFoundException", "--sse"), ("SignatureDoesNotMatch", "--endpoint-url"),
    ("InvalidAccessKeyId", "--endpoint-url"), ("AuthorizationHeaderMalformed", "--aws-region"),
  ])
  func refusedOptions(_ code: String, _ option: String) throws {
    let refusal = S3Refusal(status: 400, code: code)
    let failure = refusal.failure("s3://b/k", ObjectAccess(signature: AWSSignature()))
    let names = Advice.Names(
      action: { action, _ in action.rawValue }, setting: { "--" + (Setting.ofProperty($0.rawValue)?.name ?? "") })
    #expect(failure.advice?.text(names).contains(option) ?? false)
    #expect(failure.reason.contains(code) && failure.recovery == .keep)
  }
}
