// Control files of zsync: those that zsyncmake writes, and those that nobody should.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite struct ZsyncControlTests {
  private static let sha = "SHA-1: 69ab63d0288fb5a639d3927f2e820a8cb0d74059\n"
  private static let head = "zsync: 0.6.2\nFilename: d/a.iso\nMTime: Mon, 30 Nov 2026 03:32:07 +0000\n"
  private static let numbers = "Blocksize: 2048\nLength: 5000\nHash-Lengths: 2,2,4\n"
  private static let plain = head + numbers + "URL: a.iso\n" + sha + "\n"

  private static func bytes(_ text: String, sums: Int = 18) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 200, count: sums)
  }

  private static func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

  @Test("what zsyncmake writes")
  func plain() throws {
    let control = try ZsyncControl.parse(Self.bytes(Self.plain), base: try Self.url("https://h/x/a.iso.zsync?k=1"))
    #expect(control.urls == [try Self.url("https://h/x/a.iso")] && control.name == "d/a.iso")
    #expect(control.table.size == 5000 && control.table.count == 3)
    #expect(control.table.form == BlockTable.Form(blockSize: 2048, run: 2, weakBytes: 2, strongBytes: 4))
    #expect(control.digest.description == "sha-1=69ab63d0288fb5a639d3927f2e820a8cb0d74059")
    let offer = try control.offer(from: "https://h/x/a.iso.zsync")
    #expect(offer.control == "https://h/x/a.iso.zsync" && offer.size == 5000 && offer.digestSource == .zsync)
    #expect(offer.urls == control.urls && offer.digest == control.digest)
  }

  @Test(
    "the time of the file counts if it is exact",
    arguments: [
      ("Mon, 30 Nov 2026 03:32:07 +0000", 1_796_009_527), ("Mon, 30 Nov 2026 05:32:07 +0200", 1_796_009_527),
      ("Sun, 29 Nov 2026 22:02:07 -0530", 1_796_009_527), ("30 Nov 2026 03:32:07 GMT", 1_796_009_527),
      ("Mon, 30 Nov 2026 03:32 +0000", nil), ("Mon, 30 Nov 2026 03:32:07", nil), ("Mon, 30 Nov 2026 03:32:07 XYZ", nil),
      ("2026-11-30", nil), ("now", nil), ("Mon, 31 Nov 2026 03:32:07 +0000", nil),
      ("Mon, 30 Nov 99999999999999999999 03:32:07 +0000", nil),
    ] as [(String, Int64?)])
  func time(_ text: String, _ seconds: Int64?) throws {
    let text = "zsync: 0.6.2\nMTime: \(text)\n" + Self.numbers + "URL: http://m/f\n" + Self.sha + "\n"
    #expect(try ZsyncControl.parse(Self.bytes(text), base: nil).modified == seconds)
  }

  @Test("without Hash-Lengths the checksums are whole")
  func whole() throws {
    let text = "zsync: 0.6.2\nBlocksize: 2048\nLength: 2048\nURL: http://m/f\n" + Self.sha + "\n"
    let control = try ZsyncControl.parse(Self.bytes(text, sums: 20), base: nil)
    #expect(control.table.form == BlockTable.Form(blockSize: 2048, run: 1, weakBytes: 4, strongBytes: 16))
    #expect(control.name == nil && control.urls.count == 1)
  }

  @Test("a map of a compressed file is skipped where the file itself has a URL")
  func map() throws {
    let text =
      Self.head + Self.numbers + "URL: a.iso\nZ-URL: a.iso.gz\nZ-Map2: 2\n" + "\u{1}\u{2}\n\n\u{1}\u{2}\u{3}\u{4}"
      + "Safe: Z-Filename Recompress MTime New:\nNew: x\n" + Self.sha + "\n"
    let control = try ZsyncControl.parse(Self.bytes(text), base: try Self.url("http://h/"))
    #expect(control.urls.map(\.string) == ["http://h/a.iso"])
  }

  @Test("a relative URL leads nowhere from a local file")
  func local() throws {
    let control = try ZsyncControl.parse(Self.bytes(Self.plain), base: nil)
    #expect(control.urls.isEmpty)
    #expect(throws: DocumentError.self) { try control.offer(from: "/d/a.iso.zsync") }
  }

  @Test("a name that leads out of its directory is no name", arguments: ["../a", "/etc/passwd", "a/../b", "", "."])
  func names(_ name: String) throws {
    let text = "zsync: 0.6.2\nFilename: \(name)\n" + Self.numbers + "URL: a\n" + Self.sha + "\n"
    let control = try? ZsyncControl.parse(Self.bytes(text), base: try Self.url("http://h/"))
    #expect(control?.name == nil)
  }

  private static let wrong: [(String, String)] = [
    ("", "begin with"),
    ("<html>", "begin with"),
    ("zsync: 0.0.4\n\(numbers)\(sha)\n", "0.0.4"),
    ("\(head)", "ends within its text"),
    ("\(head)Blocksize", "ends within its text"),
    ("\(head)\(numbers)\(sha)", "ends within its text"),
    ("\(head)Length: 5000\n\(sha)\n", "no Blocksize"),
    ("\(head)Blocksize: 2048\n\(sha)\n", "no Length"),
    ("\(head)\(numbers)\n", "no SHA-1"),
    ("\(head)\(numbers)SHA-1: xyz\n\n", "SHA-1 is invalid"),
    ("\(head)\(numbers)nothing\n\(sha)\n", "is not \"Name: value\""),
    ("\(head)\(numbers)New: x\n\(sha)\n", "\"New\" is not known"),
    ("\(head)\(numbers)Min-Version: 0.7\n\(sha)\n", "0.7"),
    ("\(head)Blocksize: 2000\n", "Blocksize"),
    ("\(head)Blocksize: -2048\n", "Blocksize"),
    ("\(head)Blocksize: 0\n", "Blocksize"),
    ("\(head)Blocksize: 1073741824\n", "Blocksize"),
    ("\(head)Length: 0\n", "Length"),
    ("\(head)Length: -1\n", "Length"),
    ("\(head)Length: 1e9\n", "Length"),
    ("\(head)Length: 99999999999999999999\n", "Length"),
    ("\(head)Blocksize: 2048\nLength: 9223372036854775807\n\(sha)\n", "too many blocks"),
    ("\(head)Hash-Lengths: 2,2\n", "Hash-Lengths"),
    ("\(head)Hash-Lengths: 3,2,4\n", "Hash-Lengths"),
    ("\(head)Hash-Lengths: 1,0,4\n", "Hash-Lengths"),
    ("\(head)Hash-Lengths: 1,4,17\n", "Hash-Lengths"),
    ("\(head)Hash-Lengths: 1,4,4,4\n", "Hash-Lengths"),
    ("\(head)\(numbers)Z-URL: a.gz\n\(sha)\n", "compressed"),
    ("\(head)\(numbers)Z-Map2: 1000\n", "Z-Map2"),
    ("\(head)\(numbers)Z-Map2: -1\n", "Z-Map2"),
    ("\(head)Blocksize: 64\nLength: 6400\nURL: a\n\(sha)\n", "ends before the checksums of its 100 blocks"),
    ("\(head)Blocksize: 2048\nLength: 2049\nHash-Lengths: 2,2,4\n\(sha)\n", "goes on after the checksums of its 2"),
    // 231 MB of checksums.
    ("\(head)Blocksize: 64\nLength: 2112000000\nHash-Lengths: 1,4,3\n\(sha)\n", "its blocks are too small"),
    ("\(head)\(String(repeating: "URL: a\n", count: 65))", "too many URLs"),
    ("\(head)\(String(repeating: "MTime: a\n", count: 300))", "too many lines"),
    ("zsync: \(String(repeating: "x", count: 5000))\n", "too long"),
  ]

  @Test(
    "its beginning says how long it is",
    arguments: [
      ("Blocksize: 2048\nLength: 5000\nHash-Lengths: 2,2,4\n", nil, 18),
      ("Blocksize: 2048\nLength: 5000\nHash-Lengths: 2,2,4\n", 5000, 18),
      ("Blocksize: 2048\nLength: 5000\nHash-Lengths: 2,2,4\n", 5001, nil),
      // Small files may have small blocks.
      ("Blocksize: 64\nLength: 3355392\n", nil, 1_048_560), ("Blocksize: 64\nLength: 3355520\n", nil, nil),
      // Large ones may not.
      ("Blocksize: 4096\nLength: 1099511627776\n", nil, nil),
      ("Blocksize: 2048\nLength: 34603008\n", nil, 16_896 * 20),
      ("Blocksize: 1024\nLength: 1073741824\n", nil, 1_048_576 * 20),
      ("Blocksize: 512\nLength: 1073741824\n", nil, nil),
      ("Blocksize: 256\nLength: 1073741824\nHash-Lengths: 2,3,5\n", nil, 4_194_304 * 8),
      ("Blocksize: 256\nLength: 1073741824\nHash-Lengths: 2,4,5\n", nil, nil), ("Blocksize: 2048\n", nil, nil),
    ] as [(String, Int64?, Int?)])
  func lengths(_ numbers: String, _ size: Int64?, _ sums: Int?) throws {
    let text = Array(("zsync: 0.6.2\nURL: http://m/f\n" + numbers + Self.sha + "\n").utf8)
    #expect((try? ZsyncControl.length(beginning: text, of: size)) == sums.map { text.count + $0 })
  }

  @Test("malformed", arguments: wrong)
  func malformed(_ text: String, _ reason: String) throws {
    do {
      _ = try ZsyncControl.parse(Self.bytes(text, sums: text.hasSuffix("\n\n") ? 18 : 0), base: nil)
      Issue.record("accepted: \(text.prefix(200))")
    } catch {
      #expect(error.description.contains(reason), "\(error)")
    }
  }

  @Test("it is a list that is recognised by its first bytes")
  func kind() throws {
    let text = Self.plain.replacing("URL: a.iso", with: "URL: http://m/a.iso")
    let kind = try #require(ListKind.of(Self.bytes(text)))
    #expect(kind.title == ZsyncControl.kind)
    let files = try kind.read(Self.bytes(text), place: "/d/a.zsync").files
    #expect(files.map(\.control) == ["/d/a.zsync"] && files.first?.name == "d/a.iso")
  }
}
