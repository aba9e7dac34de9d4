// The layout of the official client's cache.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite struct HubCacheTests {
  private static let commit = String(repeating: "1", count: 40)

  private func answer(_ files: [(String, String)], _ name: HubName) throws -> SourceAnswer {
    let url = try RequestURL.parse("https://h/x").url
    let entries = try files.map { path, digest in
      SourceAnswer.Entry(
        OfferedFile(urls: [url], name: path, size: 1, digest: try DigestValue.parse(digest)), path: path)
    }
    return SourceAnswer(pinned: name.pinned(to: Self.commit).name, revision: Self.commit, entries: entries)
  }

  @Test("the same bytes are one blob with several links")
  func layout() throws {
    let (one, two) = ("git-sha1=" + String(repeating: "0c", count: 20), "sha-256=" + String(repeating: "ab", count: 32))
    let name = HubName(.dataset, "org/name")
    let found = try answer([("a.json", one), ("d/b.json", one), ("m.bin", two)], name)
    let cache = try HubCache(found, asked: name.name, time: 7)
    #expect(cache.answer.entries.map(\.path) == ["a.json", "m.bin"])
    let home = "datasets--org--name"
    let blob = String(repeating: "0c", count: 20)
    let first = try #require(cache.answer.entries.first)
    #expect(first.file.name == "\(home)/blobs/\(blob)")
    guard case .links(let links)? = first.arrangement else { return #expect(Bool(false)) }
    let snapshot = "\(home)/snapshots/\(Self.commit)"
    #expect(links.paths == ["\(snapshot)/a.json", "\(snapshot)/d/b.json"])
    #expect(links.depth == 2 && links.lock == ".locks/\(home)/\(blob).lock")
    #expect(links.note == .init(path: "\(home)/refs/main", text: Self.commit, time: 7))
    #expect(LinkArrangement.text(from: links.paths[1], to: "\(home)/blobs/\(blob)") == "../../../blobs/\(blob)")
    #expect(cache.directories == ["\(home)/blobs", snapshot])
    #expect(cache.answer.entries.map(\.title) == ["a.json", "m.bin"] && cache.snapshot == snapshot)
    let tag = try #require(cache.documents.first)
    #expect(tag.path == "CACHEDIR.TAG" && tag.bytes.starts(with: "Signature: 8a477f597d28d172789f06886806bc55\n".utf8))
  }

  @Test("a name of one file leads to its link, a name of a directory to the snapshot")
  func place() throws {
    let digest = "git-sha1=" + String(repeating: "0c", count: 20)
    let snapshot = "models--o--n/snapshots/\(Self.commit)"
    for (path, expected) in [("d/a", "\(snapshot)/d/a"), ("d", snapshot), ("", snapshot)] {
      let name = HubName(.model, "o/n", path: path)
      let cache = try HubCache(try answer([("d/a", digest)], name), asked: name.name, time: 0)
      #expect(cache.snapshot == expected && cache.blobs == "models--o--n/blobs")
    }
  }

  @Test func referencesOfOtherRevisions() throws {
    let digest = "git-sha1=" + String(repeating: "0c", count: 20)
    for (revision, path) in [
      ("refs/pr/1", "models--o--n/refs/refs/pr/1"), ("feature/x", "models--o--n/refs/feature/x"), (Self.commit, nil),
    ] {
      let name = HubName(.model, "o/n", revision: revision)
      let cache = try HubCache(try answer([("a", digest)], name), asked: name.name, time: 0)
      guard case .links(let links)? = cache.answer.entries.first?.arrangement else { return #expect(Bool(false)) }
      #expect(links.note?.path == path)
    }
  }

  @Test func aBucketHasNoPlaceInIt() throws {
    let name = HubName(.bucket, "o/n")
    let found = SourceAnswer(pinned: name.name, revision: nil, entries: [])
    #expect(throws: DocumentError.self) { try HubCache(found, asked: name.name, time: 0) }
  }

  @Test(
    "the text of a link leads from its directory to the file",
    arguments: [
      ("a/l", "a/f", "f"), ("a/b/l", "a/f", "../f"), ("l", "a/f", "a/f"), ("x/y/l", "a/b/f", "../../a/b/f"),
      ("a/l", "f", "../f"),
    ])
  func text(link: String, file: String, text: String) { #expect(LinkArrangement.text(from: link, to: file) == text) }
}
