// Metalink 3 and 4: URLs by rank, the strongest hash, pieces, and names that must not lead anywhere.

import DrayCore
import DrayDocuments
import Testing

@Suite("Metalink")
struct MetalinkTests {
  private static let sha = String(repeating: "ab", count: 32)
  private static let piece = String(repeating: "0f", count: 20)

  static func version4(name: String = "dir/tool.iso", extra: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <metalink xmlns="urn:ietf:params:xml:ns:metalink">
      <published>2026-01-01T00:00:00Z</published>
      <file name="\(name)">
        <size>30</size>
        <hash type="md5">\(String(repeating: "1", count: 32))</hash>
        <hash type="sha-256">\(sha)</hash>
        <hash type="x-future">zz</hash>
        <pieces length="16" type="sha-1"><hash>\(piece)</hash><hash>\(piece)</hash></pieces>
        <url priority="2" location="de">https://b.example/tool.iso</url>
        <url priority="1">http://a.example/tool.iso</url>
        <url>ftp://c.example/tool.iso</url>
        <url priority="3">rsync://d.example/tool.iso</url>
        <metaurl mediatype="torrent">http://a.example/t.torrent</metaurl>\(extra)
      </file>
    </metalink>
    """
  }

  private func parse(_ text: String) throws -> [OfferedFile] {
    try Metalink.parse(Array(text.utf8), base: nil).files
  }

  @Test("version 4")
  func four() throws {
    let file = try #require(try parse(Self.version4()).first)
    #expect(file.name == "dir/tool.iso" && file.size == 30)
    #expect(file.digest?.description == "sha-256=\(Self.sha)")
    #expect(file.urls.map(\.host).prefix(2) == ["a.example", "b.example"])
    #expect(!file.urls.contains { $0.scheme == "rsync" })
    #expect(file.pieces?.hashes.count == 2 && file.pieces?.length == 16 && file.pieces?.algorithm == .sha1)
  }

  @Test("version 3")
  func three() throws {
    let files = try parse(
      """
      <metalink version="3.0" xmlns="http://www.metalinker.org/"><files><file name="a.bin"><size>30</size>
      <verification><hash type="sha1">\(Self.piece)</hash>
      <pieces length="16" type="sha1"><hash piece="1">\(Self.piece.uppercased())</hash>
      <hash piece="0">\(String(repeating: "1", count: 40))</hash></pieces></verification>
      <resources maxconnections="2"><url type="http" preference="10">http://low/a.bin</url>
      <url type="http" preference="90">http://high/a.bin</url></resources></file></files></metalink>
      """)
    #expect(files.first?.urls.map(\.host) == ["high", "low"])
    #expect(files.first?.digest?.algorithm == .sha1)
    #expect(files.first?.pieces?.hashes == [String(repeating: "1", count: 40), Self.piece])
  }

  @Test(
    "names that lead out of the directory, or nowhere",
    arguments: ["../x", "/../x", "./../x", "/", "a/../../x", "a//b", "..", ".", "a/", "a\\..\\b"])
  func names(_ name: String) {
    #expect(throws: DocumentError.self) { try parse(Self.version4(name: name)) }
  }

  @Test(
    "names that are harmless are made safe",
    arguments: [(".bashrc", "_.bashrc"), ("-rf", "_-rf"), ("a/b", "a/b"), ("/etc/passwd", "etc/passwd"), ("./x", "x")])
  func safe(_ name: String, _ made: String) throws {
    #expect(try parse(Self.version4(name: name)).first?.name == made)
  }

  @Test(
    "errors",
    arguments: [
      ("<feed/>", "<feed>"), ("<metalink/>", "no <file>"), ("<metalink><file name='a'/></metalink>", "no URL"),
      ("<metalink><file name='a'><url>http://h/a</url><size>x</size></file></metalink>", "size"),
      ("<metalink><file name='a'><url>http://h/a</url><hash type='sha-256'>12</hash></file></metalink>", "hash"),
      ("<!DOCTYPE a [<!ENTITY b 'c'>]><metalink/>", "document type"),
    ])
  func wrong(_ text: String, _ part: String) {
    #expect {
      _ = try parse(text)
    } throws: { ($0 as? DocumentError)?.reason.contains(part) ?? false }
  }
}
