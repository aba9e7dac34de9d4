// HSTS by RFC 6797: reading the field, matching hosts, changing URLs.

import Testing

@testable import DrayCore

@Suite struct HSTSTests {
  @Test(
    arguments: [
      ("max-age=31536000", 31_536_000, false), ("max-age=31536000 ; includeSubDomains", 31_536_000, true),
      ("includesubdomains; MAX-AGE=\"10\"; preload", 10, true), ("max-age=0", 0, false), (";max-age=5;;", 5, false),
      ("max-age=99999999999999999999", Int64.max, false),
    ] as [(String, Int64, Bool)])
  func reads(_ field: String, _ age: Int64, _ below: Bool) {
    #expect(HSTSPolicy.parse(field) == HSTSPolicy(maxAge: age, includesSubdomains: below))
  }

  @Test(arguments: ["", "includeSubDomains", "max-age", "max-age=", "max-age=x", "max-age=-1", "max-age=1; max-age=2"])
  func refuses(_ field: String) { #expect(HSTSPolicy.parse(field) == nil) }

  @Test(
    arguments: [
      ("http://a.example/x?y=1", "https://a.example/x?y=1"), ("http://a.example:80/", "https://a.example/"),
      ("http://a.example:8080/", "https://a.example:8080/"), ("http://a.example./", "https://a.example./"),
      ("http://sub.a.example/", "http://sub.a.example/"), ("http://x.y.b.example/", "https://x.y.b.example/"),
      ("http://bb.example/", "http://bb.example/"), ("http://old.example/", "http://old.example/"),
      ("http://127.0.0.1/", "http://127.0.0.1/"), ("ftp://a.example/", "ftp://a.example/"),
    ])
  func upgrades(_ from: String, _ to: String) throws {
    let list = HSTSList([
      HSTSEntry(host: "a.example", expiresAt: 100, includesSubdomains: false),
      HSTSEntry(host: "b.example", expiresAt: 100, includesSubdomains: true),
      HSTSEntry(host: "old.example", expiresAt: 10, includesSubdomains: true),
      HSTSEntry(host: "127.0.0.1", expiresAt: 100, includesSubdomains: true),
    ])
    guard let url = try? RequestURL.parse(from).url else { return #expect(from.hasPrefix("ftp")) }
    #expect(list.upgraded(url, now: 50).string == to)
  }

  @Test func learnsChangesAndForgets() {
    var list = HSTSList()
    let policy = HSTSPolicy(maxAge: 86400, includesSubdomains: false)
    #expect(list.learn(policy, host: "a.example", now: 0)?.expiresAt == 86400)
    #expect(list.learn(policy, host: "a.example.", now: 10) == nil)
    #expect(list.learn(policy, host: "a.example", now: 7200)?.expiresAt == 93_600)
    #expect(list.holds(for: "a.example", now: 90_000))
    #expect(list.learn(HSTSPolicy(maxAge: 0, includesSubdomains: false), host: "a.example", now: 8000) != nil)
    #expect(!list.holds(for: "a.example", now: 8001))
  }

  @Test(
    arguments: [
      ("https://a.example/", true), ("http://a.example/", false), ("https://127.0.0.1/", false),
      ("https://[::1]/", false),
    ])
  func onlyHTTPSNamesOffer(_ from: String, _ counts: Bool) throws {
    let head = ResponseHead(
      status: 200,
      fields: [
        HeaderField("Strict-Transport-Security", "max-age=1"), HeaderField("Strict-Transport-Security", "max-age=2"),
      ])
    let policy = HSTSPolicy.offered(by: head, from: try RequestURL.parse(from).url)
    #expect(policy == (counts ? HSTSPolicy(maxAge: 1, includesSubdomains: false) : nil))
  }
}
