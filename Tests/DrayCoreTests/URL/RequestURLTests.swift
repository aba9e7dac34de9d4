// Typed URLs: normal form, encoding, refusals, and the place of the password (P7).

import Foundation
import TestSupport
import Testing

@testable import DrayCore

@Suite struct RequestURLTests {
  @Test(
    arguments: [
      ("http://example.com", "http://example.com/"), ("HTTP://Example.COM:80/A", "http://example.com/A"),
      ("https://h:443/", "https://h/"), ("https://h:80/", "https://h:80/"), ("http://h:/x", "http://h/x"),
      ("http://h:08080/", "http://h:8080/"), ("  http://h/ ", "http://h/"), ("http://h/a#part", "http://h/a"),
      ("http://h#part", "http://h/"), ("http://h?q", "http://h/?q"), ("http://h/?", "http://h/?"),
      ("http://h/a/./b/../c", "http://h/a/c"), ("http://h/../..", "http://h/"), ("http://h/a//b", "http://h/a//b"),
      ("http://h/a/..", "http://h/"), ("http://h/a/.b/..c", "http://h/a/.b/..c"),
      // Spaces and letters of any script; encoded bytes stay.
      ("http://h/a b/ü?q=ö x", "http://h/a%20b/%C3%BC?q=%C3%B6%20x"), ("http://h/%41%2f%2e", "http://h/%41%2f%2e"),
      ("http://h/100%", "http://h/100%25"), ("http://h/%zz%4", "http://h/%25zz%254"),
      ("http://h/a\\b|c?x[0]={\"}", "http://h/a%5Cb%7Cc?x%5B0%5D=%7B%22%7D"),
      ("http://h/a+b;c=d@e:f,g!$&'()*~", "http://h/a+b;c=d@e:f,g!$&'()*~"), ("http://h/?a=b/c?d", "http://h/?a=b/c?d"),
      // Hosts.
      ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"), ("http://[::1]:8080/x", "http://[::1]:8080/x"),
      ("http://[2001:DB8::1]", "http://[2001:db8::1]/"), ("http://[fe80::1%25Eth0]/", "http://[fe80::1%25Eth0]/"),
      ("http://[fe80::1%eth0]/", "http://[fe80::1%25eth0]/"), ("http://ex%41mple.com/", "http://example.com/"),
      ("http://a_b.c./", "http://a_b.c./"),
      ("http://Bücher.example/", "http://xn--bcher-kva.example/"), ("http://faß.de/", "http://xn--fa-hia.de/"),
      ("http://日本語。jp/", "http://xn--wgv71a119e.jp/"), ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
      ("http://пример.испытание/", "http://xn--e1afmkfd.xn--80akhbyknj4f/"), ("http://ｅx.com/", "http://ex.com/"),
      ("http://e\u{301}.com/", "http://xn--9ca.com/"), ("http://o\u{FB03}ce.com/", "http://office.com/"),
    ])
  func normalForm(typed: String, expected: String) throws {
    let parsed = try RequestURL.parse(typed)
    #expect(parsed.url.string == expected)
    #expect(parsed.userInfo == nil)
    // The normal form is its own normal form, also in the fast check.
    #expect(try RequestURL.parse(expected).url == parsed.url)
    guard let quick = RequestURL(normalized: expected) else { return }
    let (url, parts) = (parsed.url, { (url: RequestURL) in [url.scheme, url.host, url.path, url.query] })
    #expect(quick == url && quick.port == url.port && parts(quick) == parts(url))
  }

  @Test(arguments: [
    ("http://h/a", "http://h:80/b?c", true), ("http://h/", "https://h/", false), ("http://h/", "http://h:81/", false),
    ("http://h:8/", "http://h:81/", false), ("http://h/", "http://hh/", false), ("http://g/", "http://h/", false),
    ("s3://bucket/a", "s3://bucket/b", true), ("file:///a", "file:///b/c", true),
    ("http://[::1]/", "http://[::1]/a", true),
  ])
  func servers(one: String, other: String, isSame: Bool) throws {
    let (one, other) = (try RequestURL.parse(one).url, try RequestURL.parse(other).url)
    #expect(one.isAtServer(of: other) == isSame && other.isAtServer(of: one) == isSame)
    #expect((one.origin == other.origin) == isSame)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080/x", true), ("https://example.com/a/b.c?d=%20&e=/.f", true), ("http://h/", true),
    ("http://h/.a", false), ("http://h/a/../b", false), ("http://h", false), ("http://H/", false), ("http:///", false),
    ("http://h:/", false), ("http://h:1234567/", false), ("http://u@h/", false), ("http://[::1]/", false),
    ("ftp://h/", false), ("http://h/a b", false), ("http://h/#x", false), ("http://h/ü", false),
  ])
  func onlyWhatIsPlainIsTakenAsNormal(text: String, isTaken: Bool) {
    #expect((RequestURL(normalized: text) != nil) == isTaken)
  }

  @Test(arguments: [
    ("http://h/a/b.c?d=e/.f", "http://h/", true), ("http://h:81/x?", "http://h:81/", true),
    ("https://h/x", "https://h/y?z", true), ("http://h/", "http://h/x", true),
    ("http://[::1]:82/x", "http://[::1]:82/", true),
    ("http://h:80/x", "http://h/", false), ("http://h2/x", "http://h/", false), ("http://h", "http://h/", false),
    ("http://H/x", "http://h/", false), ("https://h/x", "http://h/", false), ("http://h/a/./b", "http://h/", false),
    ("http://h/.a", "http://h/", false), ("http://h/%41", "http://h/", false), ("http://h/a b", "http://h/", false),
    ("http://h/a#b", "http://h/", false), ("http://h/ü", "http://h/", false), ("http://h?q", "http://h/", false),
    ("http://h/x\ty", "http://h/", false), ("http://u@h/x", "http://h/", false), ("ftp://h/x", "ftp://h/y", false),
    ("http://h/?a b", "http://h/", false), ("http://h/?a#b", "http://h/", false), ("", "http://h/", false),
  ])
  func aPlainURLOfTheSameServerIsReadAsItIs(typed: String, other: String, isTaken: Bool) throws {
    let quick = RequestURL(Array(typed.utf8)[...], at: try url(other))
    #expect((quick != nil) == isTaken)
    guard let quick else { return }
    let parsed = try url(typed)
    let parts = { (url: RequestURL) in [url.scheme, url.host, url.path, url.query] }
    #expect(quick == parsed && quick.string == typed && quick.port == parsed.port && parts(quick) == parts(parsed))
  }

  @Test func parts() throws {
    let url = try url("https://User@Example.com:8443/a/b?x=1&y#z")
    #expect(url.scheme == "https" && url.host == "example.com" && url.port == 8443)
    #expect(url.path == "/a/b" && url.query == "x=1&y")
    #expect(url.origin == Origin(scheme: "https", host: "example.com", port: 8443))
    #expect(url.origin.description == "https://example.com:8443")

    let plain = try RequestURL.parse("http://[::1]/?").url
    #expect(plain.host == "[::1]" && plain.port == nil && plain.path == "/" && plain.query == "")
    #expect(plain.origin.port == 80 && plain.origin.description == "http://[::1]")
    #expect(try RequestURL.parse("http://h/").url.query == nil)
  }

  @Test(
    arguments: [
      ("", "empty"), ("   ", "empty"), ("example.com/file", "write http://"), ("example.com:80/x", "write http://"),
      ("localhost:8080/x", "write http://"), ("/etc/passwd", "write http://"), ("http:/h/x", "host is missing"),
      ("gopher://h/x", "\"gopher\" is not supported: use http, https, ftp, ftps, sftp, s3 or file"),
      ("scp://h/x", "\"scp\""),
      ("magnet:?xt=1", "\"magnet\""), ("data:,x", "\"data\""), ("http://", "host is missing"),
      ("http:///x", "host is missing"), ("http://:80/", "host is missing"), ("http://u:p@/", "host is missing"),
      ("http://./", "no name"), ("http://h:0/", "port"), ("http://h:65536/", "port"), ("http://h:8o/", "port"),
      ("http://h:-1/", "port"), ("http://h:99999999999999999999/", "port"), ("http://::1/", "brackets"),
      ("http://[::1/", "not an IPv6"), ("http://[::1]8/", "after ]"), ("http://[1.2.3.4]/", "not an IPv6"),
      ("http://[]/", "not an IPv6"), ("http://[::1%25]/", "zone"), ("http://[fe80::1%25a b]/", "zone"),
      ("http://a b/", "character"), ("http://a%00b/", "character"), ("http://a%2fb/", "character"),
      ("http://ex／y.com/", "xn--"), ("http://a℀b.com/", "xn--"), ("http://a\u{202E}b/", "xn--"),
      ("http://%FF/", "UTF-8"), ("http://good\\@evil/", "backslash"),
      ("http://h/a\tb", "control"), ("http://h/a\nb", "control"), ("http://h/\0", "control"),
      ("http://h/\u{7F}", "control"), ("\thttp://h/", "control"), ("http://u%0d%0ax@h/", "control"),
      ("http://h/" + String(repeating: "a", count: 65_536), "64 KiB"),
      ("http://h/" + String(repeating: "ü", count: 20_000), "64 KiB"),
    ])
  func refused(typed: String, reason: String) throws {
    let error = #expect(throws: URLParseError.self) { try RequestURL.parse(typed) }
    let message = try #require(error).message
    #expect(message.contains(reason), "\(message)")
    #expect(!message.contains("\n"))
  }

  @Test(
    arguments: [
      ("http://u:p@h/", "u", "p"), ("http://u@h/", "u", nil), ("http://u:@h/", "u", ""), ("http://:p@h/", "", "p"),
      ("http://u%40x:p%3a%2F@h/", "u@x", "p:/"), ("http://a@b:c:d@h/", "a@b", "c:d"), ("http://ü:ß@h/", "ü", "ß"),
    ] as [(String, String, String?)])
  func credentialsComeApart(typed: String, user: String, password: String?) throws {
    let parsed = try RequestURL.parse(typed)
    #expect(parsed.url.string == "http://h/")
    #expect(parsed.userInfo == RequestURL.UserInfo(user: user, password: password))
  }

  @Test func credentialsDoNotPrint() throws {
    let parsed = try RequestURL.parse("http://somebody:hunter2@h/")
    var dumped = ""
    dump(parsed, to: &dumped)
    for text in ["\(parsed)", String(reflecting: parsed), dumped] {
      #expect(!text.contains("hunter2") && !text.contains("somebody"), "\(text)")
    }
  }

  @Test func isCodedAsAString() throws {
    let original = try url("http://h/ü?token=1")
    let data = try JSONEncoder().encode([original])
    #expect(try JSONDecoder().decode([RequestURL].self, from: data) == [original])
    #expect(try JSONDecoder().decode([String].self, from: data) == ["http://h/%C3%BC?token=1"])
    // An edited store cannot contain a URL that parsing refuses, nor a password.
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([RequestURL].self, from: Data(#"["ftp://h/%0D%0ADELE%20x"]"#.utf8))
    }
    let edited = try JSONDecoder().decode([RequestURL].self, from: Data(#"["http://u:p@h/"]"#.utf8))
    #expect(edited.map(\.string) == ["http://h/"])
  }

  @Test func descriptionHidesSecrets() throws {
    let url = try url("http://u:p@h/x?token=abc&y=1")
    #expect("\(url)" == "http://h/x?token=…&y=1")
    #expect(String(reflecting: url) == "http://h/x?token=…&y=1")
    #expect(url.string == "http://h/x?token=abc&y=1")
  }

  /// Random bytes at the edges of the grammar are refused, or give a URL in normal form.
  @Test func anyTextIsRefusedOrNormal() {
    var random = SplitMix(seed: 7)
    let pieces = [
      "http", "https", ":", "//", "/", "?", "#", "@", "[", "]", "%", "%25", "%2", "..", ".", "h", "80", "ü", " ", "\\",
    ]
    var taken = 0
    for _ in 0..<20_000 {
      let text = "http://" + (0..<Int.random(in: 0...8, using: &random)).map { _ in random.pick(pieces) }.joined()
      guard let url = try? RequestURL.parse(text).url else { continue }
      taken += 1
      #expect(url.string.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      #expect((try? RequestURL.parse(url.string))?.url == url, "\(text) → \(url.string)")
      #expect(url.path.hasPrefix("/") && !url.host.isEmpty)
    }
    #expect(taken > 1000 && taken < 19_000, "\(taken)")
  }
}
