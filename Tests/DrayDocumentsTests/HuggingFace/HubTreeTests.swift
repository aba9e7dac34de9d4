// The listings of a hub, honest and otherwise.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite struct HubTreeTests {
  private static let git = String(repeating: "0c", count: 20)
  private static let sha256 = String(repeating: "ab", count: 32)
  private let url: RequestURL

  init() throws { url = try RequestURL.parse("https://h/api/models/o/n/tree/c?recursive=true").url }

  private static func file(_ path: String, _ size: String = "5", lfs: String? = nil) -> String {
    let more = lfs.map { #", "lfs": \#($0)"# } ?? ""
    return #"{"type": "file", "path": "\#(path)", "size": \#(size), "oid": "\#(git)"\#(more)}"#
  }

  private static func lfs(_ oid: String = sha256, size: Int = 5) -> String {
    #"{"oid": "\#(oid)", "size": \#(size), "pointerSize": 134}"#
  }

  private func add(_ entries: String..., next: String? = nil, to tree: inout HubTree) throws -> RequestURL? {
    try tree.add(page: Array("[\(entries.joined(separator: ","))]".utf8), of: url, next: next)
  }

  @Test func filesOfBothKinds() throws {
    var tree = HubTree()
    let directory = #"{"type": "directory", "path": "a", "size": 0, "oid": "x"}"#
    let other = #"{"type": "submodule", "path": "m"}"#
    let large = Self.file("a/m.bin", lfs: Self.lfs())
    #expect(try add(directory, Self.file("a/c.json"), large, other, to: &tree) == nil)
    #expect(tree.files.map(\.path) == ["a/c.json", "a/m.bin"] && tree.others == 1)
    #expect(tree.files.map { $0.digest?.description } == ["git-sha1=\(Self.git)", "sha-256=\(Self.sha256)"])
    let name = HubName(.dataset, "o/n", path: "")
    let commit = String(repeating: "1", count: 40)
    let hub = HubAddress(try RequestURL.parse("https://h/hub/").url)
    let answer = try tree.answer(name, commit: commit, at: hub)
    #expect(answer.pinned.text == "hf:datasets/o/n@\(commit)" && answer.revision == commit)
    #expect(answer.entries.first?.file.urls.first?.string == "https://h/hub/datasets/o/n/resolve/\(commit)/a/c.json")
    #expect(answer.documents.map(\.path) == ["trees/\(commit).json"] && answer.remarks.count == 1)
    let record = try JSONNode.parse(answer.documents[0].bytes, kind: "a record")
    #expect(record["format_version"]?.integer == 1)
    #expect(record["files"]?["a/m.bin"]?["lfs_sha256"]?.string == Self.sha256)
    #expect(record["files"]?["a/m.bin"]?["lfs_size"]?.integer == 5)
    #expect(record["files"]?["a/c.json"]?["blob_id"]?.string == Self.git)
  }

  @Test(
    arguments: [
      ("{}", "must be an array"), ("[1]", "no \"type\""), (#"[{"type": "file"}]"#, "cannot be the path"),
      ("[\(file("../x"))]", "cannot be the path"), ("[\(file("/x"))]", "cannot be the path"),
      ("[\(file("a//b"))]", "cannot be the path"), ("[\(file("a/../b"))]", "cannot be the path"),
      ("[\(file("a\\u0000b"))]", "cannot be the path"), ("[\(file("a\\u001b[2J"))]", "cannot be the path"),
      ("[\(file(""))]", "cannot be the path"), ("[\(file("x", "-1"))]", "number of bytes"),
      ("[\(file("x", "\"5\""))]", "number of bytes"), ("[\(file("x", "1e300"))]", "number of bytes"),
      ("[\(file("x")), \(file("x"))]", "in it twice"), ("[\(file("x", lfs: lfs("12")))]", "64 hexadecimal"),
      ("[\(file("x", lfs: lfs(size: 6)))]", "two sizes"), ("[\(file("x", lfs: "{}"))]", "64 hexadecimal"),
      ("[\(file("x").replacing(git, with: "main"))]", "40 hexadecimal"), ("[", "not JSON"),
    ])
  func lies(page: String, reason: String) throws {
    var tree = HubTree()
    let error = #expect(throws: DocumentError.self) { try tree.add(page: Array(page.utf8), of: url, next: nil) }
    #expect(try #require(error).reason.contains(reason), "\(error?.reason ?? "")")
  }

  @Test func pagesThatLoop() throws {
    var tree = HubTree()
    let next = try add(Self.file("a"), next: "?recursive=true&cursor=2", to: &tree)
    #expect(next?.string == "https://h/api/models/o/n/tree/c?recursive=true&cursor=2")
    #expect(throws: DocumentError.self) { try add(Self.file("b"), next: url.string, to: &tree) }
    #expect(throws: DocumentError.self) { try add(Self.file("c"), next: "https://other/tree?cursor=3", to: &tree) }
    #expect(throws: DocumentError.self) { try add(Self.file("a"), next: "?cursor=4", to: &tree) }
  }

  @Test(arguments: [
    "{}", #"{"sha": null}"#, #"{"sha": "main"}"#, #"{"sha": "../../../../../../../../../../../../../etc"}"#,
    #"{"sha": "0123456789ABCDEF0123456789abcdef01234567"}"#, "[]", "",
  ])
  func noCommit(text: String) {
    #expect(throws: DocumentError.self) { try HubTree.commit(Array(text.utf8)) }
  }
}
