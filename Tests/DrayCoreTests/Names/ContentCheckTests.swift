// Checks of a file's name, type and first bytes.

import Testing

@testable import DrayCore

@Suite struct ContentCheckTests {
  private static let page = Array("<!DOCTYPE html>\n<html><head><title>Log in</title>".utf8)
  private static let zip = Array("PK\u{3}\u{4}and more".utf8)
  private static let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0]
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0xD, 0xA, 0x1A, 0xA, 0]
  private static let text = Array("a,b,c\n1,2,3\n".utf8)

  private static func padded(_ count: Int, _ mark: String) -> [UInt8] {
    [UInt8](repeating: 0, count: count) + Array(mark.utf8)
  }

  private static func blank(_ count: Int, _ mark: String) -> [UInt8] {
    [UInt8](repeating: 0x0A, count: count) + Array(mark.utf8)
  }

  private static func head(_ type: String?, coding: String? = nil) -> ResponseHead {
    let fields = [type.map { HeaderField("Content-Type", $0) }, coding.map { HeaderField("Content-Encoding", $0) }]
    return ResponseHead(status: 200, reason: "OK", fields: fields.compactMap(\.self))
  }

  @Test(arguments: [
    (page, ContentKind.webPage), (Array("\u{FEFF}  \r\n<HTML lang=x>".utf8), .webPage),
    (Array("<body>".utf8), .webPage),
    (Array("<head".utf8), .webPage), (zip, .zip), (Array("PK\u{5}\u{6}".utf8), .zip), (gzip, .gzip), (png, .png),
    (Array("BZh91".utf8), .bzip2), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0], .xz), ([0x28, 0xB5, 0x2F, 0xFD], .zstd),
    (Array("!<arch>\ndebian-binary".utf8), .debian), (padded(257, "ustar\u{0}00"), .tar),
    (padded(32_769, "CD001"), .iso),
    (Array("RIFF1234WEBPVP8 ".utf8), .webP), (Array("GGUF\u{3}".utf8), .gguf), (Array("%PDF-1.7".utf8), .pdf),
    (Array("\r\n\n  %PDF-1.4".utf8), .pdf), (blank(900, "%PDF-1.4"), .pdf), (Array("{\\rtf1\\ansi".utf8), .rtf),
    (Array("d8:announce35:".utf8), .torrent), (Array("d13:announce-listl".utf8), .torrent),
  ])
  func theFirstBytesTell(start: [UInt8], kind: ContentKind) {
    #expect(ContentKind.found(in: start) == kind)
  }

  @Test(
    arguments: [
      [], [0x1F], text, Array("<svg xmlns=".utf8), Array("<?xml version=".utf8), Array("<header>".utf8),
      Array("<!-- a comment of any XML -->".utf8), Array("PK".utf8), padded(257, "usta"), Array("!<arch>\nlib.o/".utf8),
      Array("<htmlx>".utf8), Array("RIFF1234WAVE".utf8), Array("d:".utf8), Array("dear 8:".utf8),
      Array("d12345:x".utf8), blank(1024, "%PDF-1.4"), Array("see %PDF-1.4".utf8), Array("{rtf".utf8),
    ] as [[UInt8]])
  func theFirstBytesTellNothing(start: [UInt8]) {
    #expect(ContentKind.found(in: start) == nil)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var names: [String]
    var type: String?
    var expected: String?
    var coding: String?
    var start: [UInt8]
    var verdict: ContentCheck.Verdict

    var testDescription: String { "\(names) \(type ?? "-") \(expected ?? "-") \(verdict)" }
  }

  private static let isPage = "it is a web page, which is probably not the expected file"

  @Test(arguments: [
    // No required type: reported if a name implies another type.
    Row(names: ["a.zip"], start: zip, verdict: .fine),
    Row(names: ["a.zip"], type: "text/html", start: page, verdict: .odd("it is a web page, not a ZIP archive")),
    Row(names: ["a.ZIP", "b"], start: gzip, verdict: .odd("it is gzip data, not a ZIP archive")),
    Row(names: ["login", "a.tar.gz"], start: page, verdict: .odd("it is a web page, not gzip data")),
    Row(names: ["a.gz"], start: text, verdict: .odd("it is not gzip data by its first bytes")),
    Row(names: ["a.gz"], coding: "gzip", start: text, verdict: .fine),
    Row(names: ["a.gz"], start: [], verdict: .fine),
    Row(names: ["a.iso"], start: page, verdict: .odd("it is a web page, not an ISO 9660 image")),
    Row(names: ["a.iso"], start: text, verdict: .fine), Row(names: ["a.tar"], start: text, verdict: .fine),
    Row(names: ["a.tar"], start: gzip, verdict: .odd("it is gzip data, not a tar archive")),
    Row(names: ["a.jpg"], start: png, verdict: .fine),
    Row(names: ["a.jpg"], start: page, verdict: .odd("it is a web page, not a JPEG image")),
    Row(names: ["a.apk"], start: gzip, verdict: .fine), Row(names: ["a.bin"], start: page, verdict: .odd(isPage)),
    Row(names: ["a.bin"], start: text, verdict: .fine),
    Row(names: ["a.safetensors"], start: page, verdict: .odd(isPage)),
    Row(names: ["a.html"], start: page, verdict: .fine),
    Row(names: ["a"], type: "text/html", start: page, verdict: .fine),
    Row(names: ["a.xls"], type: "application/vnd.ms-excel", start: page, verdict: .fine),
    Row(names: ["a.xls"], type: "application/octet-stream", start: page, verdict: .fine),
    Row(names: ["a.xls"], type: "text/html", start: page, verdict: .odd(isPage)),
    Row(names: ["a.xls"], start: page, verdict: .odd(isPage)),
    Row(names: ["a.pdf"], type: "application/pdf", start: blank(900, "%PDF-1.4"), verdict: .fine),
    Row(names: ["a.torrent"], type: "text/html", start: Array("d8:announce".utf8), verdict: .fine),
    Row(names: ["a.torrent"], start: text, verdict: .odd("it is not a torrent file by its first bytes")),
    Row(names: ["a.doc"], type: "text/html", start: Array("{\\rtf1".utf8), verdict: .fine),
    Row(names: ["a.txt"], start: gzip, verdict: .fine), Row(names: [], start: page, verdict: .fine),
    // A required type.
    Row(names: ["a"], expected: "application/zip", start: zip, verdict: .fine),
    Row(names: ["a"], type: "application/octet-stream", expected: "application/zip", start: zip, verdict: .fine),
    Row(names: ["a"], type: "application/x-what", expected: "application/zip", start: zip, verdict: .fine),
    Row(
      names: ["a.zip"], type: "text/html; charset=utf-8", expected: "application/zip", start: page,
      verdict: .wrong("the server's file is text/html, expected application/zip")),
    Row(
      names: ["a.zip"], expected: "application/zip", start: page,
      verdict: .wrong("it is a web page, expected application/zip")),
    Row(
      names: ["a"], expected: "application/zip", start: gzip,
      verdict: .wrong("it is gzip data, expected application/zip")),
    Row(
      names: ["a"], expected: "application/zip", start: [],
      verdict: .wrong("it is not a ZIP archive by its first bytes, expected application/zip")),
    Row(names: ["a"], type: "image/png", expected: "image/*", start: png, verdict: .fine),
    Row(names: ["a"], type: "image/avif", expected: "image/*", start: text, verdict: .fine),
    Row(names: ["a"], expected: "image/*", start: zip, verdict: .wrong("it is a ZIP archive, expected image/*")),
    Row(names: ["a"], type: "text/csv", expected: "text/csv", start: text, verdict: .fine),
    Row(names: ["a"], type: "text/plain", expected: "text/csv", start: text, verdict: .fine),
    Row(names: ["a"], expected: "text/csv", start: page, verdict: .wrong("it is a web page, expected text/csv")),
    Row(
      names: ["a"], type: "application/json", expected: "text/csv", start: text,
      verdict: .wrong("the server's file is application/json, expected text/csv")),
    Row(names: ["a"], type: "text/html", expected: "text/html", start: page, verdict: .fine),
    Row(names: ["a"], type: "text/html", expected: "text/*", start: page, verdict: .fine),
    Row(names: ["a"], type: "application/x-tar", expected: "application/x-tar", start: text, verdict: .fine),
    Row(names: ["a"], expected: "application/vnd.own", start: zip, verdict: .fine),
    Row(names: ["a"], expected: "application/zip", coding: "gzip", start: gzip, verdict: .fine),
  ])
  func verdicts(row: Row) throws {
    let check = ContentCheck(
      names: row.names, expected: try row.expected.map { try #require(ExpectedType($0)) },
      head: Self.head(row.type, coding: row.coding))
    // Only formats whose marks lie within the first bytes are judged.
    #expect(check.verdict(Array(row.start.prefix(check.lookLength))) == row.verdict)
  }

  struct PageRow: Sendable, CustomTestStringConvertible {
    /// The name from `-o`, if any, and the name from the URL.
    var asked: [String]
    var type: String?
    var allowed: [String] = []
    var coding: String?
    var start = ContentCheckTests.page
    /// The end of the message about a page: "not a ZIP archive"; `nil` for a success.
    var not: String?
    var version = "1.1"

    var testDescription: String { "\(asked) \(type ?? "-") \(allowed) \(not ?? "-")" }
  }

  private static let comment = Array("<!-- made by hand --><html><title>Log in</title>".utf8)

  @Test(arguments: [
    PageRow(asked: ["a.zip"], not: "a ZIP archive"), PageRow(asked: ["a.tar.gz"], type: "text/html", not: "gzip data"),
    PageRow(asked: ["a.JPG"], not: "a JPEG image"),
    PageRow(asked: ["a.mp4"], not: "the .mp4 file that its name promises"),
    PageRow(asked: ["a.exe"], not: "the .exe file that its name promises"),
    PageRow(asked: ["a.pdf"], not: "a PDF document"),
    PageRow(asked: ["a.iso"], not: "an ISO 9660 image"),
    PageRow(asked: ["a.json"], not: "the .json file that its name promises"),
    // The server's type decides if such a file may be a page, but not if the format begins differently.
    PageRow(asked: ["a.xls"], type: "application/vnd.ms-excel"), PageRow(asked: ["a.doc"], type: "application/msword"),
    PageRow(asked: ["a.xls"], type: "application/octet-stream"), PageRow(asked: ["a.csv"], type: "text/csv"),
    PageRow(asked: ["a.json"], type: "text/plain", not: "the .json file that its name promises"),
    PageRow(asked: ["a.xls"], type: "text/html", not: "the .xls file that its name promises"),
    PageRow(asked: ["a.xls"], not: "the .xls file that its name promises"),
    PageRow(asked: ["a.xls"], type: "application/xhtml+xml", not: "the .xls file that its name promises"),
    PageRow(asked: ["a.zip"], type: "application/zip", not: "a ZIP archive"),
    PageRow(asked: ["a.mp4"], type: "video/mp4", not: "the .mp4 file that its name promises"),
    // A file with the promised first bytes is no page, even if declared as one.
    PageRow(asked: ["a.torrent"], type: "text/html", start: Array("d8:announce".utf8)),
    PageRow(asked: ["a.torrent"], type: "text/html", not: "a torrent file"),
    PageRow(asked: ["a.pdf"], type: "text/html", start: blank(100, "%PDF-1.4")),
    PageRow(asked: ["a.doc"], type: "text/html", start: Array("{\\rtf1".utf8)),
    // Nothing else is promised.
    PageRow(asked: ["a.html"]), PageRow(asked: ["a"]), PageRow(asked: ["a.php"]), PageRow(asked: ["a.txt"]),
    PageRow(asked: []),
    // The name of -o takes precedence over the URL's, if it promises anything.
    PageRow(asked: ["a.html", "a.zip"]), PageRow(asked: ["mine", "a.zip"], not: "a ZIP archive"),
    PageRow(asked: ["a.zip", "download"], not: "a ZIP archive"),
    PageRow(asked: ["a.zip", "a.html"], not: "a ZIP archive"),
    // The server's type decides if the bytes do not. But servers declare much text as a page.
    PageRow(asked: ["a.zip"], type: "text/html; charset=utf-8", start: comment, not: "a ZIP archive"),
    PageRow(
      asked: ["a.bin"], type: "application/xhtml+xml", start: comment, not: "the .bin file that its name promises"),
    PageRow(asked: ["a.zip"], type: "text/html", start: zip),
    PageRow(asked: ["a.bin"], type: "text/html", start: [0, 1]),
    PageRow(asked: ["a.csv"], type: "text/html", start: text),
    PageRow(asked: ["a.json"], type: "text/html", start: Array("{}".utf8)),
    PageRow(asked: ["a.bin"], type: "application/octet-stream", start: comment),
    PageRow(asked: ["a.bin"], type: "text/html", start: []),
    // Under a content coding only the type is known, and compressed data may be the compressed page.
    PageRow(asked: ["a.zip"], type: "text/html", coding: "gzip", start: gzip, not: "a ZIP archive"),
    PageRow(asked: ["a.html.gz"], type: "text/html", coding: "gzip", start: gzip),
    PageRow(asked: ["a.zip"], type: "application/zip", coding: "gzip", start: gzip),
    // The user allowed the type.
    PageRow(asked: ["a.zip"], allowed: ["text/html"]), PageRow(asked: ["a.zip"], allowed: ["image/*", "text/*"]),
    PageRow(asked: ["a.zip"], type: "text/html", allowed: ["text/html"], start: comment),
    PageRow(asked: ["a.zip"], type: "text/html", allowed: ["text/html"], coding: "gzip", start: gzip),
    PageRow(asked: ["a.zip"], allowed: ["application/gzip"], not: "a ZIP archive"),
    // A disk has no pages to log in.
    PageRow(asked: ["a.zip"], version: "file"),
  ])
  func aPageIsNotTheFile(row: PageRow) throws {
    var head = Self.head(row.type, coding: row.coding)
    head.version = row.version
    let check = ContentCheck(
      names: row.asked.reversed(), asked: row.asked, allowed: try row.allowed.map { try #require(ExpectedType($0)) },
      head: head)
    let verdict = check.verdict(Array(row.start.prefix(check.lookLength)))
    if let not = row.not {
      #expect(verdict == .page("it is a web page, not \(not)"))
    } else if case .page(let what) = verdict {
      Issue.record("\(what)")
    }
  }

  @Test(
    arguments: [
      (nil, "download", nil, nil, ["download"]), ("x", "download", nil, nil, ["x", "download"]),
      (nil, "download", "f.zip", nil, ["download", "f.zip"]),
      (nil, "download", "f.zip", "inline", ["download", "f.zip"]),
      (nil, "download", "f.xls", "attachment; filename=f.xls", ["download"]),
      (nil, "download", "f.xls", "attachment; filename=g.xls", ["download"]),
    ] as [(String?, String, String?, String?, [String])])
  func whatWasAskedFor(output: String?, url: String, fixed: String?, disposition: String?, names: [String]) {
    let head = disposition.map { ResponseHead(200, "Content-Disposition: \($0)") }
    #expect(ContentCheck.asked(output: output, urlName: url, fixedName: fixed, head) == names)
  }

  @Test("an allowed type is not reported")
  func allowedIsFine() throws {
    let type = try #require(ExpectedType("application/gzip"))
    #expect(ContentCheck(names: ["a.zip"], allowed: [type]).verdict(Self.gzip) == .fine)
    #expect(ContentCheck(names: ["a.zip"]).verdict(Self.gzip) == .odd("it is gzip data, not a ZIP archive"))
  }

  @Test(arguments: [
    ("application/zip", "application/zip"), ("Image/*", "image/*"), ("text/x-a+b", "text/x-a+b"),
    ("", nil), ("zip", nil), ("*/*", nil), ("a/b/c", nil), ("image/p*", nil), ("text/html; charset=x", nil),
    ("/x", nil),
    ("a b/c", nil),
  ])
  func typesAreRead(text: String, read: String?) {
    #expect(ExpectedType(text)?.description == read)
  }
}
