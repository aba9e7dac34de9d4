// Records as the services describe them, with what they should not say.

import DrayCore
import DrayDocuments
import Testing

@Suite("Records of research data")
struct RecordTests {
  private static let md5 = String(repeating: "0c", count: 16)
  private static let api = "https://zenodo.org/api/records/5"

  private func url(_ text: String = api) throws -> RequestURL { try RequestURL.parse(text).url }

  private func invenio(_ text: String) throws -> InvenioRecord {
    try InvenioRecord.parse(Array(text.utf8), base: try url())
  }

  @Test("Zenodo's own form")
  func zenodo() throws {
    let record = try invenio(
      """
      {"id": 5, "doi": "10.5281/zenodo.5", "conceptdoi": "10.5281/zenodo.4", "files": [
        {"id": "x", "key": "a b.csv", "size": 12, "checksum": "md5:\(Self.md5)",
         "links": {"self": "\(Self.api)/files/a%20b.csv/content"}}]}
      """)
    let file = try #require(record.files.files.first)
    #expect(record.files.revision == "5" && record.files.doi?.doi == "10.5281/zenodo.5" && record.list == nil)
    #expect(file.path == "a b.csv" && file.size == 12 && file.digest?.description == "md5=\(Self.md5)")
    #expect(file.url.string == "\(Self.api)/files/a%20b.csv/content")
  }

  @Test("Zenodo's form of 2023, whose links led nowhere")
  func old() throws {
    let record = try invenio(
      """
      {"id": 5, "files": [{"filename": "a b", "filesize": 1, "checksum": "\(Self.md5)", "links": {"download": "https://zenodo.org/x"}}]}
      """)
    let file = try #require(record.files.files.first)
    #expect(file.url.string == "\(Self.api)/files/a%20b/content" && file.digest?.algorithm == .md5 && file.size == 1)
  }

  @Test("InvenioRDM's form: entries in the record, or in a list")
  func entries() throws {
    let entry =
      "{\"key\": \"d/a.pdf\", \"size\": 7, \"checksum\": \"md5:\(Self.md5)\", \"links\": {\"self\": \"/api/records/5/files/d/a.pdf\"}}"
    let whole = try invenio(
      "{\"id\": \"k-1\", \"pids\": {\"doi\": {\"identifier\": \"10.1/k-1\"}}, \"files\": {\"enabled\": true, \"entries\": {\"d/a.pdf\": \(entry)}}}"
    )
    #expect(whole.files.doi?.doi == "10.1/k-1" && whole.files.revision == "k-1")
    // `links.self` is the description of a file here.
    #expect(whole.files.files.map(\.url.string) == ["https://zenodo.org/api/records/k-1/files/d%2Fa.pdf/content"])
    #expect(whole.files.files.map(\.path) == ["d/a.pdf"])
    var part = try invenio(
      "{\"id\": \"5\", \"files\": {\"enabled\": true}, \"links\": {\"files\": \"\(Self.api)/files\"}}")
    let list = try #require(part.list)
    let content = entry.replacing("\"self\"", with: "\"content\"").replacing("a.pdf\"}", with: "a.pdf/content\"}")
    try part.readList(Array("{\"enabled\": true, \"entries\": [\(content)]}".utf8), base: list)
    #expect(part.files.files.map(\.url.string) == ["https://zenodo.org/api/records/5/files/d/a.pdf/content"])
    #expect(part.list == nil)
  }

  @Test("a record without links.files")
  func noLinks() throws {
    #expect(try invenio("{\"id\": \"5\", \"files\": {\"enabled\": true}}").list?.string == "\(Self.api)/files")
  }

  @Test(
    "descriptions that are wrong",
    arguments: [
      "[]", "{}", "{\"id\": 5}", "{\"files\": []}", "{\"id\": 5, \"files\": {\"enabled\": false}}",
      "{\"id\": 5, \"files\": [{}]}",
      "{\"id\": 5, \"files\": [{\"key\": \"a\", \"size\": -1}]}",
      "{\"id\": 5, \"files\": [{\"key\": \"a\", \"size\": \"1\"}]}",
      "{\"id\": 5, \"files\": [{\"key\": \"a\", \"checksum\": \"md5:00\"}]}",
      "{\"id\": 5, \"files\": [{\"key\": \"a\", \"checksum\": 1}]}",
      "{\"id\": 5, \"files\": {\"enabled\": true}, \"links\": {\"files\": \"https://evil.example/files\"}}",
    ])
  func wrong(_ text: String) { #expect(throws: DocumentError.self) { try invenio(text) } }

  @Test("paths that lead elsewhere and URLs that are not https are left out, and told")
  func leftOut() throws {
    let record = try invenio(
      """
      {"id": 5, "files": [
        {"key": "../x", "size": 1}, {"key": "/etc/x", "size": 1},
        {"key": "a", "links": {"self": "http://zenodo.org/a"}}, {"key": "b", "links": {"self": "file:///etc/passwd"}},
        {"key": "c", "size": 1, "checksum": "sha9:00"}]}
      """)
    #expect(record.files.files.map(\.path) == ["c"] && record.files.remarks.count == 4)
    #expect(record.files.files.first?.digest == nil)
  }

  @Test("figshare: files in folders, links, pages")
  func figshare() throws {
    let base = try url("https://api.figshare.com/v2/articles/14763051")
    func file(_ id: Int, _ more: String = "") -> String {
      """
      {"id": \(id), "name": "f\(id)", "size": \(id), "is_link_only": false, "supplied_md5": "", "computed_md5": "\(Self.md5)",
       "download_url": "https://ndownloader.figshare.com/files/\(id)"\(more)}
      """
    }
    func article(_ files: [String]) -> [UInt8] {
      Array(
        """
        {"id": 14763051, "version": 3, "doi": "10.6084/m9.figshare.14763051.v3", "folder_structure": {"2": "/data/raw/", "3": "../.."},
         "files": [\(files.joined(separator: ","))]}
        """.utf8)
    }
    let link = file(4).replacing("\"is_link_only\": false", with: "\"is_link_only\": true")
    let small = try FigshareArticle.parse(
      article([file(1), file(2), file(3), link]), base: base, id: "14763051", version: nil)
    #expect(small.isWhole && small.files.revision == "14763051.v3" && small.files.doi?.doi.hasSuffix(".v3") == true)
    #expect(small.files.files.map(\.path) == ["f1", "data/raw/f2"] && small.files.remarks.count == 2)
    #expect(small.files.files.first?.digest?.hex == Self.md5 && small.files.files.first?.size == 1)
    var large = try FigshareArticle.parse(
      article((10..<20).map { file($0) }), base: base, id: "14763051", version: 3)
    #expect(!large.isWhole)
    let page = Array("[\((10..<25).map { file($0) }.joined(separator: ","))]".utf8)
    #expect(try large.readPage(page, base: base) && large.files.files.count == 15)
    #expect(throws: DocumentError.self) {
      try FigshareArticle.parse(article([]), base: base, id: "14763052", version: nil)
    }
    #expect(throws: DocumentError.self) {
      try FigshareArticle.parse(article([]), base: base, id: "14763051", version: 2)
    }
  }

  @Test("Dataverse: directories, tables as they were uploaded, restricted files, other digests")
  func dataverse() throws {
    let base = try url("https://d.example/api/datasets/:persistentId/?persistentId=doi:10.1/x")
    let sha = String(repeating: "0d", count: 20)
    let text = """
      {"status": "OK", "data": {"id": 1, "latestVersion": {"versionNumber": 2, "versionMinorNumber": 1, "files": [
        {"label": "a.txt", "directoryLabel": "data/raw", "restricted": false, "dataFile": {"id": 11, "filesize": 3, "md5": "\(Self.md5)",
          "checksum": {"type": "MD5", "value": "\(Self.md5)"}}},
        {"label": "t.tab", "dataFile": {"id": 12, "filesize": 9, "originalFileFormat": "text/csv", "originalFileSize": 8,
          "originalFileName": "t.csv", "checksum": {"type": "SHA-1", "value": "\(sha)"}}},
        {"label": "s.txt", "restricted": true, "dataFile": {"id": 13, "filesize": 1}},
        {"label": "b.txt", "directoryLabel": "../..", "dataFile": {"id": 14, "filesize": 1}}]}}}
      """
    let record = try DataverseDataset.parse(Array(text.utf8), base: base)
    #expect(record.revision == "2.1" && record.remarks.count == 2)
    #expect(record.files.map(\.path) == ["data/raw/a.txt", "t.csv"] && record.files.map(\.size) == [3, 8])
    #expect(
      record.files.map(\.url.string)
        == ["https://d.example/api/access/datafile/11", "https://d.example/api/access/datafile/12?format=original"])
    #expect(record.files.map(\.digest?.description) == ["md5=\(Self.md5)", "sha-1=\(sha)"])
    let single =
      "{\"status\": \"OK\", \"data\": {\"label\": \"a\", \"dataFile\": {\"id\": 5, \"filesize\": 1, \"md5\": \"\(Self.md5)\"}}}"
    #expect(try DataverseDataset.parse(Array(single.utf8), base: base).files.map(\.path) == ["a"])
    for bad in ["{}", "{\"status\": \"ERROR\"}", "{\"status\": \"OK\", \"data\": {}}"] {
      #expect(throws: DocumentError.self) { try DataverseDataset.parse(Array(bad.utf8), base: base) }
    }
  }

  @Test("links of a page: files once each, with names that differ")
  func links() throws {
    let page = try url("https://p.example/d/1")
    let head = ResponseHead(
      status: 200,
      fields: [
        HeaderField("Link", "</f/a.csv>; rel=\"item\"; type=\"text/csv\", </f/a.csv>; rel=item, </g/a.csv>; rel=item"),
        HeaderField("Link", "</f/b.nc/content>; rel=\"item\", </x>; rel=author, <http://p.example/c>; rel=item"),
        HeaderField("link", "</links>; rel=linkset; type=\"application/linkset+json\""),
      ])
    let record = try LandingLinks.files(head, page)
    #expect(record.files.map(\.path) == ["a.csv", "a.1.csv", "b.nc"] && record.remarks.count == 1)
    let set = try #require(LandingLinks.set(head, page))
    let text = """
      {"linkset": [{"anchor": "https://p.example/d/1", "item": [{"href": "/f/z.csv", "type": "text/csv"}]},
                   {"anchor": "https://p.example/d/2", "item": [{"href": "/f/y.csv"}]}]}
      """
    #expect(try LandingLinks.parse(Array(text.utf8), base: set, page: page).files.map(\.path) == ["z.csv"])
    #expect(throws: DocumentError.self) { try LandingLinks.parse(Array("{}".utf8), base: set, page: page) }
  }

  @Test("an answer: pinned to the version, MD5 named as weak")
  func answer() throws {
    let doi = try #require(DOIName("10.5281/zenodo.4"))
    let record = try invenio(
      """
      {"id": 5, "doi": "10.5281/zenodo.5", "files": [{"key": "a", "checksum": "md5:\(Self.md5)"}, {"key": "b"}]}
      """)
    let answer = record.files.answer(doi, host: "zenodo.org")
    #expect(answer.pinned.text == "doi:10.5281/zenodo.5" && answer.revision == "5")
    #expect(
      answer.entries.map(\.path) == ["a", "b"] && answer.entries.first?.file.digestSource?.rawValue == "zenodo.org")
    #expect(answer.remarks.count == 2 && answer.remarks.first?.hasPrefix("a has only an MD5") == true)
  }
}
