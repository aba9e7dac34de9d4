// Which hosts a pattern means, which pattern comes first, and what a rule does to a request.

import Testing

@testable import DrayCore

@Suite("Host rules")
struct HostRulesTests {
  private func origin(_ url: String) throws -> Origin { try RequestURL.parse(url).url.origin }

  @Test(
    "patterns and origins",
    arguments: [
      ("example.org", "https://example.org/", true), ("example.org", "http://example.org:81/", true),
      ("example.org", "https://www.example.org/", false), ("EXAMPLE.org", "https://example.org/", true),
      ("*.example.org", "https://a.example.org/", true), ("*.example.org", "https://a.b.example.org/", true),
      ("*.example.org", "https://example.org/", false), ("*.example.org", "https://badexample.org/", false),
      ("*", "http://anything/", true), ("https://a.example", "https://a.example/", true),
      ("https://a.example", "http://a.example/", false), ("https://a.example", "https://a.example:8443/", false),
      ("https://a.example:8443", "https://a.example:8443/", true), ("a.example:8443", "http://a.example:8443/", true),
      ("a.example:8443", "http://a.example/", false), ("bücher.example", "https://xn--bcher-kva.example/", true),
      ("[::1]", "http://[::1]:80/", true), ("[::1]:81", "http://[::1]:81/", true), ("http://*", "https://x/", false),
    ])
  func matches(_ pattern: String, _ url: String, _ expected: Bool) throws {
    #expect(try HostPattern.parse(pattern).matches(try origin(url)) == expected)
  }

  @Test("what is no pattern", arguments: ["", "a.*.org", "*x.org", "a b", "a:0", "a:99999", "://a", "https://", "a/b"])
  func refused(_ text: String) {
    #expect(throws: HostPatternError.self) { try HostPattern.parse(text) }
  }

  @Test("the most specific has the word, key by key")
  func precedence() throws {
    let patterns = ["*", "*.org", "*.example.org", "a.example.org", "https://a.example.org", "a.example.org:443"]
    let rules = HostRules(
      try patterns.enumerated().map { index, text in
        var settings = HostSettings()
        settings.userAgent = text
        if index == 1 { settings.referer = "https://r/" }
        if index == 2 { settings.headers = [HeaderField("X-A", "wild"), HeaderField("X-B", "wild")] }
        if index == 3 { settings.headers = [HeaderField("x-a", "exact")] }
        return .init(try HostPattern.parse(text), settings)
      })
    let found = try #require(rules.settings(for: try origin("https://a.example.org/")))
    #expect(found.userAgent == "a.example.org:443" && found.referer == "https://r/")
    #expect(found.headers == [HeaderField("x-a", "exact"), HeaderField("X-B", "wild")])
    #expect(rules.settings(for: try origin("https://b.example.org/"))?.userAgent == "*.example.org")
    #expect(rules.settings(for: try origin("https://x.net/"))?.userAgent == "*")
  }

  private func secrets(_ pattern: String) throws -> HostRules {
    var settings = HostSettings()
    settings.credentials = Credentials(user: "ann", password: "pw")
    settings.headers = [HeaderField("X-Key", "7")]
    settings.userAgent = "agent"
    return HostRules([.init(try HostPattern.parse(pattern), settings)])
  }

  @Test("secrets go over http only where the pattern says so (P7)")
  func plainHTTP() throws {
    let request = TransferRequest(url: try RequestURL.parse("http://a.example/").url)
    let loose = try secrets("a.example").request(request, at: request.url)
    #expect(loose.credentials == nil && loose.headers.isEmpty && loose.userAgent == "agent")
    let strict = try secrets("http://a.example").request(request, at: request.url)
    #expect(strict.credentials?.user == "ann" && strict.headers.count == 1)
  }

  @Test("what the job says itself stands")
  func jobsOwn() throws {
    var request = TransferRequest(url: try RequestURL.parse("https://a.example/").url)
    request.headers = [HeaderField("x-key", "own")]
    request.credentials = Credentials(user: "own", password: "")
    request.userAgent = "own"
    #expect(try secrets("a.example").request(request, at: request.url) == request)
  }

  @Test("at another origin nothing of the job's own is left (P7)")
  func otherOrigin() throws {
    var request = TransferRequest(url: try RequestURL.parse("https://home.example/").url)
    request.headers = [HeaderField("Authorization", "secret")]
    (request.cookie, request.referer, request.netrcFile) = ("c", "r", "/n")
    request.authentication = AuthenticationOptions()
    request.authentication?.bearer = "secret"
    let hop = try RequestURL.parse("https://a.example/f").url
    let sent = try secrets("a.example").request(request, at: hop)
    #expect(sent.url == hop && sent.headers == [HeaderField("X-Key", "7")] && sent.credentials?.user == "ann")
    #expect(sent.cookie == nil && sent.referer == nil && sent.netrcFile == nil && sent.authentication?.bearer == nil)
    let elsewhere = try RequestURL.parse("https://b.example/f").url
    #expect(try secrets("a.example").request(request, at: elsewhere) == request)
  }
}
