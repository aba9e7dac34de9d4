// Alternative services by the text of RFC 7838, and the resulting HTTP version of a request.

import DrayCore
import Testing

@Suite("Alt-Svc")
struct AltSvcTests {
  @Test(
    "only HTTP/3 on the same host and port counts",
    arguments: [
      ("h3=\":443\"; ma=2592000", 2_592_000), ("h3=\":443\"", 86400), ("h3=\"h.example:443\"; ma=5", 5),
      ("h2=\":443\"; ma=60, h3=\":443\"; ma=7; persist=1", 7), ("h3=\":443\";ma=7,h3-29=\":443\";ma=9", 7),
      ("h3=\":443\"; ma=\"12\"", 12), ("h3=\":443\"; ma=99999999999999999999", .max), ("clear", 0), (" clear ", 0),
      // An offer of other services withdraws an earlier one: the field of an answer replaces known offers (§2.2).
      ("h3-29=\":443\"; ma=60", 0), ("h3=\":8443\"", 0), ("h3=\"other.example:443\"", 0), ("h2=\":443\"", 0),
      ("h3=\":443\"; ma=soon", 86400), ("h3=\":443\"; ma=", 86400),
      ("w%3Dx=\":443\"; a=\"b;c,d\", h3=\":443\"; ma=3", 3),
    ] as [(String, Int64)])
  func parsed(_ value: String, _ age: Int64) {
    #expect(AltSvc.parse(value, host: "h.example", port: 443) == AltSvc(maxAge: age))
  }

  @Test(
    "other fields are ignored", arguments: ["", "h3", "h3=443", "h3=\":0\"", "h3=\":x\"", ",,;", "CLEAR"])
  func invalid(_ value: String) {
    #expect(AltSvc.parse(value, host: "h.example", port: 443) == nil)
  }

  @Test("an offer counts from https only, on the URL's port")
  func offered() throws {
    let head = ResponseHead(status: 200, fields: [HeaderField("Alt-Svc", "h3=\":8443\"; ma=10")])
    func offer(_ url: String) throws -> AltSvc? { AltSvc.offered(by: head, from: try RequestURL.parse(url).url) }
    #expect(try offer("https://h:8443/a") == AltSvc(maxAge: 10))
    #expect(try offer("https://h/a") == AltSvc(maxAge: 0))
    #expect(try offer("http://h:8443/a") == nil)
    #expect(
      AltSvc.offered(by: ResponseHead(status: 200, fields: []), from: try RequestURL.parse("https://h/").url) == nil)
  }

  @Test("an offer is remembered until it expires, is withdrawn, or there are too many")
  func list() {
    var list = AltSvcList([AltSvcEntry(origin: "https://old", expiresAt: 5)])
    #expect(list.holds(for: "https://old", now: 4) && !list.holds(for: "https://old", now: 5))
    let entry = AltSvcEntry(origin: "https://a", expiresAt: 10_010)
    #expect(list.learn(AltSvc(maxAge: 10_000), of: "https://a", now: 10) == entry)
    #expect(list.learn(AltSvc(maxAge: 10_000), of: "https://a", now: 20) == nil)
    #expect(list.learn(AltSvc(maxAge: .max), of: "https://a", now: 20)?.expiresAt == 20 + AltSvcList.longest)
    #expect(list.holds(for: "https://a", now: 30) && !list.holds(for: "https://b", now: 30))
    #expect(list.learn(AltSvc(maxAge: 0), of: "https://a", now: 40)?.expiresAt == 40)
    #expect(!list.holds(for: "https://a", now: 40))
    #expect(list.learn(AltSvc(maxAge: 0), of: "https://a", now: 40) == nil)
    for number in 0..<3000 { _ = list.learn(AltSvc(maxAge: 60), of: "https://\(number)", now: 50) }
    #expect((0..<3000).count { list.holds(for: "https://\($0)", now: 50) } == 1024)
    #expect(list.learn(AltSvc(maxAge: 60), of: "https://late", now: 200) != nil)
  }

  @Test(
    "the requested version: the user's choice, otherwise HTTP/3 if offered and possible",
    arguments: [
      (nil, "https", false, true, nil), (nil, "https", true, true, .http3), (nil, "https", true, false, nil),
      (nil, "http", true, true, nil), (.http3, "https", false, true, .http3), (.http3, "https", false, false, nil),
      (.http3, "http", false, true, nil), (.http2, "https", true, true, nil), (.http11, "https", true, true, .http11),
      (.http11, "http", false, false, .http11),
    ] as [(HTTPVersion?, String, Bool, Bool, HTTPVersion?)])
  func version(
    _ wish: HTTPVersion?, _ scheme: String, _ isOffered: Bool, _ isPossible: Bool, _ expected: HTTPVersion?
  ) throws {
    let url = try RequestURL.parse("\(scheme)://h/f").url
    #expect(HTTPVersion.choose(wish, for: url, isOffered: isOffered, isPossible: isPossible) == expected)
  }

  @Test("the schemes that dray can fetch with a given libcurl")
  func facts() {
    let facts = LibraryFacts(
      version: "8", tls: "x", protocols: ["http", "https", "sftp", "gopher"], features: ["HTTP2", "HTTP3"])
    #expect(facts.schemes == ["file", "http", "https", "s3", "sftp"])
    #expect(facts.hasHTTP3)
    #expect(!LibraryFacts(version: "7", tls: "x", protocols: [], features: ["HTTP2"]).hasHTTP3)
  }
}
