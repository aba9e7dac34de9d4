// Equivalent spellings of URLs, places in listings, and links in pasted text.

import DrayCore
import Testing

@Suite("URLs compared by meaning")
struct URLComparingTests {
  private func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

  @Test(
    "the normal form decodes unreserved characters only; the key of a place also what a path needs no escape for",
    arguments: [
      ("http://h/~a", "http://h/~a", "http://h/~a"), ("http://h/%7Ea", "http://h/~a", "http://h/~a"),
      ("http://h/%c3%a4", "http://h/%C3%A4", "http://h/%C3%A4"), ("http://h/%41%2d%5F", "http://h/A-_", "http://h/A-_"),
      ("http://h/%28a%40b%29", "http://h/%28a%40b%29", "http://h/(a@b)"),
      ("http://h/a%2fb", "http://h/a%2Fb", "http://h/a%2Fb"),
      ("http://h/a%20b%25%3f", "http://h/a%20b%25%3F", "http://h/a%20b%25%3F"),
      ("HTTP://H:80/a?q=%2b%7e", "http://h/a?q=%2B~", "http://h/a?q=+~"),
    ])
  func forms(_ typed: String, _ normal: String, _ key: String) throws {
    #expect(try url(typed).normal == normal && url(typed).placeKey == key)
  }

  @Test(
    "the usual spellings of one URL find each other",
    arguments: [("http://h/~a%20b", "http://h/%7Ea%20b"), ("http://h/%c3%a4~", "http://h/%C3%A4%7e")])
  func spellings(_ one: String, _ other: String) throws {
    #expect(try url(one).spellings.contains(url(other).string) || url(other).spellings.contains(url(one).string))
    #expect(try url(one).spellings.first == url(one).string)
    #expect(try url("http://h/a%20b?c").spellings == ["http://h/a%20b?c"])
  }

  /// The listed directory, a URL in its listing, and the URL of the entry or the reason for none; `nil` is the
  /// directory itself.
  private static let places: [(String, String, String?)] = [
    ("http://h/d/", "http://h/d/a", "http://h/d/a"), ("http://h/d/", "http://h/d/", nil),
    ("http://h/me@x/", "http://h/me%40x/a%40b", "http://h/me@x/a%40b"),
    ("http://h/me%40x/", "http://h/me@x/s/", "http://h/me%40x/s/"),
    ("http://h/%C3%A4/", "http://h/%c3%a4/a", "http://h/%C3%A4/a"),
    ("http://h/~m/", "http://h/%7Em/", nil), ("http://h/d/", "http://h:8080/d/a", "http://h/d/a"),
    ("https://h/d/", "http://h/d/a", "https://h/d/a"), ("http://h/d/", "http://i/d/a", "otherServer"),
    ("http://h/d/", "ftp://h/d/a", "otherServer"), ("http://h/d/", "http://h/d/a?b", "query"),
    ("http://h/d/", "http://h/d/?C=N", nil), ("http://h/d/", "http://h/e/a", "outside"),
    ("http://h/d/", "http://h/dd/a", "outside"), ("http://h/a%2Fb/", "http://h/a/b/c", "outside"),
    ("http://h/d/e/", "http://h/d/", "outside"), ("http://h/d/", "http://i/d/", "outside"),
  ]

  @Test("the place of a URL in the listing of a directory", arguments: places)
  func place(_ directory: String, _ listed: String, _ expected: String?) throws {
    switch try url(listed).place(in: url(directory)) {
    case .entry(let entry):
      #expect(entry.string == expected)
      #expect(try entry.isBelow(url(directory)) && entry.isWithin(url(directory)))
    case .directory: #expect(expected == nil)
    case .dropped(let kind): #expect("\(kind)" == expected)
    }
  }

  @Test("a tree finds the paths of entries that are escaped otherwise")
  func tree() throws {
    guard case .below(let path) = TreePath.place(of: try url("http://h/%281%29/a%20b"), below: try url("http://h/(1)/"))
    else {
      Issue.record("not below")
      return
    }
    #expect(path.path == "a b")
    #expect([DroppedEntry.query: 1, .otherServer: 2].words == "2 entries on another server, 1 entry with a query")
  }

  @Test(
    "links in one text",
    arguments: [
      ("http://h/a", ["http://h/a"]), ("http://h/a http://h/b", ["http://h/a", "http://h/b"]),
      ("http://h/a \u{200B}\thttps://h/b\u{A0}", ["http://h/a", "https://h/b"]), ("http://h/a b", ["http://h/a b"]),
      ("http://h/?u=http://i/", ["http://h/?u=http://i/"]), (" \u{FEFF}http://h/a", [" \u{FEFF}http://h/a"]),
      ("http://h/a://b c", ["http://h/a://b c"]), ("", [""]),
    ])
  func links(_ text: String, _ links: [String]) {
    #expect(LinkText.links(text) == links)
  }

  @Test(
    "invisible characters around a URL are no part of it",
    arguments: [
      "http://h/a\u{200B}", "\u{FEFF}http://h/a", "http://h/a\u{A0} ", "\u{2060}\u{3000}http://h/a\u{200E}",
      " http://h/a ",
    ])
  func invisible(_ text: String) throws {
    #expect(try url(text).string == "http://h/a")
    #expect(LinkText.trimmed(text).invisible.isEmpty == text.unicodeScalars.allSatisfy(\.isASCII))
    #expect(LinkText.code("\u{200B}") == "U+200B" && LinkText.code("\u{A0}") == "U+00A0")
  }

  @Test("two URLs in one text are refused, and one with a blank is not")
  func several() throws {
    #expect(try #require(throws: URLParseError.self) { try url("http://h/a http://h/b") }.message.contains("2 URLs"))
    #expect(try url("http://h/a b").string == "http://h/a%20b")
  }

  @Test(
    "a name with a day",
    arguments: [
      ("media.mp3", 1_704_412_800.0, "media.2024-01-05.mp3"), ("a.tar.gz", -1, "a.1969-12-31.tar.gz"),
      ("media", 0, nil),
    ] as [(String, Double, String?)])
  func dated(_ name: String, _ time: Double, _ expected: String?) {
    #expect(FileName.dated(name, time) == expected)
  }
}
