// Documents: feeds, Metalink files, catalogs, manifests, locks, configuration, lists.

import Foundation

@testable import DrayCommands
@testable import DrayCore
@testable import DrayDocuments
@testable import DrayKit

extension FuzzTarget {
  private static let base = try? RequestURL.parse("https://a.example/dir/doc").url

  private static let xmlWords = [
    "<", ">", "/>", "</", "<a>", "<![CDATA[", "]]>", "<!--", "-->", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
    "<!DOCTYPE a [",
    "&amp;", "&#x41;", "&x;", " xmlns:m=\"http://search.yahoo.com/mrss/\"", " xml:base=\"http://b.example/\"",
    " a=\"b\"", "<LINK rel=alternate type=application/rss+xml href=x", "<link ",
  ]

  static func holdOffer(_ file: OfferedFile) throws(Violation) {
    try hold(!file.urls.isEmpty, "a file is somewhere")
    for url in file.urls { try hold(DocumentURL.schemes.contains(url.scheme), "no document leads to \(url.string)") }
    if let name = file.name {
      for part in name.split(separator: "/", omittingEmptySubsequences: false) { try holdName(String(part)) }
    }
    try hold(file.size ?? 0 >= 0, "a size is none below 0")
    if let pieces = file.pieces { try hold(pieces.length > 0, "a piece has a length") }
  }

  static func holdError(_ error: DocumentError) throws(Violation) {
    let failure = error.failure("x")
    try holdPrintable(failure.message, "an error")
    try hold(error.line ?? 1 >= 1, "a line is one")
    try hold(failure.message.utf8.count < 20_000, "an error is short: \(failure.message.utf8.count)")
  }

  static let metalink = FuzzTarget(
    "Metalink",
    words: xmlWords + [
      "<url>http://m.example/a</url>", "<file name=\"a\">", "<hash type=\"sha-256\">", "<size>", " priority=\"1\"",
      " preference=\"-9223372036854775808\"", "<pieces length=\"1\" type=\"sha-1\">", "</file>",
    ],
    seeds: [
      """
      <?xml version="1.0"?><metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="d/a.iso"><size>14</size>\
      <hash type="md5">d41d8cd98f00b204e9800998ecf8427e</hash><pieces length="262144" type="md5">\
      <hash>d41d8cd98f00b204e9800998ecf8427e</hash></pieces><url priority="2">ftp://b.example/a</url>\
      <url priority="1">http://a.example/a</url></file></metalink>
      """,
      """
      <metalink version="3.0" xmlns="http://www.metalinker.org/"><files><file name="a"><verification>\
      <hash type="md5">d41d8cd98f00b204e9800998ecf8427e</hash></verification><resources>\
      <url type="http" preference="10">http://a.example/a</url></resources></file></files></metalink>
      """,
    ].map { Array($0.utf8) }, rounds: 250
  ) { (bytes: [UInt8]) throws(Violation) in
    let metalink: Metalink
    do throws(DocumentError) { metalink = try Metalink.parse(bytes, base: base) } catch { return try holdError(error) }
    for file in metalink.files { try holdOffer(file) }
  }

  static let feed = FuzzTarget(
    "feeds",
    words: xmlWords + [
      "<item>", "</item>", "<guid>g</guid>", "<enclosure url=\"/a.mp3\" length=\"1\" type=\"audio/mpeg\"/>",
      "<media:content url=\"b\" fileSize=\"nan\"/>", "<pubDate>", "Sat, 31 Jan 2026 12:00:00 +0100",
    ],
    seeds: [
      """
      <rss version="2.0"><channel><title>t</title><item><title>a</title><guid>1</guid><pubDate>Sat, 31 Jan 2026 12:00:00 \
      +0100</pubDate><enclosure url="/a.mp3" length="12" type="audio/mpeg"/></item><item><title>b</title></item></channel></rss>
      """,
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b.example/d/"><title>t</title><entry><id>i</id>\
      <published>2026-01-31T12:00:00.5+01:00</published><link rel="enclosure" href="x.zip" length="9"/></entry></feed>
      """,
      "<!DOCTYPE html><html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"/f\"></head></html>",
    ].map { Array($0.utf8) }, rounds: 250
  ) { (bytes: [UInt8]) throws(Violation) in
    let feed: Feed
    do throws(DocumentError) { feed = try Feed.parse(bytes, base: base) } catch { return try holdError(error) }
    for entry in feed.entries {
      try hold(DocumentURL.schemes.contains(entry.url.scheme), "no feed leads to \(entry.url.string)")
      try hold(entry.length ?? 1 > 0 && !entry.key.isEmpty && entry.published?.isFinite ?? true, "an entry is one")
    }
    try hold(Set(feed.entries.map(\.key)).count == feed.entries.count, "no entry comes twice")
    // Entries may share one long base URL, so the sum of their sizes is bounded (P13).
    let sum = feed.entries.reduce(0) { $0 + $1.key.utf8.count + $1.url.string.utf8.count }
    try hold(sum <= 64 * bytes.count + 100_000, "\(bytes.count) bytes make \(sum)")
  }

  static let feedDate = FuzzTarget(
    "dates of feeds", words: ["2026-01-31", "T", "Z", "+01:00", "Jan", "Sat, ", "31", "26", "12:00", "EST", "-9999"],
    seeds: ["2026-01-31T12:00:00.5+01:00", "Sat, 31 Jan 2026 12:00:00 +0100", "Jan 31 2026", "31 January 70 1:2 PDT"]
  ) { (text: String) throws(Violation) in
    if let date = FeedDate.parse(text) { try hold(abs(date) < 4e11, "a date is bounded: \(date)") }
  }

  static let catalog = FuzzTarget(
    "catalogs",
    words: ["{", "}", "[", "]", ",", ":", "\"urls\"", "\"size\"", "\"\\u0000\"", "\"..\"", "1e9", "null", "\\ud800"],
    seeds: [
      """
      {"dray-catalog":1,"description":"d","services":{"s":{"description":"x","versions":{"1.0":{"urls":["a","http://b.example/"],\
      "size":3,"digest":"md5=d41d8cd98f00b204e9800998ecf8427e","filename":"a.zip","headers":{"X":"y"}},"2.0-rc1":{"urls":["c"]}}}}}
      """
    ].map { Array($0.utf8) }
  ) { (bytes: [UInt8]) throws(Violation) in
    let catalog: Catalog
    do throws(DocumentError) { catalog = try Catalog.parse(bytes, base: base) } catch { return try holdError(error) }
    for service in catalog.services {
      for (version, file) in service.versions {
        try holdOffer(file)
        guard !service.name.contains("@") else { continue }
        let found = try? catalog.find("\(service.name)@\(version)")
        try hold(found?.file == file || version.contains("@"), "what is there is found: \(service.name)@\(version)")
      }
    }
    _ = try? catalog.find(String(decoding: bytes.prefix(40), as: UTF8.self))
  }

  static let programAnswer = FuzzTarget(
    "answers of programs",
    words: [
      "{", "}", ":", ",", "\n", "\"path\"", "\"url\"", "\"size\"", "\"error\"", "\"name\"", "\"a:b\"", "\"..\"", "null",
      "\\u0000", "1e9",
    ],
    seeds: [
      """
      {"name":"a:b@1","revision":"1"}
      {"path":"d/f","url":"http://a.example/f","urls":["http://b.example/f"],"size":3,"revision":"1","referer":"r",\
      "digest":{"md5":"d41d8cd98f00b204e9800998ecf8427e"},"headers":{"X":"y","Range":"z","User-Agent":"u"}}
      """, "{\"error\":\"no\",\"advice\":\"do\",\"retry\":true}\n",
    ].map { Array($0.utf8) }
  ) { (bytes: [UInt8]) throws(Violation) in
    let name = SourceName(scheme: "a", rest: "b")
    let answer: ProgramAnswer
    do throws(DocumentError) { answer = try ProgramAnswer.parse(bytes, of: name) } catch { return try holdError(error) }
    switch answer {
    case .refusal(let refusal):
      try hold(TextSafety.escaped(refusal.reason) == refusal.reason && !refusal.reason.isEmpty, "a printable reason")
    case .files(let files):
      try hold(files.pinned.scheme == name.scheme, "a name of the source")
      for entry in files.entries { try holdOffer(entry.file) }
    }
  }

  static let json = FuzzTarget(
    "JSON",
    words: ["{", "}", "[", "]", ",", ":", "\"", "\\u", "\\ud83d\\ude00", "1", "-0", "1.5e3", "true", "null", "[[[["],
    seeds: ["{\"a\":[1,-2.5e3,true,null,\"\\u00e9\\n\"],\"b\":{}}", "[]", "\"x\""].map { Array($0.utf8) }, rounds: 800
  ) { (bytes: [UInt8]) throws(Violation) in
    let node: JSONNode
    do throws(DocumentError) { node = try JSONNode.parse(bytes, kind: "it") } catch { return try holdError(error) }
    func write(_ node: JSONNode) -> String {
      func text(_ text: String) -> String {
        var json = JSONText()
        json.value(text)
        return json.text
      }
      switch node.value {
      case .null: return "null"
      case .bool(let value): return "\(value)"
      case .number(let digits): return digits
      case .string(let value): return text(value)
      case .array(let nodes): return "[\(nodes.map(write).joined(separator: ","))]"
      case .object(let members):
        return "{\(members.map { "\(text($0.name)):\(write($0.value))" }.joined(separator: ","))}"
      }
    }
    let written = write(node)
    let again: JSONNode
    do throws(DocumentError) { again = try JSONNode.parse(written.utf8, kind: "it") } catch {
      throw Violation("reads what it writes: \(written)")
    }
    try holdSame(write(again), written, "what is read again is the same")
  }

  private static let tomlWords = [
    "[", "]", "[[file]]", "=", "\"", "'''", "\"\"\"", "{", "}", ".", "a.b", "#", "\n", "url", "target", "\\u0041", "0x",
    "1979-05-27T07:32:00Z", "inf", "nan", "_", ",", "true",
  ]

  static let manifest = FuzzTarget(
    "manifests", words: tomlWords,
    seeds: [
      """
      [defaults]
      base = "https://a.example/d/"
      dir = "data"
      headers = { X-A = "b" }
      [[file]]
      url = "x.bin"
      size = 3
      digest = "md5=d41d8cd98f00b204e9800998ecf8427e"
      [[file]]
      urls = ["http://b.example/y", "z"]
      target = "sub/y.bin"
      """
    ], rounds: 300
  ) { (text: String) throws(Violation) in
    let manifest: Manifest
    do throws(DocumentError) { manifest = try Manifest.parse(text) } catch { return try holdError(error) }
    for file in manifest.files {
      for part in file.target.split(separator: "/", omittingEmptySubsequences: false) { try holdName(String(part)) }
      try hold(!file.urls.isEmpty && file.size ?? 0 >= 0, "a file is somewhere")
    }
    let targets = Set(manifest.files.map(\.target))
    try hold(targets.count == manifest.files.count, "each target once")
    for target in targets {
      try hold(!targets.contains { $0.hasPrefix(target + "/") }, "no file is a directory: \(target)")
    }
  }

  static let lock = FuzzTarget(
    "locks", words: tomlWords,
    seeds: [
      """
      version = 1
      [[file]]
      target = "a/b"
      url = "http://a.example/?token=…"
      final-url = "http://b.example/"
      size = 3
      digest = "sha-256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      etag = "\\"x\\""
      last-modified = "Sun, 06 Nov 1994 08:49:37 GMT"
      """
    ], rounds: 300
  ) { (text: String) throws(Violation) in
    if var lock = try? SyncLock.parse(text) {
      try hold((try? SyncLock.parse(lock.text)) == lock, "reads what it writes: \(lock.text)")
      guard !lock.entries.isEmpty else { return }
      lock.entries[0].etag = text
      lock.entries[0].finalURL = text
      let again = try? SyncLock.parse(lock.text)
      try hold(again?.entries.count == lock.entries.count, "whatever a server says can be written: \(lock.text)")
    }
  }

  static let configuration = FuzzTarget(
    "configuration", words: tomlWords + ["[host.\"*.a.example\"]", "[get]", "[[rule]]"],
    seeds: [
      "retries = 3\n[get]\nresume = \"always\" # x\n[host.\"*.a.example\"]\nuser = 'a'\nheader = [\"A: b\",\n\"C: d\"]\n"
    ],
    rounds: 300
  ) { (text: String) throws(Violation) in
    let document: ConfigurationDocument
    do throws(DocumentError) { document = try ConfigurationDocument.parse(text) } catch { return try holdError(error) }
    let lines = 1 + text.utf8.count { $0 == 0x0A }
    for entry in document.entries { try hold((1...lines).contains(entry.line), "a line of the text: \(entry)") }
    for heading in document.headings { try hold((1...lines).contains(heading.line), "a line of the text: \(heading)") }
  }

  static let aria2Control = FuzzTarget(
    "control files of aria2", words: ["\0\u{1}", "\0\0\0\u{1}", "\0\u{10}\0\0", "\0\0\0\u{14}", "\u{7F}\u{7F}"],
    seeds: [
      // Three pieces of a MiB, the last of one byte; the first is done, and of the second one block.
      [
        0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 1, 0x80, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0x10, 0, 0, 0, 0, 0, 8, 0x80, 0, 0, 0, 0, 0, 0, 0,
      ],
      [UInt8](repeating: 0, count: 34),
    ], rounds: 800
  ) { (bytes: [UInt8]) throws(Violation) in
    let control: Aria2Control
    do throws(DocumentError) { control = try Aria2Control.parse(bytes) } catch { return try holdError(error) }
    var end: Int64 = -1
    for run in control.done {
      try hold(run.lowerBound > end && !run.isEmpty && run.upperBound <= control.size, "runs ascend, within the file")
      end = run.upperBound
    }
    try hold(control.done.count <= 8 * bytes.count, "no more runs than bits")
  }

  static let inputList = FuzzTarget(
    "lists",
    words: [
      "http://a.example/", "\t", "\n", "  out=", " dir=", " header=A: b", "{\"url\":\"", "\"}", " after=1", " size=",
      " split=", " gid=1", " pause=true", " max-tries=", "magnet:?",
      "#",
    ],
    seeds: [
      "http://a.example/x\thttp://b.example/x\n  out=y\n  checksum=md5=d41d8cd98f00b204e9800998ecf8427e\n# c\nftp://c.example/z\r\n",
      "{\"url\":\"http://a.example/\",\"headers\":{\"A\":\"b\"},\"size\":3,\"after\":[1,2],\"mirrors\":[\"http://b.example/\"]}\n",
    ].map { Array($0.utf8) }
  ) { (bytes: [UInt8]) throws(Violation) in
    let session = AriaFile.downloads(of: bytes, name: "list")
    try hold(session.list.count { $0 == 0x0A } == bytes.count { $0 == 0x0A } + 1, "every line keeps its number")
    for remark in session.remarks { try holdPrintable(remark, "a remark") }
    var list = InputList()
    do throws(Failure) { try list.read(bytes, name: "list") } catch {
      try hold(error.kind == .usage, "a bad list is a mistake of its author")
      return try holdPrintable(error.message, "an error")
    }
    for entry in list.entries { try hold(entry.line >= 1 && list.options(of: entry).size ?? 0 >= 0, "an entry is one") }
  }
}
