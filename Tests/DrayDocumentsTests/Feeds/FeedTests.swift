// Feeds: the files of their entries, in order, and refusals.

import DrayCore
import DrayDocuments
import Testing

@Suite("Feeds")
struct FeedTests {
  private func base() throws -> RequestURL { try RequestURL.parse("https://pod.example/show/feed.xml").url }

  private func parse(_ text: String) throws -> Feed { try Feed.parse(Array(text.utf8), base: try base()) }

  @Test("a podcast: newest first, whatever form its dates have; lies about lengths do no harm")
  func podcast() throws {
    let feed = try parse(FeedSamples.podcast)
    #expect(feed.title == "Kernel & Shell" && feed.without == 1)
    #expect(feed.entries.map(\.key) == ["ep-3", "ep-2", "ep-1"])
    #expect(feed.entries.map(\.title) == ["Three", "Two: <pipes> & files", "One"])
    #expect(feed.entries.map(\.length) == [nil, nil, 12345])
    #expect(
      feed.entries.map(\.url.string) == [
        "https://cdn.pod.example/3.mp3", "https://cdn.pod.example/2.mp3?token=abc&x=1",
        "https://pod.example/show/audio/1.mp3",
      ])
  }

  @Test("Media RSS in Atom: the best of a group; a page that plays a video is not a file")
  func video() throws {
    let feed = try parse(FeedSamples.video)
    #expect(feed.entries.map(\.url.string) == ["https://v.example/def-high.mp4"])
    #expect(feed.without == 1)
  }

  @Test("Atom: every enclosure of an entry, from xml:base, each remembered separately")
  func releases() throws {
    let feed = try parse(FeedSamples.releases)
    #expect(
      feed.entries.map(\.url.string) == ["https://code.example/tool/v1.0.tar.gz", "https://code.example/tool/v1.0.zip"])
    #expect(Set(feed.entries.map(\.key)).count == 2)
    #expect(feed.entries.first?.length == 100 && feed.entries.first?.published == 1_772_323_200)
  }

  @Test("RSS 1.0 with its enclosures")
  func rdf() throws {
    let feed = try parse(FeedSamples.rdf)
    #expect(feed.title == "Old" && feed.entries.map(\.key) == ["https://old.example/1"])
    #expect(feed.entries.first?.length == 7 && feed.entries.first?.published == 1_104_624_000)
  }

  @Test("without a declared namespace, too, a default beats a bitrate and a bitrate beats a size")
  func ranks() throws {
    func chosen(_ media: String) throws -> String? {
      try parse("<rss><channel><item>\(media)</item></channel></rss>").entries.first?.url.path
    }
    let (a, b) = ("<media:content url='/a' bitrate='9' fileSize='1'/>", "<media:content url='/b' fileSize='5'/>")
    #expect(try chosen(a + b) == "/a")
    #expect(try chosen(b + a + "<media:content url='/c' isDefault='true'/>") == "/c")
    #expect(try chosen("<media:content url='/p.jpg' medium='image'/>" + b) == "/b")
    #expect(try chosen("<media:content url='/p.jpg' medium='image'/>") == "/p.jpg")
    #expect(try chosen(a + "<enclosure url='/e'/>") == "/e")
  }

  @Test(
    "schemes that a feed may not use, and invalid URLs",
    arguments: ["file:///etc/passwd", "javascript:alert(1)", "data:,x", "", "sftp://h/f", "s3://b/k"])
  func schemes(_ url: String) throws {
    let feed = try parse("<rss><channel><item><enclosure url='\(url)'/></item></channel></rss>")
    #expect(feed.entries.isEmpty && feed.without == 1)
  }

  @Test(
    "common mistakes of feeds: blank lines before the declaration, HTML entities, a lone &",
    arguments: [
      ("\n\n<?xml version=\"1.0\" encoding=\"utf-8\"?>\n", "Plain", "Plain"),
      (" <?xml version='1.0'?>", "Caf&eacute;&nbsp;&mdash; &Alpha;&hearts;", "Café\u{A0}— Α♥"),
      ("", "Salt & Pepper &", "Salt & Pepper &"), ("", "AT&T; &unknown; &;", "AT&T; &unknown; &;"),
      ("", "&amp;eacute; &lt;b&gt; &#233; &#xE9; &#XE9;", "&eacute; <b> é é é"), ("", "a&#0;b&#x1B;c&#1114112;", "abc"),
      ("", "<![CDATA[a & b &eacute;]]>", "a & b &eacute;"), ("", "x<!-- & -->y", "xy"),
    ])
  func mended(start: String, title: String, expected: String) throws {
    let item = "<item><title>\(title)</title><enclosure url=\"http://h/a.mp3?x=1&y=2\"/></item>"
    let feed = try parse("\(start)<rss><channel><title>\(title)</title>\(item)</channel></rss>")
    #expect(feed.title == expected)
    #expect(feed.entries.map(\.url.string) == ["http://h/a.mp3?x=1&y=2"])
  }

  @Test("the line of an error includes lines before the declaration")
  func lineAfterBlanks() {
    let error = #expect(throws: DocumentError.self) {
      try parse("\n\n<?xml version=\"1.0\"?>\n<rss>\n<channel></rss>")
    }
    #expect(error?.line == 5)
  }

  @Test("gzip data is unpacked; damaged data is not a feed")
  func compressed() throws {
    let bytes = Self.bytes(
      "1f8b08000000000002ff3dcc410a80201040d1ab8807708a76314df7682732a0309ae8141d3f4268f7179f87fb93c5dcdc7a3acb666737d99db0f54e18a22f858550930ad3912ac2484cca99904b90b35f8dcdd564b351b5ae0011bccb75b14008e3835f820f7e014b7dc59373000000"
    )
    #expect(try Feed.parse(bytes, base: nil).title == "Zip")
    #expect(try Feed.kept(bytes, charset: nil).starts(with: "<?xml".utf8))
    let error = #expect(throws: DocumentError.self) { try Feed.parse(Array(bytes.dropLast()), base: nil) }
    #expect(error?.reason == "its gzip data is damaged")
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.map { UInt8($0 > 0x39 ? $0 - 0x57 : $0 - 0x30) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// Columns: the charset of the answer, the declaration, the bytes of the title, the title.
  private static let charsets: [(String?, String?, [UInt8], String)] = [
    (nil, nil, [0xC3, 0xA9], "é"), ("iso-8859-1", nil, [0xE9], "é"), ("ISO-8859-1", nil, [0xC3, 0xA9], "Ã©"),
    ("windows-1251", "utf-8", [0xE9], "й"), ("windows-1251", "utf-8", [0xC3, 0xA9], "é"),
    ("koi8-r", "windows-1251", [0xCA], "й"), ("utf-8", "iso-8859-1", [0xE9], "é"),
    ("utf-8", "iso-8859-1", [0xC3, 0xA9], "é"), ("UTF-8", nil, [0xC3, 0xA9], "é"),
    ("x-unknown", nil, [0xC3, 0xA9], "é"),
    ("utf-8", nil, [0x61, 0xFF], "a\u{FFFD}"),
  ]

  @Test(
    "the charset of the answer counts more than the declaration, and stays with the copy", arguments: charsets.indices)
  func charset(index: Int) throws {
    let (charset, declared, title, expected) = Self.charsets[index]
    let start = declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
    let bytes = Array("\(start)<rss><channel><title>".utf8) + title + Array("</title></channel></rss>".utf8)
    #expect(try Feed.parse(try Feed.kept(bytes, charset: charset), base: nil).title == expected)
  }

  @Test("encodings: declared, by mark, by shape")
  func encodings() throws {
    func xml(_ name: String) -> String {
      "<?xml version='1.0' encoding='\(name)'?>\n<rss><channel><title>Caf\u{E9}</title></channel></rss>"
    }
    func title(_ bytes: [UInt8]) throws -> String? { try Feed.parse(bytes, base: nil).title }
    let latin = Array(xml("ISO-8859-1").unicodeScalars.map { UInt8($0.value) })
    #expect(try title(latin) == "Caf\u{E9}")
    let quotes = Array("<?xml version=\"1.0\" encoding=\"windows-1252\"?><rss><channel><title>".utf8) + [0x93, 0x94]
    #expect(try title(quotes + Array("</title></channel></rss>".utf8)) == "\u{201C}\u{201D}")
    #expect(try title([0xEF, 0xBB, 0xBF] + Array(xml("utf-8").utf8)) == "Caf\u{E9}")
    let wide = xml("UTF-16").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try title([0xFF, 0xFE] + wide) == "Caf\u{E9}")
    #expect(try title(xml("UTF-16").utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == "Caf\u{E9}")
    #expect(throws: DocumentError.self) { try title(Array(xml("x-klingon").utf8)) }
  }

  @Test(
    "other documents are refused with a reason",
    arguments: [
      (FeedSamples.bomb, "document type"), (FeedSamples.page, "https://pod.example/feed.xml"),
      ("<html><body>x</body></html>", "without a link to a feed"), ("", "no XML"), ("{}", "no XML"),
      ("<rss><channel>", "malformed"), ("<opml/>", "<opml>"), ("<rss/>", "<channel>"),
      (String(repeating: "<a>", count: 5000), "nested"),
      ("<rss>" + String(repeating: "<a/>", count: 200_001) + "</rss>", "elements"),
      ("<!-- x --><!DOCTYPE rss SYSTEM 'file:///etc/passwd'><rss><channel/></rss>", "document type"),
    ])
  func refused(_ text: String, _ part: String) {
    #expect {
      _ = try parse(text)
    } throws: { error in
      (error as? DocumentError)?.reason.contains(part) ?? false
    }
  }

  @Test("an error names its line")
  func line() {
    #expect {
      _ = try parse("<rss>\n<channel>\n<item></channel></rss>")
    } throws: { error in
      (error as? DocumentError)?.line == 3
    }
  }

  @Test("a guid that comes twice is one entry")
  func twice() throws {
    let item = "<item><guid>g</guid><enclosure url='/a'/></item>"
    #expect(try parse("<rss><channel>\(item)\(item)</channel></rss>").entries.count == 1)
  }
}
