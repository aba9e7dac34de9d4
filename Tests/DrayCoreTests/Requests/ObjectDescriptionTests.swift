// The properties of objects: written for their sources, and read from servers' answers.

import DrayCore
import Testing

@Suite struct ObjectDescriptionTests {
  private func fields(_ description: ObjectDescription, key: String = "p/f.bin") -> [String: String] {
    Dictionary(uniqueKeysWithValues: description.fields(key: key).map { ($0.name, $0.value) })
  }

  @Test func theSource() {
    var description = ObjectDescription()
    (description.contentType, description.fileName) = ("text/plain", "f.bin")
    (description.source, description.etag) = ("https://a.example/f?token=…", "\"e\"")
    (description.lastModified, description.sha256) = ("Sun, 06 Nov 1994 08:49:37 GMT", "ab")
    let found = fields(description)
    #expect(found["Content-Type"] == "text/plain" && found["Content-Disposition"] == nil)
    #expect(found[ObjectDescription.tagField] == "\"e\"" && found[ObjectDescription.digestField] == "ab")
    // Only printable ASCII is the same for all servers.
    #expect(found[ObjectDescription.sourceField]?.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true)
    #expect(fields(ObjectDescription())["Content-Type"] == "application/octet-stream")
  }

  @Test(
    arguments: [
      ("other", "attachment; filename=\"other\""), ("a\"b", "attachment; filename*=UTF-8''a%22b"),
      ("ü", "attachment; filename*=UTF-8''%C3%BC"),
    ])
  func theNameWhereItDiffers(_ name: String, _ value: String) {
    var description = ObjectDescription()
    description.fileName = name
    #expect(fields(description)["Content-Disposition"] == value)
  }

  @Test func theOptions() {
    var options = ObjectOptions()
    (options.storageClass, options.cannedACL) = ("STANDARD_IA", "private")
    options.encryption = .kms(key: "id")
    options.metadata = [ObjectProperty(name: "a", value: "b c")]
    options.tags = [ObjectProperty(name: "x y", value: "1"), ObjectProperty(name: "z", value: "&")]
    let found = fields(ObjectDescription(options: options))
    #expect(found["x-amz-storage-class"] == "STANDARD_IA" && found["x-amz-acl"] == "private")
    #expect(found["x-amz-server-side-encryption"] == "aws:kms" && found["x-amz-meta-a"] == "b c")
    #expect(found["x-amz-server-side-encryption-aws-kms-key-id"] == "id")
    #expect(found["x-amz-tagging"] == "x%20y=1&z=%26")
  }

  @Test func whatAServerSays() throws {
    let head = ResponseHead(
      status: 200,
      fields: [
        HeaderField("Content-Length", "5"), HeaderField("ETag", "\"e\""), HeaderField("X-Amz-Meta-Dray-Source", "u"),
        HeaderField("x-amz-meta-dray-last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
        HeaderField("x-amz-checksum-crc64nvme", "AAAAAAAAAAA="), HeaderField("x-amz-checksum-crc32c", "AAAAAA==-2"),
        HeaderField("Last-Modified", "Sun, 06 Nov 1994 08:49:38 GMT"),
      ])
    let facts = try #require(ObjectFacts(head))
    #expect(facts.size == 5 && facts.etag == "e" && facts.isOwn && facts.hasPlainTag)
    #expect(facts.digests.map(\.algorithm) == [.crc64nvme] && facts.compositeChecksum == "AAAAAA==-2")
    #expect(facts.sourceTime == 784_111_777)
    // The identity is known before the object exists.
    let before = ObjectFacts.identity(bucket: "b", etag: "\"E\"", size: 5, modified: 784_111_777)
    #expect(facts.identity(bucket: "b").isUnchanged(since: before))
    #expect(ObjectFacts(ResponseHead(status: 200)) == nil)
  }
}
