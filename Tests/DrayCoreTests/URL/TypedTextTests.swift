// Links as people type, paste and drop them.

import Testing

@testable import DrayCore

@Suite struct TypedTextTests {
  @Test(
    arguments: [
      ("", []), ("  \n\n", []), ("# https://h.example/a\n", []),
      ("https://h.example/a", ["https://h.example/a"]),
      (
        "https://h.example/a https://h.example/b\nhttp://i.example/c  # the third",
        ["https://h.example/a", "https://h.example/b", "http://i.example/c"]
      ),
      ("h.example/a.iso", ["https://h.example/a.iso"]), ("localhost:8000/a", ["http://localhost:8000/a"]),
      ("10.0.0.7/a", ["http://10.0.0.7/a"]),
      ("https://h.example/f[1-3].bin", (1...3).map { "https://h.example/f\($0).bin" }),
      ("h.example/{a,b}[08-09]", ["a08", "a09", "b08", "b09"].map { "https://h.example/\($0)" }),
      (#"https://h.example/q?a\[1\]=2"#, ["https://h.example/q?a[1]=2"]), ("http://[::1]:80/a", ["http://[::1]:80/a"]),
      (
        "<https://h.example/a>\u{200B} \u{FEFF}https://h.example/b\u{A0}",
        ["https://h.example/a", "https://h.example/b"]
      ),
      ("https://h.example/a b.iso http://i.example/c", ["https://h.example/a b.iso", "http://i.example/c"]),
      (
        "h.example/a i.example/b <https://k.example/c> <https://k.example/d>",
        ["https://h.example/a", "https://i.example/b", "https://k.example/c", "https://k.example/d"]
      ),
      ("ftp://h.example/a\r\nsftp://h.example/b#part", ["ftp://h.example/a", "sftp://h.example/b#part"]),
    ] as [(String, [String])])
  func links(text: String, expected: [String]) throws {
    #expect(try TypedText(text, most: 100) == .links(expected))
  }

  @Test(
    arguments: [
      ("https://h.example/a\n  out=b\n", .list), ("https://h.example/a\thttps://i.example/a", .list),
      ("{\"url\":\"https://h.example/a\"}", .list), ("\n{ \"url\": 1 }", .list),
      ("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"></metalink>", .metalink),
      ("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- a > b -->\n<MetaLink>", .metalink),
    ] as [(String, TypedText)])
  func documents(text: String, expected: TypedText) throws {
    #expect(try TypedText(text, most: 1) == expected)
  }

  @Test(
    arguments: [
      ("not a url", "\"not a url\" is not a URL"), ("https://h.example/f[3-1]", "position"),
      ("https://h.example/[1-99999999]", "more than"), ("h.example/[1-101]", "more than 100 links"),
      ("javascript:alert(1)", "is not a URL"), ("<html>", "is not a URL"), ("https://ann:pw@h.example/[", "position"),
      ("\u{1B}[2J", "position"),
    ] as [(String, String)])
  func objections(text: String, part: String) throws {
    let error = #expect(throws: TypedTextError.self) { try TypedText(text, most: 100) }
    let message = try #require(error).message
    #expect(message.contains(part) && !message.contains("pw@") && message == TextSafety.escaped(message), "\(message)")
  }

  @Test("names of sources are links, and only they need no ://")
  func names() throws {
    let text = "fake:a/b@1  # a model\nhttp://h/x"
    #expect(try TypedText(text, most: 5) { $0.hasPrefix("fake:") } == .links(["fake:a/b@1", "http://h/x"]))
    #expect(throws: TypedTextError.self) { try TypedText(text, most: 5) }
  }
}
