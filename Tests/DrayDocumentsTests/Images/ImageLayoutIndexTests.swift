// The index of an image layout: images are added, others stay.

import DrayCore
import DrayDocuments
import Testing

@Suite("Indexes of image layouts")
struct ImageLayoutIndexTests {
  private func adding(
    _ digit: Character, _ tag: String?, _ name: String, to existing: String? = nil
  ) throws -> String? {
    let digest = try #require(ImageDigest.parse(ImageManifestTests.digest(digit)))
    let image = ImageArrangement(
      manifest: digest, mediaType: ImageManifestTests.image, size: 7, layout: .index(tag: tag, image: name))
    let bytes = try ImageLayoutIndex.adding(image, tag: tag, name: name, to: existing.map { Array($0.utf8) })
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The digits of the digests, with the tags, in order.
  private func images(_ text: String?) throws -> [String] {
    let root = try JSONNode.parse(try #require(text).utf8, kind: "an index")
    return try #require(root["manifests"]?.array).map { entry in
      let tag = entry["annotations"]?["org.opencontainers.image.ref.name"]?.string
      return "\(entry["digest"]?.string?.last ?? "?") \(tag ?? "-")"
    }
  }

  @Test("a new index")
  func first() throws {
    let text = try #require(try adding("1", "12", "docker.io/library/debian:12"))
    #expect(
      text == """
        {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{"mediaType":\
        "\(ImageManifestTests.image)","digest":"\(ImageManifestTests.digest("1"))","size":7,"annotations":{\
        "org.opencontainers.image.ref.name":"12","io.containerd.image.name":"docker.io/library/debian:12"}}]}

        """)
  }

  @Test("adding again changes nothing, a newer image takes the place of its tag, others stay")
  func again() throws {
    let one = try adding("1", "12", "a/b:12")
    #expect(try adding("1", "12", "a/b:12", to: one) == nil)
    let two = try adding("2", "13", "a/b:13", to: one)
    #expect(try images(two) == ["1 12", "2 13"])
    let three = try adding("3", "12", "a/b:12", to: two)
    #expect(try images(three) == ["3 12", "2 13"])
    let other = try adding("4", "12", "c/d:12", to: three)
    #expect(try images(other) == ["3 12", "2 13", "4 c/d:12"])
    #expect(try adding("4", "12", "c/d:12", to: other) == nil)
    #expect(try images(try adding("5", "12", "c/d:12", to: other)) == ["3 12", "2 13", "5 c/d:12"])
    #expect(try images(try adding("6", nil, "c/d@sha256:66", to: other)) == ["3 12", "2 13", "4 c/d:12", "6 -"])
    #expect(try adding("4", nil, "c/d@sha256:44", to: other) == nil)
  }

  @Test("what other programs wrote stays")
  func foreign() throws {
    let entry = ImageManifestTests.descriptor("9", type: ImageManifestTests.index, ", \"x\": [1.50, null, true]")
    let text = try adding(
      "1", "1", "a:1", to: "{\"schemaVersion\": 2, \"manifests\": [\(entry)], \"annotations\": {\"k\": \"v\"}}")
    #expect(try images(text) == ["9 -", "1 1"])
    #expect(text?.contains("\"x\":[1.50,null,true]") ?? false)
    #expect(text?.contains("\"annotations\":{\"k\":\"v\"}") ?? false)
    #expect(try images(try adding("1", "1", "a:1", to: "{\"schemaVersion\": 2}")) == ["1 1"])
  }

  @Test(
    "an invalid index is not replaced", arguments: ["", "{", "[]", "{}", "{\"schemaVersion\": 2, \"manifests\": {}}"])
  func invalid(text: String) {
    #expect(throws: DocumentError.self) { try adding("1", "1", "a:1", to: text) }
  }
}
