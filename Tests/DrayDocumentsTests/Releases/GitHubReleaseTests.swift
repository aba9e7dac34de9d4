// Releases as the API describes them, and the files that a name stands for.

import DrayCore
import DrayDocuments
import Testing

@Suite("Releases on GitHub")
struct GitHubReleaseTests {
  private static let hex = String(repeating: "ab", count: 32)

  private static func asset(_ id: Int, _ name: String, _ change: String = "") -> String {
    """
    {"url": "https://evil.example/\(id)", "id": \(id), "name": "\(name)", "state": "uploaded", "size": \(id),
     "digest": "sha256:\(hex)", "browser_download_url": "https://github.com/o/r/releases/download/v1/\(name)"\(change)}
    """
  }

  private static func release(_ assets: [String], _ more: String = "\"tag_name\": \"v1\"") -> [UInt8] {
    Array(
      "{\"id\": 7, \"draft\": false, \"prerelease\": false, \(more), \"assets\": [\(assets.joined(separator: ","))]}"
        .utf8)
  }

  private func base() throws -> RequestURL { try RequestURL.parse("https://api.github.com/repos/o/r/releases/7").url }

  private func answer(
    _ assets: [String], _ rest: String = "o/r@v1", _ access: GitHubAccess = .everybody, host: String = "github.com"
  ) throws -> SourceAnswer {
    let release = try GitHubRelease.parse(Self.release(assets), base: try base())
    let name = SourceName(scheme: "gh", rest: rest)
    let server = try #require(GitHubServer(host: host))
    return try GitHubName(name).answer(name, release.tag, release.assets, on: server, access)
  }

  @Test("assets for everybody: URL, size and digest")
  func everybody() throws {
    let found = try answer([Self.asset(5, "a.tgz"), Self.asset(6, "b.zip")])
    #expect(found.pinned.text == "gh:o/r@v1" && found.revision == "v1" && found.remarks.isEmpty)
    #expect(found.entries.map(\.path) == ["a.tgz", "b.zip"])
    let file = try #require(found.entries.first?.file)
    #expect(file.urls.map(\.string) == ["https://github.com/o/r/releases/download/v1/a.tgz"])
    #expect(file.size == 5 && file.digest?.description == "sha-256=\(Self.hex)" && file.headers.isEmpty)
    #expect(file.digestSource?.rawValue == "github.com")
  }

  @Test("assets for members: the API's URL, never one that the answer names, and no token")
  func members() throws {
    let file = try #require(try answer([Self.asset(5, "a.tgz")], "o/r@v1", .members).entries.first?.file)
    #expect(file.urls.map(\.string) == ["https://api.github.com/repos/o/r/releases/assets/5"])
    #expect(file.headers == [HeaderField("Accept", "application/octet-stream")])
  }

  @Test(
    "patterns",
    arguments: [
      ("o/r@v1/a.tgz", ["a.tgz"]), ("o/r@v1/*.tgz", ["a.tgz", "c.tgz"]), ("o/r@v1/?.zip", ["b.zip"]),
      ("o/r@v1/*", ["a.tgz", "b.zip", "c.tgz"]),
    ])
  func patterns(_ rest: String, _ paths: [String]) throws {
    let assets = ["a.tgz", "b.zip", "c.tgz"].enumerated().map { Self.asset($0.offset, $0.element) }
    #expect(try answer(assets, rest).entries.map(\.path) == paths)
  }

  @Test("a pattern that matches nothing names what exists")
  func noMatch() {
    #expect {
      try answer([Self.asset(1, "tool-linux.tgz")], "o/r@v1/tool-linus.tgz")
    } throws: { error in
      let failure = error as? Failure
      return failure?.kind == .usage && failure?.advice == Advice("did you mean tool-linux.tgz?")
    }
    #expect(throws: Failure.self) { try answer([]) }
  }

  @Test("files without a digest, unfinished uploads, and names that lead elsewhere are told")
  func remarks() throws {
    let found = try answer([
      Self.asset(1, "old.tgz").replacing("\"sha256:\(Self.hex)\"", with: "null"),
      Self.asset(2, "older.tgz").replacing("\"digest\": \"sha256:\(Self.hex)\",", with: ""),
      Self.asset(3, "new.tgz").replacing("\"uploaded\"", with: "\"open\""), Self.asset(4, "../x"), Self.asset(5, "a/b"),
      Self.asset(6, "future.tgz").replacing("sha256:", with: "sha9:"),
    ])
    #expect(found.entries.map(\.path) == ["old.tgz", "older.tgz", "future.tgz"])
    #expect(found.entries.allSatisfy { $0.file.digest == nil && $0.file.digestSource == nil })
    #expect(found.remarks.count == 4 && found.remarks.last?.contains("nothing proves old.tgz and 2 more") == true)
  }

  @Test("a URL that is not https is replaced by the one of the release")
  func insecure() throws {
    let asset = Self.asset(5, "a+b.tgz").replacing("\"https://github.com", with: "\"http://github.com")
    #expect(
      try answer([asset]).entries.first?.file.urls.map(\.string)
        == ["https://github.com/o/r/releases/download/v1/a%2Bb.tgz"])
  }

  @Test(
    "answers that are no release",
    arguments: [
      "", "[]", "{}", "{\"id\": 1}", "{\"id\": \"1\", \"tag_name\": \"v\"}", "{\"id\": 1, \"tag_name\": \"\"}",
      "{\"id\": 1, \"tag_name\": \"v\\u001b\"}",
      "{\"id\": 1, \"tag_name\": \"v\", \"assets\": {}}", "{\"id\": 1, \"tag_name\": \"v\", \"assets\": [1]}",
      "{\"id\": 1, \"tag_name\": \"v\", \"assets\": [{\"id\": -1, \"name\": \"a\"}]}",
      "{\"id\": 1, \"tag_name\": \"v\", \"assets\": [{\"id\": 1, \"name\": \"a\", \"size\": -1}]}",
      "{\"id\": 1, \"tag_name\": \"v\", \"assets\": [{\"id\": 1, \"name\": \"a\", \"size\": 1.5}]}",
      "{\"id\": 1, \"tag_name\": \"v\", \"assets\": [{\"id\": 1, \"name\": \"a\", \"digest\": \"sha256:00\"}]}",
      "{\"id\": 1, \"tag_name\": \"v\", \"assets\": [{\"id\": 1, \"name\": \"a\", \"digest\": 5}]}",
    ])
  func bad(_ text: String) throws {
    let base = try base()
    #expect(throws: DocumentError.self) { try GitHubRelease.parse(Array(text.utf8), base: base) }
  }

  @Test("commits and repositories")
  func others() throws {
    let sha = String(repeating: "0a", count: 20)
    #expect(try GitHubRelease.commit(Array("\(sha)\n".utf8)) == sha)
    for bad in ["", "main", "\(sha)0", "<html>", sha.uppercased()] {
      #expect(throws: DocumentError.self) { try GitHubRelease.commit(Array(bad.utf8)) }
    }
    #expect(try GitHubRelease.isPrivate(Array("{\"private\": true}".utf8)))
    #expect(throws: DocumentError.self) { try GitHubRelease.isPrivate(Array("{}".utf8)) }
  }

  @Test("archives of the source are pinned to a commit, and the file is called after what was asked for")
  func archives() throws {
    let sha = String(repeating: "0a", count: 20)
    let server = try #require(GitHubServer(host: "github.com"))
    let name = try GitHubName(SourceName(scheme: "gh", rest: "o/r@a%2Fb/source.tar.gz"))
    let open = try #require(name.answer(.tarball, "a/b", commit: sha, on: server, .everybody))
    #expect(open.pinned.text == "gh:o/r@\(sha)/source.tar.gz" && open.revision == sha)
    #expect(open.entries.map(\.path) == ["source.tar.gz"] && open.entries.first?.file.name == "r-a-b.tar.gz")
    #expect(open.entries.first?.file.urls.map(\.string) == ["https://github.com/o/r/archive/\(sha).tar.gz"])
    #expect(open.entries.first?.file.size == nil && open.remarks.count == 1)
    let own = try #require(name.answer(.zipball, "v1", commit: sha, on: server, .members))
    #expect(own.entries.first?.file.urls.map(\.string) == ["https://api.github.com/repos/o/r/zipball/\(sha)"])
    #expect(own.entries.first?.file.headers.isEmpty == true)
  }
}
