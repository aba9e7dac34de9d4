// Index pages of real servers, and pages that only look like one.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Index pages")
struct IndexPageTests {
  private func parse(
    _ bytes: [UInt8], _ type: String? = "text/html", _ directory: String = ListingPages.directory
  ) throws -> Listing {
    try IndexPage.parse(bytes, type: type.map { MediaType($0) }, of: try ListingPages.url(directory))
  }

  private func parse(_ page: String, _ directory: String = ListingPages.directory) throws -> [String] {
    try parse(Array(page.utf8), "text/html", directory).entries.map(\.url.string)
  }

  private static let pages: [(String, Bool)] = [
    ("nginx.html", false), ("nginx.json", false), ("apache-plain.html", true), ("apache-table.html", true),
    ("apache-fancy.html", true), ("lighttpd.html", false), ("caddy.html", true), ("caddy.json", true),
    ("python.html", true),
  ]

  @Test("all servers' pages of one directory", arguments: pages)
  func page(_ name: String, _ hasHidden: Bool) throws {
    let type = name.hasSuffix(".json") ? "application/json" : "text/html; charset=utf-8"
    let listing = try parse(try ListingPages.bytes(name), type)
    var wanted = ListingPages.files.union(["empty/", "loop/", "sub dir/"])
    if !hasHidden { wanted.remove(".hidden") }
    #expect(ListingPages.names(listing, below: try ListingPages.url()) == wanted)
    #expect(listing.entries.count == wanted.count && listing.unusable == 0 && listing.next == nil)
    for entry in listing.entries { #expect(entry.url.query == nil && entry.url.origin.host == "h.example") }
    let big = try #require(listing.entries.first { $0.url.path.hasSuffix("/big.iso") })
    let exact = name.hasSuffix(".json")
    #expect(big.facts == (exact ? ListedFacts(size: 3_000_000, modified: 1_700_000_000) : ListedFacts()))
  }

  @Test(
    "pages of an empty directory",
    arguments: [
      "nginx-empty.html", "apache-plain-empty.html", "apache-table-empty.html", "lighttpd-empty.html",
      "python-empty.html",
    ])
  func empty(_ name: String) throws {
    #expect(try parse(try ListingPages.bytes(name), "text/html", "http://h.example/d/empty/").entries.isEmpty)
  }

  @Test("the text beside the names tells two directories apart")
  func rows() throws {
    let (base, other) = (try ListingPages.url(), try ListingPages.url("http://h.example/d/loop/d/"))
    for name in ["nginx.html", "apache-table.html", "apache-fancy.html", "lighttpd.html", "caddy.html"] {
      let bytes = try ListingPages.bytes(name)
      let (one, two) = (try parse(bytes), try parse(bytes, "text/html", other.string))
      let mark = try #require(one.mark(of: base))
      #expect(mark.tellsFilesApart && mark.hasFiles && mark == two.mark(of: other), "\(name)")
      let changed = String(decoding: bytes, as: UTF8.self).replacing("22:13", with: "22:14")
        .replacing("10:13:20", with: "10:14:20")
      #expect(try parse(Array(changed.utf8), "text/html", other.string).mark(of: other) != mark, "\(name)")
    }
    let plain = try #require(try parse(try ListingPages.bytes("python.html")).mark(of: base))
    #expect(!plain.tellsFilesApart && plain.hasFiles)
    #expect(try parse(Array("<a href=a>".utf8)).mark(of: base) == nil)
  }

  /// A link, and its entry in the directory; `nil` for none.
  private static let links: [(String, String?)] = [
    ("<a href=a>", "a"), ("<A HREF='a'>", "a"), ("<a class=x\n href = \"a\" >", "a"), ("<a\thref=a/>", "a/"),
    ("<a href=\"./a/b\">", "a/b"), ("<a href=\"/d/a\">", "a"), ("<a href=\"//h.example/d/a\">", "a"),
    ("<a href=\"http://h.example/d/a\">", "a"), ("<a href=\" a \">", "a"), ("<a href=\"a&amp;b\">", "a&b"),
    ("<a href=\"&#97;&#x62;&lt;\">", "ab%3C"), ("<a href=\"a&copy;b&\">", "a&copy;b&"), ("<a href=a#x>", "a"),
    ("<a href=\"a b\">", "a%20b"), ("<a x=\"<a href=n>\" href=a>", "a"), ("<a href=a href=b>", "a"),
    // A server behind a proxy writes its own scheme and port, and may escape more.
    ("<a href=\"http://h.example:81/d/a\">", "a"), ("<a href=\"https://h.example/d/a\">", "a"),
    ("<a href=\"/%64/a\">", "a"),
    // Elsewhere, upwards, sorting, itself.
    ("<a href=\"//x.example/d/a\">", nil), ("<a href=\"../e\">", nil), ("<a href=\"/dd/a\">", nil),
    ("<a href=\"a/../../e\">", nil), ("<a href=\"%2e%2e/%2e%2e/e\">", "%2e%2e/%2e%2e/e"),
    ("<a href=\"?C=N;O=D\">", nil),
    ("<a href=\"a?x\">", nil), ("<a href=\"\">", nil), ("<a href=\"#x\">", nil), ("<a href=\".\">", nil),
    ("<a href=\"javascript:x\">", nil), ("<a href=\"ftp://h.example/d/a\">", nil), ("<a name=a>", nil),
    ("<a href=\"file:///d/a\">", nil), ("<a href=\"\u{1B}[2J\">", nil),
    // No links at all.
    ("<!-- <a href=a> -->", nil), ("<script>\"<a href=a>\"</script>", nil), ("<style><a href=a></style>", nil),
    ("<abbr href=a>", nil), ("< a href=a>", nil), ("<area href=a>", nil), ("</a href=a>", nil),
    ("<!-- --> <a href=a>", "a"),
    ("<link href=a>", nil), ("<a href", nil),
  ]

  @Test("a link", arguments: links)
  func link(_ text: String, _ wanted: String?) throws {
    let found = try parse("<title>Index of /d/</title>" + text + "x</a>")
    #expect(found == (wanted.map { [ListingPages.directory + $0] } ?? []))
  }

  @Test("links of one file are one entry, and a <base> is followed within the directory")
  func twice() throws {
    #expect(try parse("<a href=a><img></a><a href=a>a</a>").count == 1)
    #expect(try parse("<base href=\"/d/e/\"><a href=a>") == ["http://h.example/d/e/a"])
    #expect(throws: DocumentError.self) { try parse("<base href=\"http://x.example/d/\"><a href=a>") }
  }

  @Test(
    "other pages are refused",
    arguments: [
      ("text/html", "<h1>Hello</h1><a href=\"/\">home</a><a href=\"https://x.example/\">x</a>", "no link"),
      ("text/html", "", "no link"), (nil, "plain text", "no link"), ("text/plain", "a\nb\n", "text/plain"),
      ("application/octet-stream", "x", "octet-stream"), ("application/json", "{\"a\": 1}", "array"),
      ("application/json", "[{\"a\": 1}]", "element"), ("application/json", "[1]", "element"),
      ("application/json", "[", "JSON"),
    ] as [(String?, String, String)])
  func none(_ type: String?, _ page: String, _ says: String) throws {
    let error = #expect(throws: DocumentError.self) { try parse(Array(page.utf8), type) }
    #expect(error?.kind == "an index of a directory")
    #expect(error?.reason.contains(says) == true, "\(String(describing: error))")
  }

  private static let up = "<a href=\"/d\">..</a>"

  /// The answer for the link `/d/sub`, and the entries of its directory; `nil` for a file.
  private static let answers: [(String, String, Bool, [String]?)] = [
    ("text/html", up + "<a href=\"/d/sub/a\">", false, ["sub/a"]),
    ("text/html", "<a href=\"../\">" + up + "<a href=\"sub/a\"><a href=\"/\"><a href=\"?C=N\">", false, ["sub/a"]),
    ("text/html", "<title>listing directory /d/sub</title>", false, []),
    ("text/html", "<title>Index of /pub/Sub/</title><a href=\"/d/sub/a\"><a href=\"http://x/\">", false, ["sub/a"]),
    // Pages: with links elsewhere, without any below or upwards, with a title that does not name this directory.
    ("text/html", up + "<a href=\"/d/sub/a\"><a href=\"http://x/\">", false, nil),
    ("text/html", up + "<a href=\"/d/sub/a\"><a href=\"/e\">", false, nil), ("text/html", up, false, nil),
    ("text/html", up + "<a href=\"/d/sub/a\">a</a><a href=\"/icons/a.png\"><img src=x></a>", false, ["sub/a"]),
    ("text/html", up + "<a href=\"/d/sub/a\">a</a><a href=\"/e\"><img src=x> e</a>", false, nil),
    ("text/html", "<a href=\"sub/a\">", false, nil), ("text/html", "<h1>Hello</h1>", false, nil),
    ("text/html", "<title>Index of words</title><a href=\"/d/a\">", false, nil),
    ("text/plain", up + "<a href=\"/d/sub/a\">", false, nil),
    // Bare names count only if the listing that led here has bare names, too.
    ("application/json", "[\"a\", \"b c\"]", true, ["sub/a", "sub/b%20c"]), ("application/json", "[]", true, []),
    ("application/json", "[\"a\"]", false, nil),
    ("application/json", "[{\"name\": \"a\", \"type\": \"file\"}]", true, nil),
    ("application/json", "{\"a\": 1}", true, nil),
  ]

  @Test("an answer for a link without a slash: a listing of that link or not", arguments: answers)
  func proved(_ type: String, _ body: String, _ hasNamesOnly: Bool, _ wanted: [String]?) throws {
    let link = try RequestURL.parse(ListingPages.directory + "sub").url
    let listing = IndexPage.proved(Array(body.utf8), type: MediaType(type), of: link, hasNamesOnly: hasNamesOnly)
    #expect(listing?.entries.map(\.url.string) == wanted?.map { ListingPages.directory + $0 })
  }

  @Test(
    "entries elsewhere or with a query are counted, unless they are links of the page itself",
    arguments: [
      ("<a href=\"//x.example/d/a\">", [.otherServer: 1]), ("<a href=\"a?x\"><a href=\"b/?y\">", [.query: 2]),
      ("<a href=a><a href=\"a?x\">", [:]), ("<a href=\"?C=N\"><a href=\"/e?x\"><a href=\"https://x.example/\">", [:]),
    ] as [(String, [DroppedEntry: Int])])
  func dropped(_ links: String, _ expected: [DroppedEntry: Int]) throws {
    let page = Array(("<title>Index of /d/</title>" + links).utf8)
    #expect(try parse(page).dropped == expected)
    #expect(try parse(page, "text/html", "http://h.example/").dropped[.otherServer] == nil)
  }

  @Test("the row of an entry whose icon is linked, too, is the name's")
  func icons() throws {
    let listing = try parse(Array("<a href=a><img></a><a href=a>a</a> 5 B\n<a href=b/>b</a>".utf8))
    #expect(listing.entries.first?.row == "5 B")
  }

  @Test("open entries of a listing: links without a slash, names without a type")
  func open() throws {
    func isOpen(_ page: String, _ type: String) throws -> [Bool] {
      try parse(Array(page.utf8), type).entries.map(\.isOpen)
    }
    #expect(try isOpen("<a href=a><a href=b/>", "text/html") == [true, false])
    #expect(try isOpen("[\"a\", \"b.txt\"]", "application/json") == [true, true])
    #expect(
      try isOpen("[{\"name\": \"a\", \"type\": \"file\"}, {\"name\": \"b/\", \"is_dir\": true}]", "application/json")
        == [false, false])
    #expect(throws: DocumentError.self) { try parse(Array("[\"a\", 1]".utf8), "application/json") }
  }

  @Test("names of JSON cannot lead elsewhere")
  func names() throws {
    let json = """
      [{"name": "..", "type": "file"}, {"name": "a/b", "type": "file"}, {"name": ".", "is_dir": true}, {"name": "", "is_dir": false},
      {"name": "a\\nb", "type": "file"}, {"name": "http://x.example", "type": "directory"}, {"name": "s", "type": "other"},
      {"name": "%2e%2e", "type": "file", "size": -1, "mtime": "yesterday"}]
      """
    let listing = try parse(Array(json.utf8), "application/json")
    #expect(listing.entries.map(\.url.string) == ["http://h.example/d/%252e%252e"])
    #expect((listing.unusable, listing.others) == (6, 1))
    #expect(listing.entries.first?.facts == ListedFacts())
  }
}
