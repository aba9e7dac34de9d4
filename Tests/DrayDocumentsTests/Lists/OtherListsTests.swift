// Lists of conda, apt, BagIt and Croissant.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Lists of conda, apt, BagIt and Croissant")
struct OtherListsTests {
  private static let hex = String(repeating: "0f", count: 32), md5 = String(repeating: "1e", count: 16)

  private func read(_ text: String, _ companions: [String: String] = [:]) throws -> FileList {
    let bytes = Array(text.utf8)
    let kind = try #require(ListKind.of(bytes))
    return try kind.read(bytes, companions: companions.mapValues { Array($0.utf8) })
  }

  private func error(_ text: String, _ companions: [String: String] = [:]) throws -> DocumentError {
    try #require(throws: DocumentError.self) { try read(text, companions) }
  }

  @Test("conda: digests of both kinds after #, and packages without one")
  func conda() throws {
    let list = try read(
      """
      # platform: linux-64
      @EXPLICIT
      https://c.example/main/linux-64/a-1-0.conda#\(Self.md5)
      https://c.example/main/noarch/b-1-0.tar.bz2#sha256:\(Self.hex)
      https://c.example/main/noarch/c-1-0.conda#\(Self.hex)
      https://c.example/main/noarch/d-1-0.conda
      /home/x/e-1-0.conda
      """)
    #expect(list.files.map(\.name) == ["a-1-0.conda", "b-1-0.tar.bz2", "c-1-0.conda", "d-1-0.conda"])
    #expect(list.files.map { $0.digest?.algorithm } == [.md5, .sha256, .sha256, nil])
    #expect(list.remarks == ["line 7: \"/home/x/e-1-0.conda\" is on the machine of its author: left out"])
    let wrong = try error("@EXPLICIT\nhttps://c.example/a.conda#12\n")
    #expect(wrong.line == 2 && wrong.reason.contains("the digest after #"))
    #expect(try error("@EXPLICIT\nhttps://c.example/a b\n").line == 2)
    #expect(try error("@EXPLICIT\n").reason == "it names no file")
  }

  @Test("apt: names and sizes as apt stores them; lines for people are skipped")
  func apt() throws {
    let list = try read(
      """
      Reading package lists...
      0 upgraded, 1 newly installed, 0 to remove.
      'http://d.example/pool/c/cowsay_3.03%2bdfsg2-8_all.deb' cowsay_3.03+dfsg2-8_all.deb 21372 MD5Sum:\(Self.md5)
      'http://d.example/pool/h/hello_1%3a2_amd64.deb' hello_1%3a2_amd64.deb 5 SHA256:\(Self.hex)
      'http://d.example/dists/InRelease' d.example_dists_InRelease 0 
      'cdrom://x/a.deb' a.deb 5 SHA256:\(Self.hex)
      """)
    #expect(
      list.files.map(\.name) == ["cowsay_3.03+dfsg2-8_all.deb", "hello_1%3a2_amd64.deb", "d.example_dists_InRelease"])
    #expect(list.files.map(\.size) == [21372, 5, nil])
    #expect(list.files.map { $0.digest?.algorithm } == [.md5, .sha256, nil])
    #expect(list.remarks == ["line 6: \"cdrom://x/a.deb\" cannot be fetched: left out"])
    let start = "'http://d.example/a' a 1 SHA256:\(Self.hex)\n"
    for (line, says) in [
      ("'http://d.example/a' ../a 1", "not a plain name"), ("'http://d.example/a' b 1 SHA256:1", "the digest of"),
      ("'http://d.example/a' b x", "is not 'URL' NAME SIZE DIGEST"), ("https://d.example/a", "is not 'URL'"),
      ("'http://d.example/a' b 99999999999999999999", "the size"), ("'http://d.example/a' b 1 what:1", "unknown"),
    ] {
      let wrong = try error(start + line + "\n")
      #expect(wrong.line == 2 && wrong.reason.contains(says), "\(wrong)")
    }
  }

  @Test("BagIt: paths with blanks and escapes, and the strongest digest of the manifests")
  func bag() throws {
    let text = """
      https://h.example/a 12 data/a b.txt
      https://h.example/b\t-\tdata/d/100%25.txt
      https://h.example/c 3 data/c
      """
    let list = try read(
      text,
      [
        "manifest-md5.txt": "\(Self.md5)  data/a b.txt\n\(Self.md5) *./data/d/100%25.txt\n",
        "manifest-sha256.txt": "\(Self.hex) data/a b.txt\n",
      ])
    #expect(list.files.map(\.name) == ["data/a b.txt", "data/d/100%.txt", "data/c"])
    #expect(list.files.map(\.size) == [12, nil, 3])
    #expect(list.files.map { $0.digest?.algorithm } == [.sha256, .md5, nil])
    #expect(
      list.remarks == ["1 file is in no manifest-sha256.txt or its like beside it: no digest is checked"])
    let start = "https://h.example/a 12 data/a\n"
    for (line, says) in [
      ("https://h.example/b 1 data/../b", "not a path below data/"),
      ("https://h.example/b 1 /etc/b", "not a path below"),
      ("https://h.example/b 1 bagit.txt", "not a path below"), ("https://h.example/b 1", "not URL LENGTH PATH"),
      ("https://h.example/b x data/b", "not URL LENGTH PATH"), ("smb://h.example/b 1 data/b", "not a URL"),
      ("https://h.example/b 1 data/a%0Ab", "not a path below"), ("https://h.example/b", "not URL LENGTH PATH"),
      ("https://h.example/b 99999999999999999999 data/b", "the length"), ("  out=x", "not URL LENGTH PATH"),
    ] {
      let wrong = try error(start + line + "\n")
      #expect(wrong.line == 2 && wrong.reason.contains(says), "\(line): \(wrong)")
    }
    let wrong = try error(start, ["manifest-sha256.txt": "\n12 data/a\n"])
    #expect(wrong.line == nil && wrong.reason.contains("line 2 of manifest-sha256.txt"))
  }

  @Test("Croissant: file objects with their facts; sets and parts of archives are left out")
  func croissant() throws {
    let list = try read(
      """
      {
        "@context": {"sc": "https://schema.org/", "cr": "http://mlcommons.org/croissant/"},
        "@type": "sc:Dataset",
        "distribution": [
          {"@type": "cr:FileObject", "@id": "a", "name": "a.csv", "contentUrl": "https://h.example/files/1",
           "contentSize": "1234 B", "sha256": "\(Self.hex)"},
          {"@type": "FileObject", "@id": "b", "sc:contentUrl": "https://h.example/b.zip", "contentSize": "2.1 GB",
           "md5": "\(Self.md5)"},
          {"@type": "cr:FileObject", "@id": "c", "contentUrl": "https://h.example/c", "contentSize": 5},
          {"@type": "cr:FileObject", "@id": "repo", "contentUrl": "https://h.example/tree",
           "encodingFormat": "git+https", "sha256": "https://h.example/issues/80"},
          {"@type": "cr:FileObject", "@id": "in", "contentUrl": "x/y.csv", "containedIn": {"@id": "b"}},
          {"@type": "cr:FileSet", "@id": "s", "includes": "*.csv"}
        ]
      }
      """)
    #expect(list.files.map(\.name) == ["a.csv", "b.zip", nil])
    #expect(list.files.map(\.size) == [1234, nil, 5])
    #expect(list.files.map { $0.digest?.algorithm } == [.sha256, .md5, nil])
    #expect(
      list.remarks == [
        "line 10: \"repo\" is a repository of git: left out",
        "line 12: \"in\" is beside the description or inside of another file: left out",
        "1 FileSet is left out: they name files inside of others",
      ])
  }

  @Test(
    "Croissant's errors",
    arguments: [
      ("\"distribution\": [\n{\"@type\": \"cr:Other\"}]", 2, "neither a FileObject"),
      ("\"distribution\": [\n3]", 2, "a number"),
      (object("\"contentUrl\": 3"), 2, "contentUrl of"),
      (object("\"contentUrl\": \"smb://h.example/a\""), 2, "not a URL"),
      (object("\"contentUrl\": \"https://h.example/a\", \"sha256\": \"x\""), 2, "is not a digest"),
      (object("\"contentUrl\": \"https://h.example/a\", \"name\": \"../a.b\""), 2, "leads out of"),
      ("\"distribution\": [", 1, "not JSON"),
    ])
  func wrongCroissant(_ members: String, _ line: Int, _ says: String) throws {
    let wrong = try error("{\"@context\": {}, \(members)}")
    #expect(wrong.line == line && wrong.reason.contains(says), "\(wrong)")
  }

  private static func object(_ members: String) -> String {
    "\"distribution\": [\n{\"@type\": \"cr:FileObject\", \"@id\": \"a\", \(members)}]"
  }
}
