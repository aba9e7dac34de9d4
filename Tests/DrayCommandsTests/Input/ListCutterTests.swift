// Pieces of a long list: entries stay whole, wherever the reads end.

import DrayKit
import Testing

@testable import DrayCommands

@Suite struct ListCutterTests {
  @Test(
    "entries stay whole, whatever the size of the reads",
    arguments: [
      "http://h/a\nhttp://h/b\n", "http://h/a", "http://h/a\n  out=x\n\tdir=y\nhttp://h/b\n  out=z",
      "# c\n\nhttp://h/a\r\n  out=x\r\n\r\nhttp://h/b\r\n", "{\"url\":\"http://h/a\"}\n{\"url\":\"http://h/b\"}\n", "",
      "\u{FEFF}http://h/a\nhttp://h/b\n",
    ])
  func pieces(_ text: String) throws {
    let bytes = Array(text.utf8)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let expected = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
    for size in 1...(bytes.count + 1) {
      var cutter = ListCutter()
      var all: [UInt8] = []
      var rest = bytes[...]
      repeat {
        let next = rest.prefix(size)
        rest = rest.dropFirst(size)
        let piece = try cutter.take(Array(next), isEnd: rest.isEmpty)
        if !all.isEmpty, let first = piece.first { #expect(first != 0x20 && first != 0x09, "\(size)") }
        all += piece
      } while !rest.isEmpty
      // A mark at the start is dropped only if it was read at once.
      if size >= 3 { #expect(all == expected, "\(size)") }
      #expect(cutter.lines == all.count { $0 == 0x0A })
    }
  }

  @Test("an entry without an end is refused")
  func endless() throws {
    var cutter = ListCutter()
    let part = [UInt8](repeating: 0x61, count: 16 << 20)
    #expect(throws: Failure.self) { for _ in 0..<6 { _ = try cutter.take(part, isEnd: false) } }
  }

  @Test("lines of a later piece have their numbers")
  func numbers() throws {
    var list = InputList()
    let failure = #expect(throws: Failure.self) {
      try list.read(Array("http://h/a\n:\n".utf8), name: "list", after: 40)
    }
    #expect(failure?.subject.contains("list:42") == true, "\(failure?.subject ?? "")")
    var empty = InputList()
    try empty.read(Array("# nothing\n".utf8), name: "list", mayBeEmpty: true)
    #expect(empty.entries.isEmpty)
  }
}
