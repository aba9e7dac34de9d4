// The words for a hold, and the texts that name a hold.

import DrayCore
import Testing

@Suite("Holds on origins")
struct OriginHoldTests {
  private static func hold(
    _ url: String, askedBy: String? = nil, status: Int? = nil, job: JobID? = nil
  ) throws -> OriginHold {
    OriginHold(
      try RequestURL.parse(url).url.origin, until: 200, since: 100, job: job, askedBy: askedBy, status: status)
  }

  @Test(
    "a hold is in force from its start to its end",
    arguments: [(99.0, false), (100, true), (199.9, true), (200, false)])
  func time(now: Double, isInForce: Bool) throws {
    #expect(try Self.hold("http://h/").isInForce(at: now) == isInForce)
  }

  @Test(
    "the reason for a hold, in words",
    arguments: [
      ("http://h:81/", "http://h:81/f?x", 429, 1, "h:81 answered 429 Too Many Requests to job 1"),
      ("https://h/", "https://cdn/f", 503, nil, "cdn answered 503 Service Unavailable"),
      ("https://h/", "proxy p:3128", 429, 2, "proxy p:3128 answered 429 Too Many Requests to job 2"),
      ("http://h/", "http://h/f", 200, 4, "the rate limit of h is used up after job 4"),
      ("ftp://h/f", nil, nil, 3, "h asked to wait after job 3"), ("http://h/", nil, nil, nil, "h asked to wait"),
    ] as [(String, String?, Int?, JobID?, String)])
  func words(url: String, askedBy: String?, status: Int?, job: JobID?, expected: String) throws {
    #expect(try Self.hold(url, askedBy: askedBy, status: status, job: job).reason == expected)
  }

  @Test(
    "a host, with its port or without, an origin or a URL below it",
    arguments: [
      ("h", true), ("H", true), ("h:81", true), ("http://h:81", true), ("http://h:81/f/g?x", true),
      ("http://H:81/", true), ("h:8", false), ("h:82", false), ("https://h:81/", false), ("http://h/", false),
      ("other", false), ("", false), ("h:81/f", false),
    ])
  func meant(text: String, isMeant: Bool) throws {
    #expect(try Self.hold("http://h:81/f").isMeant(by: text) == isMeant)
  }
}
