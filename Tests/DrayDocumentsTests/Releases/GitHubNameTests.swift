// Names of files in releases on GitHub, and the servers that they mean.

import DrayCore
import DrayDocuments
import Testing

@Suite("Names on GitHub")
struct GitHubNameTests {
  private func name(_ rest: String) throws -> GitHubName { try GitHubName(SourceName(scheme: "gh", rest: rest)) }

  @Test(
    "parts",
    arguments: [
      ("o/r", "o/r", nil, nil), ("o/r@latest", "o/r", nil, nil), ("o/r@v1.2", "o/r", "v1.2", nil),
      ("o/r/*.deb", "o/r", nil, "*.deb"), ("o/r@v1/", "o/r", "v1", nil), ("o/r.git@v1/a b", "o/r", "v1", "a b"),
      ("o/r@a%2Fb/c", "o/r", "a/b", "c"), ("o/r@refs/tags/latest/c", "o/r", "latest", "c"),
      ("o/r@refs%2Ftags%2Flatest", "o/r", "latest", nil),
      ("o/r@refs/heads/main/source.zip", "o/r", "refs/heads/main", "source.zip"),
      ("o-x/r_y.z@v1@2/c%2Bd", "o-x/r_y.z", "v1@2", "c+d"),
    ] as [(String, String, String?, String?)])
  func parts(_ rest: String, _ repository: String, _ reference: String?, _ pattern: String?) throws {
    let found = try name(rest)
    #expect("\(found.owner)/\(found.repository)" == repository && found.reference == reference)
    #expect(found.pattern == pattern && found.host == nil)
  }

  @Test(
    "names that GitHub cannot have",
    arguments: [
      "", "o", "o/", "/r", "o/r@", "o/r@/x", "o/..", "../r", "o/r@../x", "o/r@a..b", "o/r@v1/a/b", "o/r/..%2Fx",
      "o/r@a b",
      "o r/r", "o/r%2Fx", "o/r@v\u{1B}1", "o/r/\u{202E}x", "//", "//h", "//h/o", "//u@h/o/r", "//a b/o/r",
      "o/r@refs/tags/",
    ])
  func bad(_ rest: String) { #expect(throws: DocumentError.self) { try name(rest) } }

  @Test(
    "a pinned name means the same again",
    arguments: [
      ("o/r/*.deb", "v1", "gh:o/r@v1/*.deb"), ("o/r", "a/b", "gh:o/r@a%2Fb"),
      ("o/r", "latest", "gh:o/r@refs%2Ftags%2Flatest"),
      ("//ghe.example/o/r@x/100%25", "v+1", "gh://ghe.example/o/r@v%2B1/100%25"),
    ])
  func pinned(_ rest: String, _ tag: String, _ text: String) throws {
    let first = try name(rest)
    let pinned = first.pinned(to: tag)
    #expect(pinned.text == text)
    let second = try GitHubName(pinned)
    #expect(second.reference == tag && second.pattern == first.pattern && second.host == first.host)
  }

  @Test(
    "web addresses",
    arguments: [
      ("https://github.com/o/r/releases/latest", "gh:o/r"), ("https://github.com/o/r/releases/tag/v1", "gh:o/r@v1"),
      ("https://www.github.com/o/r/releases/tag/v1?x=y#z", "gh:o/r@v1"),
      ("https://github.com/o/r/releases/tag/a/b", "gh:o/r@a%2Fb"),
      ("https://github.com/o/r/releases/tag/a%2Fb", "gh:o/r@a%2Fb"),
      ("https://github.com/o/r/releases/tag/latest", "gh:o/r@refs%2Ftags%2Flatest"),
      ("https://ghe.example/o/r/releases/latest", "gh://ghe.example/o/r"),
      ("https://github.com/o/r/releases/download/v1/a", nil),
      ("https://github.com/o/r/releases/latest/download/a", nil),
      ("https://github.com/o/r", nil), ("https://github.com/o/r/releases", nil),
      ("https://github.com/o/r/releases/tag/", nil),
      ("http://github.com/o/r/releases/latest", nil), ("https://other.example/o/r/releases/latest", nil),
      ("https://github.com/o/r/releases/tag/a..b", nil),
    ] as [(String, String?)])
  func addresses(_ address: String, _ text: String?) throws {
    let hosts: Set = ["github.com", "ghe.example"]
    #expect(GitHubName.named(by: try RequestURL.parse(address).url, hosts: hosts)?.text == text)
  }

  @Test(
    "servers",
    arguments: [
      ("github.com", "https://api.github.com/x", "https://github.com/y"),
      ("WWW.GitHub.com", "https://api.github.com/x", "https://github.com/y"),
      ("acme.ghe.com", "https://api.acme.ghe.com/x", "https://acme.ghe.com/y"),
      ("ghe.example:8443", "https://ghe.example:8443/api/v3/x", "https://ghe.example:8443/y"),
      ("127.0.0.1:8000", "http://127.0.0.1:8000/api/v3/x", "http://127.0.0.1:8000/y"),
      ("localhost:80", "http://localhost/api/v3/x", "http://localhost/y"),
      ("[::1]:81", "http://[::1]:81/api/v3/x", "http://[::1]:81/y"),
      ("127.0.0.1.example", "https://127.0.0.1.example/api/v3/x", "https://127.0.0.1.example/y"),
    ])
  func servers(_ host: String, _ api: String, _ web: String) throws {
    let server = try #require(GitHubServer(host: host))
    #expect(server.api("x")?.string == api && server.web("y")?.string == web)
  }

  @Test(
    "the server of an API's URL",
    arguments: [
      ("https://api.github.com/repos/o/r", "github.com"), ("https://api.acme.ghe.com/x", "acme.ghe.com"),
      ("https://ghe.example/api/v3/repos", "ghe.example"), ("http://127.0.0.1:8000/api/v3/x", "127.0.0.1:8000"),
      ("https://api.corp.example/api/v3/x", "api.corp.example"),
      ("https://github.com/api/v3/x", nil), ("https://ghe.example/o/r", nil), ("http://api.github.com/x", nil),
      ("https://api.github.com.evil.example/x", nil), ("https://api.evil.example/x", nil),
      ("http://ghe.example/api/v3/x", nil),
      ("https://objects.githubusercontent.com/x", nil),
    ] as [(String, String?)])
  func apis(_ url: String, _ host: String?) throws {
    #expect(GitHubServer(api: try RequestURL.parse(url).url)?.host == host)
  }

  @Test("texts that are no host", arguments: ["", "a/b", "u@h", "h?x", "a b", "https://h", "h:0", "h:x"])
  func noHost(_ text: String) { #expect(GitHubServer(host: text) == nil) }
}
