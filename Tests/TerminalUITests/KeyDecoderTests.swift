// Keys from bytes: whole, in pieces, and bytes that are not a key.

import Testing

@testable import TerminalUI

@Suite struct KeyDecoderTests {
  static let table: [(String, [Key])] = [
    ("j", [.character("j")]), ("é日😀", [.character("é"), .character("日"), .character("😀")]),
    ("\r", [.enter]), ("\n", [.enter]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]), ("\t", [.tab]),
    ("\u{C}", [.control("l")]), ("\u{0}", []),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]), ("\u{1B}OA\u{1B}OH", [.up, .home]),
    ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end, .home, .end]),
    ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.pageUp, .pageDown, .delete]), ("\u{1B}[1;5A\u{1B}[5;2~", [.up, .pageUp]),
    ("\u{1B}[<64;3;4M\u{1B}[<65;3;4M", [.wheelUp, .wheelDown]),
    ("\u{1B}[<0;3;4M\u{1B}[<0;3;4m", [.click(column: 2, row: 3)]), ("\u{1B}[<2;3;4M\u{1B}[<x", []),
    ("\u{1B}[200~http://a/\rhttp://b/\r\u{1B}[201~q", [.paste("http://a/\rhttp://b/\r"), .character("q")]),
    ("\u{1B}[200~\u{1B}[31mred\u{1B}\u{1B}[201~", [.paste("\u{1B}[31mred\u{1B}")]),
    ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
    // An unknown sequence is swallowed whole.
    ("\u{1B}[15~j", [.character("j")]), ("\u{1B}[?1;2cj", [.character("j")]),
    // Esc, and a key after it at once.
    ("\u{1B}q", [.escape, .character("q")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
  ]

  @Test(arguments: table)
  func keysOfBytes(text: String, keys: [Key]) {
    var whole = KeyDecoder()
    #expect(whole.take(Array(text.utf8)) == keys)
    #expect(!whole.isOpen && whole.flush() == [])
    var pieces = KeyDecoder()
    #expect(text.utf8.flatMap { pieces.take([$0]) } == keys)
  }

  @Test func escIsAKeyOnceNothingFollows() {
    var decoder = KeyDecoder()
    #expect(decoder.take([0x1B]) == [] && decoder.isOpen)
    #expect(decoder.flush() == [.escape] && !decoder.isOpen)
    #expect(decoder.take(Array("[A".utf8)) == [.character("["), .character("A")])
  }

  @Test func brokenUTF8IsNoKeyAndHarmsNone() {
    var decoder = KeyDecoder()
    #expect(decoder.take([0x80, 0xFF, 0xC3, 0x28] + Array("ok".utf8)).suffix(2) == [.character("o"), .character("k")])
  }

  @Test func aSequenceWithoutEndEnds() {
    var decoder = KeyDecoder()
    let keys = decoder.take(Array("\u{1B}[\(String(repeating: "1;", count: 500))".utf8))
    #expect(keys.count <= 1000)
    #expect(decoder.take(Array("~~j".utf8)).last == .character("j"))
  }

  @Test func anEndlessPasteIsBounded() {
    var decoder = KeyDecoder()
    _ = decoder.take(Array("\u{1B}[200~".utf8))
    let piece = [UInt8](repeating: 0x61, count: 1 << 16)
    for _ in 0..<32 { #expect(decoder.take(piece) == []) }
    guard case .paste(let text)? = decoder.take(Array("\u{1B}[201~".utf8)).first else {
      Issue.record("no paste")
      return
    }
    #expect(text.utf8.count <= 1 << 20 + 8)
    #expect(decoder.take([0x71]) == [.character("q")])
  }
}
