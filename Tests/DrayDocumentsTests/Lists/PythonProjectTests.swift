// Pages of package indexes in both forms, names of packages, and the files that are chosen.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Package indexes")
struct PythonProjectTests {
  private static let hex = String(repeating: "ab", count: 32), other = String(repeating: "cd", count: 32)
  private static let linux = WheelMachine(system: .glibc, architecture: "x86_64")

  private static let json = """
    {"meta": {"api-version": "1.3"}, "name": "beta", "versions": ["1.0"], "files": [
      {"filename": "beta-1.0-py3-none-any.whl", "url": "../../p/beta-1.0-py3-none-any.whl", "size": 10,
       "hashes": {"sha256": "\(hex)", "blake2b": "?"}, "requires-python": ">=3.8", "yanked": false},
      {"filename": "beta-1.0.tar.gz", "url": "https://f.example/beta-1.0.tar.gz", "hashes": {"sha256": "\(other)"}},
      {"filename": "beta-1.1-cp311-cp311-manylinux_2_17_x86_64.whl", "url": "x/1", "hashes": {}},
      {"filename": "beta-1.1-cp312-cp312-manylinux_2_17_x86_64.whl", "url": "x/2", "hashes": {}},
      {"filename": "beta-1.1-cp312-cp312-win_amd64.whl", "url": "x/3", "hashes": {}},
      {"filename": "beta-1.2-cp312-cp312-win_amd64.whl", "url": "x/3", "hashes": {}},
      {"filename": "beta-1.3.tar.gz", "url": "x/4", "hashes": {}, "yanked": "broken"},
      {"filename": "beta-2.0rc1.tar.gz", "url": "x/5", "hashes": {}},
      {"filename": "../beta-9.0.tar.gz", "url": "x/6", "hashes": {}},
      {"filename": "gamma-9.0.tar.gz", "url": "x/6", "hashes": {}},
      {"filename": "beta-9.0.tar.gz", "url": "file:///etc/passwd", "hashes": {}}
    ]}
    """

  private func base() throws -> RequestURL { try RequestURL.parse("https://i.example/simple/beta/").url }

  private func page(_ text: String = json, isJSON: Bool = true) throws -> PythonProject {
    try PythonProject.parse(Array(text.utf8), project: "Beta", base: try base(), isJSON: isJSON)
  }

  private func find(_ name: String) throws -> SourceAnswer { try page().find(try PyPIName(name), Self.linux) }

  @Test("the newest release of which a file fits, without pre-releases and what was withdrawn")
  func newest() throws {
    let answer = try find("beta")
    #expect(answer.revision == "1.1" && answer.pinned.text == "pypi:beta==1.1")
    #expect(
      answer.entries.map(\.path) == [
        "beta-1.1-cp311-cp311-manylinux_2_17_x86_64.whl", "beta-1.1-cp312-cp312-manylinux_2_17_x86_64.whl",
      ])
    #expect(
      answer.remarks == [
        "beta 1.1: 2 of 3 files fit Linux on x86_64, for several versions of Python; a pattern takes fewer: "
          + "pypi:beta==1.1/*cp312*",
        "beta 1.1: the index has no digest, nothing proves it",
      ])
  }

  @Test("an exact version with its facts; relative URLs start at the page")
  func exact() throws {
    let answer = try find("Beta[x] == 1")
    #expect(answer.revision == "1.0" && answer.entries.count == 1)
    let file = try #require(answer.entries.first?.file)
    #expect(file.urls.map(\.string) == ["https://i.example/p/beta-1.0-py3-none-any.whl"])
    #expect(file.size == 10 && file.digest?.hex == Self.hex && file.name == "beta-1.0-py3-none-any.whl")
    #expect(answer.remarks == ["beta 1.0 requires Python >=3.8"])
    #expect(try find("beta==1.3").remarks.contains("beta 1.3 was withdrawn by its authors: broken"))
    #expect(try find("beta@2.0rc1").entries.map(\.path) == ["beta-2.0rc1.tar.gz"])
  }

  @Test("patterns and digests take other files")
  func patterns() throws {
    #expect(try find("beta==1.1/*").entries.count == 3)
    #expect(try find("beta==1.1/*win*").pinned.text == "pypi:beta==1.1/*win*")
    #expect(try find("beta/*.tar.gz").revision == "1.0")
    let pinned = try find("beta==1.0#sha256=\(Self.other)")
    #expect(pinned.entries.map(\.path) == ["beta-1.0.tar.gz"] && pinned.pinned.text == "pypi:beta==1.0/*")
    #expect(pinned.entries.first?.file.digestSource == RequirementsList.source)
  }

  @Test(
    "names that lead to no file",
    arguments: [
      ("beta==7", "the index has no version 7 of beta"), ("beta==1.2", "no wheel fits Linux on x86_64"),
      ("beta==1.0/*win*", "no file matches \"*win*\""), ("beta==9.0", "no version 9.0"),
      ("beta==1.0#sha256=\(String(repeating: "11", count: 32))", "has one of the digests in the list"),
      ("beta/*rc1*", "neither a pre-release nor withdrawn"),
    ])
  func misses(_ name: String, _ says: String) throws {
    let miss = try #require(throws: PythonProject.Miss.self) { try find(name) }
    #expect(miss.reason.contains(says), "\(miss)")
  }

  @Test("a page in HTML, as pypiserver and others make")
  func html() throws {
    let page = try page(
      """
      <!DOCTYPE html><html><body><h1>Links</h1><abbr>x</abbr>
      <a href="/p/beta-1.0-py3-none-any.whl#sha256=\(Self.hex)" data-requires-python="&gt;=3.8">beta</a><br>
      <A data-yanked="bad &amp; old" HREF='../../p/beta-2.0-py3-none-any.whl'>x</A>
      <a href="https://elsewhere.example/">home</a>
      </body></html>
      """, isJSON: false)
    #expect(page.files.map(\.version) == ["1.0", "2.0"] && page.unknown == 1)
    let answer = try page.find(try PyPIName("beta"), Self.linux)
    #expect(answer.entries.map(\.path) == ["beta-1.0-py3-none-any.whl"])
    #expect(answer.entries.first?.file.digest?.hex == Self.hex)
    #expect(answer.remarks == ["beta 1.0 requires Python >=3.8"])
    #expect(page.files[1].withdrawal == "bad & old")
  }

  @Test(
    "pages that lie or are broken",
    arguments: [
      ("{", true, "not JSON"), ("{}", true, "no \"files\""),
      ("{\"meta\": {\"api-version\": \"2.0\"}}", true, "newer dray"),
      ("{\"files\": [{}]}", true, "no \"filename\""), (file("\"size\": -1"), true, "number of bytes"),
      (file("\"size\": 1.5"), true, "number of bytes"), (file("\"hashes\": {\"sha256\": \"12\"}"), true, "is invalid"),
      (file("\"hashes\": {\"sha256\": 12}"), true, "is invalid"), ("plain", false, "neither JSON nor HTML"),
      ("<a href=\"beta-1.tar.gz#sha256=12\">", false, "is invalid"),
    ])
  func wrong(_ text: String, _ isJSON: Bool, _ says: String) throws {
    let error = try #require(throws: DocumentError.self) { try page(text, isJSON: isJSON) }
    #expect(error.reason.contains(says), "\(error)")
  }

  private static func file(_ members: String) -> String {
    "{\"files\": [{\"filename\": \"beta-1.tar.gz\", \"url\": \"x\", \(members)}]}"
  }

  @Test(
    "names that are none",
    arguments: [
      ("", "is not the name"), ("a b", "is not the name"), ("-a", "is not the name"), ("a==", "is not a version"),
      ("a==1 2", "is not a version"), ("a/", "must be a pattern"), ("a==1/b/c", "must be a pattern"),
      ("a#x", "has no value"), ("a#x=1", "is not known"), ("a#sha256=12", "is not a digest"),
      ("a#index=ftp://h.example/", "is not the http URL"), ("a#index=https://u:p@h.example/", "without a password"),
      ("..", "is not the name"), ("../../x", "must be a pattern"),
    ])
  func names(_ text: String, _ says: String) throws {
    let error = try #require(throws: DocumentError.self) { try PyPIName(text) }
    #expect(error.reason.contains(says), "\(error)")
  }
}
