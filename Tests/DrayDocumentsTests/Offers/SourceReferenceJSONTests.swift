// The source of a job in an export: nothing is lost, and nothing from elsewhere leads out of the directory.

import DrayCore
import DrayDocuments
import Testing

@Suite struct SourceReferenceJSONTests {
  private func node(_ text: String) throws -> JSONNode { try JSONNode.parse(Array(text.utf8), kind: "a test") }

  private static let full = SourceReference(
    name: "hf:o/n@main", pinned: "hf:o/n@c1", revision: "c1", path: "dir/.gitattributes",
    arrangements: [
      .links(
        LinkArrangement(
          paths: ["m/snapshots/c1/dir/.gitattributes", "m/snapshots/c1/b"], depth: 2, lock: ".locks/m/7.lock",
          note: .init(path: "m/refs/main", text: "c1", time: 1_700_000_000.5))),
      .image(
        ImageArrangement(
          manifest: DigestValue(.sha256, bytes: Array(repeating: 9, count: 32)), mediaType: "a/b", size: 7,
          layout: .index(tag: "1", image: "h/a:1"))),
      .image(
        ImageArrangement(
          manifest: DigestValue(.sha256, bytes: Array(repeating: 8, count: 32)), mediaType: "a/b", size: 7,
          layout: .index(tag: nil, image: "h/a"))),
      .image(
        ImageArrangement(
          manifest: DigestValue(.sha256, bytes: Array(repeating: 7, count: 32)), mediaType: "a/b", size: 0,
          layout: .model(path: "manifests/h/m/latest"))),
    ])

  @Test("what was written is read", arguments: [full, SourceReference(name: "x:y", path: "f")])
  func round(_ source: SourceReference) throws {
    var json = JSONText()
    json.beginObject()
    source.write(to: &json)
    json.endObject()
    #expect(try SourceReference(kept: try node(json.text)) == source)
  }

  @Test(
    "what cannot be used is refused",
    arguments: [
      #"{}"#, #"{"name": "x:y"}"#, #"{"name": 1, "path": "f"}"#, #"{"name": "xy", "path": "f"}"#,
      #"{"name": "x:y\n", "path": "f"}"#, #"{"name": "x:y", "pinned": "z:y", "path": "f"}"#,
      #"{"name": "x:y", "path": "f", "arrangements": [{}]}"#,
      #"{"name": "x:y", "path": "f", "arrangements": [{"links": ["../a"]}]}"#,
      #"{"name": "x:y", "path": "f", "arrangements": [{"links": ["/a"]}]}"#,
      #"{"name": "x:y", "path": "f", "arrangements": [{"links": ["a//b"]}]}"#,
      #"{"name": "x:y", "path": "f", "arrangements": [{"links": ["a"], "lock": "../l"}]}"#,
      #"{"name": "x:y", "path": "f", "arrangements": [{"links": ["a"], "note": {"path": "../n", "text": "t"}}]}"#,
      #"{"name": "x:y", "path": "f", "arrangements": [{"manifest": "sha-256=00", "type": "a/b", "size": 1}]}"#,
    ])
  func refused(_ text: String) throws {
    let node = try node(text)
    #expect(throws: DocumentError.self) { try SourceReference(kept: node) }
  }

  @Test("P13: so many arrangements are refused")
  func bound() throws {
    let one = #"{"links": ["a"]}"#
    let list = Array(repeating: one, count: ArrangementRule.most + 1).joined(separator: ", ")
    let node = try node(#"{"name": "x:y", "path": "f", "arrangements": [\#(list)]}"#)
    #expect(throws: DocumentError.self) { try SourceReference(kept: node) }
  }

  @Test("P7: a name with a URL may have secrets")
  func secrets() {
    #expect(SourceReference(name: "x:https://h/?token=PLANTED", path: "f").hasSecrets)
    #expect(SourceReference(name: "x:y", pinned: "x:https://ann:pw@h/", path: "f").hasSecrets)
    #expect(!Self.full.hasSecrets)
  }
}
