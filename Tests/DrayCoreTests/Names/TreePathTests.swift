// Directories in URLs, and the places of their entries.

import DrayCore
import Testing

@Suite("Directories and their entries")
struct TreePathTests {
  private func directory(_ text: String = "http://h/d/") throws -> RequestURL {
    try RequestURL.parse(directory: text).url
  }

  @Test(
    "the URL of a directory ends with a slash",
    arguments: [
      ("http://h/d", "http://h/d/"), ("http://h/d/", "http://h/d/"), ("http://h", "http://h/"),
      ("ftp://h/d", "ftp://h/d/"), ("ftp://h", "ftp://h/"), ("sftp://h/~/a b", "sftp://h/~/a%20b/"),
      ("s3://bucket", "s3://bucket/"), ("s3://bucket/a/b", "s3://bucket/a/b/"), ("http://h/a/../d#x", "http://h/d/"),
      ("https://ann:x@h:8443/d", "https://h:8443/d/"),
    ])
  func directories(_ typed: String, _ wanted: String) throws {
    #expect(try RequestURL.parse(directory: typed).url.string == wanted)
  }

  @Test("invalid values", arguments: ["http://h/d?x", "http://h/?", "gopher://h/", "ftp://h/a%0Ab/", "s3://B/", ""])
  func noDirectory(_ typed: String) {
    #expect(throws: URLParseError.self) { try RequestURL.parse(directory: typed) }
  }

  @Test(
    "a file's URL of a scheme with files still names a file", arguments: ["ftp://h/d/", "sftp://h/", "s3://bucket/"])
  func file(_ typed: String) {
    #expect(throws: URLParseError.self) { try RequestURL.parse(typed) }
  }

  private static let children: [([UInt8], String?)] = [
    (Array("a b".utf8), "a%20b"), (Array("p%20q".utf8), "p%2520q"), (Array("a?b#c".utf8), "a%3Fb%23c"),
    ([0xFF], "%FF"), (Array("...".utf8), "..."), ([], nil), (Array(".".utf8), nil), (Array("..".utf8), nil),
    (Array("a/b".utf8), nil), (Array("a\r\nDELE x".utf8), nil), ([0], nil), ([0x7F], nil),
  ]

  @Test("names of a listing", arguments: children)
  func child(_ name: [UInt8], _ wanted: String?) throws {
    for base in ["http://h/d/", "ftp://h/d/"] {
      #expect(try directory(base).child(name)?.string == wanted.map { base + $0 })
      #expect(try directory(base).child(name, isDirectory: true)?.string == wanted.map { base + $0 + "/" })
    }
    #expect(try RequestURL.parse("http://h/d").url.child(Array("a".utf8)) == nil)
  }

  /// A URL, its local path, and the parts that filters see.
  private static let places: [(String, String?, [String])] = [
    ("http://h/d/a", "a", ["a"]), ("http://h/d/a%20b/c", "a b/c", ["a b", "c"]), ("http://h/d/a/", "a", ["a"]),
    ("http://h/d/.x/-y", "_.x/_-y", [".x", "-y"]), ("http://h/d/a%5Cb", "a_b", ["a\\b"]),
    ("http://h/d/CON/b", "_CON/b", ["CON", "b"]), ("http://h/d/%FF", "%FF", ["%FF"]),
    ("http://h/d/a%0Ab", "ab", ["a\nb"]), ("http://h/d/index.html", "index.html", ["index.html"]),
    ("http://h/d/", nil, []), ("http://h/e/a", nil, []), ("http://h/dd/a", nil, []), ("http://i/d/a", nil, []),
    ("http://h:81/d/a", nil, []), ("https://h/d/a", nil, []), ("http://h/d/a?x", nil, []), ("http://h/d", nil, []),
  ]

  @Test(
    "the path of the directory is kept, but for the first parts",
    arguments: [
      (nil, "z/f"), (0, "a b/c/z/f"), (1, "c/z/f"), (2, "z/f"), (3, "f"), (9, "f"),
    ] as [(Int?, String)])
  func cut(_ count: Int?, _ path: String) throws {
    let url = try RequestURL.parse("http://h/a%20b/c/z/f").url
    let place = TreePath.place(of: url, below: try directory("http://h/a%20b/c/"), cut: count)
    guard case .below(let found) = place else {
      Issue.record("\(place)")
      return
    }
    #expect(found.path == path && found.components == ["z", "f"])
  }

  @Test("the place of an entry", arguments: places)
  func place(_ url: String, _ path: String?, _ components: [String]) throws {
    switch TreePath.place(of: try RequestURL.parse(url).url, below: try directory()) {
    case .below(let found):
      #expect(found.path == path && found.components == components && found.isDirectory == url.hasSuffix("/"))
    case .outside: #expect(path == nil)
    case .unusable(let reason): Issue.record("\(reason)")
    }
  }

  @Test(
    "entries without a place",
    arguments: [
      "http://h/d/a//b", "http://h/d/%2e%2e/%2e%2e/etc", "http://h/d/%2E%2E/", "http://h/d/a%2Fb",
      "http://h/d/%2e%2e%2Fx", "http://h/d/%2e%2e%5Cx", "http://h/d/a/%20",
      "http://h/d/" + String(repeating: "abcdefghi/", count: 400) + "x",
    ])
  func unusable(_ url: String) throws {
    let place = TreePath.place(of: try RequestURL.parse(url).url, below: try directory())
    guard case .unusable(let reason) = place else {
      Issue.record("\(place)")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test("a group has the name of its directory")
  func group() throws {
    let names = try ["http://h/pub/x%20y/", "http://h/", "s3://bucket/"].map {
      JobGroup(url: try directory($0), directory: "/d").name
    }
    #expect(names == ["x y", "h", "bucket"])
  }

  @Test("the request for the keys of a prefix, in the signed order")
  func keys() throws {
    var request = TransferRequest(url: try directory("s3://bucket/a b/"))
    request.signature = AWSSignature(region: "eu-central-1")
    request.credentials = Credentials(user: "k", password: "s")
    let first = request.listing(request.url, next: nil)
    #expect(
      first.url.string == "https://bucket.s3.eu-central-1.amazonaws.com/?encoding-type=url&list-type=2&prefix=a%20b%2F")
    #expect(first.signature == request.signature && first.credentials == request.credentials)
    request.signature?.endpoint = try RequestURL.parse("http://127.0.0.1:9000/s3").url
    #expect(
      request.listing(request.url, next: "t/+=").url.string
        == "http://127.0.0.1:9000/s3/bucket/?continuation-token=t%2F%2B%3D&encoding-type=url&list-type=2&prefix=a%20b%2F"
    )
  }
}
