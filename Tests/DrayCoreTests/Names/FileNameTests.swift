// Names suggested by strangers: N2, N3 and N4 of the cases, and P6.

import TestSupport
import Testing

@testable import DrayCore

@Suite struct FileNameTests {
  @Test(
    arguments: [
      // N2: the last component, inside the directory.
      ("x.iso", "x.iso"), ("../../x", "x"), ("..\\x", "x"), ("/etc/passwd", "passwd"), ("C:\\x", "x"),
      ("C:x", "x"), ("C: x", "x"), ("C:", nil), ("..", nil), (".", nil), ("...", nil), ("", nil), ("a/", nil),
      ("/", nil), ("a/..", nil), (" ", nil), (". .", nil), ("%2e%2e%2fx", "%2e%2e%2fx"),
      // A joiner or a mark after a slash must not hide it.
      ("a/\u{200D}../\u{200D}x", "x"), ("a/\u{301}b", "\u{301}b"), ("a\\\u{200D}x", "x"),
      (".\u{200D}./\u{200D}x", "x"), (".\u{200D}.", nil),
      // N3: removed, or prefixed.
      ("a\0b", "ab"), ("a\nb\r\n", "ab"), ("\u{1B}[31mred", "[31mred"), ("a\u{202E}gpj.exe", "agpj.exe"),
      ("a\u{200B}\u{FEFF}b", "ab"), ("\u{9B}2Jx", "2Jx"), (".bashrc", "_.bashrc"), ("-rf", "_-rf"),
      ("~", "_~"),
      ("-\u{301}rf", "_-\u{301}rf"), ("\u{200B}-rf", "_-rf"), ("C:-rf", "_-rf"), (" .x", "_.x"),
      ("CON", "_CON"), ("NUL.txt", "_NUL.txt"), ("com1.tar.gz", "_com1.tar.gz"), ("aux .txt", "_aux .txt"),
      ("console", "console"), ("com10", "com10"), ("x.", "x"), ("x. . ", "x"), ("x .txt", "x .txt"),
      ("日本語.txt", "日本語.txt"), ("\u{7F}", nil),
    ] as [(String, String?)])
  func oneSafeComponent(raw: String, expected: String?) {
    #expect(FileName.safe(raw).map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
  }

  @Test(
    arguments: [
      ("/a/x.iso", "x.iso"), ("/", "index.html"), ("", "index.html"), ("/a/", "index.html"),
      ("/..", "index.html"),
      ("/%2e%2e%2f", "_.._"), ("/a%2Fb", "a_b"), ("/a%5cb", "a_b"), ("/a%20b%C3%A9", "a bé"),
      ("/%FFx", "%FFx"),
      ("/%E2%82", "%E2%82"), ("/100%", "100%"), ("/%zz", "%zz"), ("/%1B%5B2J", "[2J"), ("/%00", "index.html"),
      ("/.htaccess", "_.htaccess"), ("/a+b", "a+b"), ("/src%2F%E2%80%8D..%2F%E2%80%8Dx", "src_.._x"),
      ("/0001.bin", "0001.bin"), ("/Com1.bin", "_Com1.bin"), ("/LPT9", "_LPT9"), ("/prn.x", "_prn.x"),
      ("/core.gz", "core.gz"),
      ("/%ED%A0%80", "%ED%A0%80"), ("/%C0%AF", "%C0%AF"),
    ])
  func namesOfPaths(path: String, expected: String) {
    #expect(FileName.fromURLPath(path) == expected)
  }

  @Test(
    arguments: [
      (String(repeating: "é", count: 150), 240, String(repeating: "é", count: 120)),
      (String(repeating: "é", count: 150) + ".tar.gz", 240, String(repeating: "é", count: 116) + ".tar.gz"),
      (String(repeating: "a", count: 300) + ".iso", 240, String(repeating: "a", count: 236) + ".iso"),
      ("👨‍👩‍👧👨‍👩‍👧.png", 20, "👨👩👧👨.png"),
      // An extension of 300 letters does not count as one.
      ("a." + String(repeating: "b", count: 300), 240, "a." + String(repeating: "b", count: 238)),
      ("aa  . bbbbbb", 6, "aa"), ("abcdef.txt", 4, "abcd"),
      (
        "e" + String(repeating: "\u{301}", count: 300) + ".gz", 240,
        "e" + String(repeating: "\u{301}", count: 118) + ".gz"
      ),
    ] as [(String, Int, String)])
  func longNamesKeepTheirExtension(raw: String, limit: Int, expected: String) {
    #expect(FileName.safe(raw, limit: limit) == expected)
  }

  @Test(
    arguments: [
      ("x.iso", 1, "x.1.iso"), ("x.tar.gz", 1, "x.1.tar.gz"), ("x", 12, "x.12"), (".bashrc", 2, ".bashrc.2"),
      ("a.b.c", 1, "a.b.1.c"), ("x.TAR.xz", 3, "x.3.TAR.xz"), (".tar.gz", 1, ".tar.1.gz"),
      ("a.tar", 1, "a.1.tar"),
    ] as [(String, Int, String)])
  func numbersStandBeforeTheExtension(name: String, number: Int, expected: String) {
    #expect(FileName.numbered(name, number) == expected)
  }

  @Test(
    arguments: [
      ("a.zip", 0, "a.zip.html-instead"), ("a.zip", 2, "a.zip.2.html-instead"), (".hidden", 0, ".hidden.html-instead"),
      (String(repeating: "é", count: 120), 0, String(repeating: "é", count: 120) + ".html-instead"),
      (String(repeating: "é", count: 127), 0, String(repeating: "é", count: 121) + ".html-instead"),
      (String(repeating: "x", count: 255), 10, String(repeating: "x", count: 239) + ".10.html-instead"),
    ] as [(String, Int, String)])
  func whatCameInsteadIsBesideIt(name: String, number: Int, expected: String) {
    #expect(FileName.instead(of: name, number) == expected)
    #expect(expected.utf8.count <= 255)
  }

  /// P6, for names made of pieces that have broken such rules before.
  @Test(arguments: 0..<20)
  func nothingLeavesTheDirectory(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let parts = [
      "..", ".", "/", "\\", "\u{200D}", "\u{301}", "\0", "\n", "%2f", "%2e", "%E2%80%8D", "C:", "~", "-", " ",
      "a",
      "CON", "é", "%FF", "\u{202E}", ".tar.gz", "👨‍👩‍👧",
    ]
    for _ in 0..<500 {
      let raw = (0..<Int.random(in: 0...9, using: &random)).map { _ in random.pick(parts) }.joined()
      for name in [FileName.safe(raw), FileName.safe(raw, limit: 12), FileName.fromURLPath("/" + raw)]
        .compactMap(\.self)
      {
        let bytes = Array(name.utf8)
        #expect(
          !bytes.contains { $0 < 0x20 || $0 == 0x2F || $0 == 0x5C || $0 == 0x7F }, "\(raw.debugDescription)")
        #expect(!name.unicodeScalars.contains { $0.isUnprintable }, "\(raw.debugDescription)")
        #expect(!bytes.isEmpty && bytes.count <= FileName.limit)
        #expect(
          !".-~".utf8.contains(bytes[0]) && !". ".utf8.contains(bytes[bytes.count - 1]),
          "\(raw.debugDescription)")
        #expect(FileName.safe(name) == name, "a safe name stays as it is")
      }
    }
  }
}
