// Which redirects are followed: H2, H3, H4 and H5 of the cases, P15.

import Testing

@testable import DrayCore

@Suite struct RedirectPolicyTests {
  @Test("H4", arguments: [301, 302, 303, 307, 308])
  func follows(status: Int) throws {
    let from = try url("http://a/b?c")
    let next = RedirectPolicy.decide(from: from, status: status, location: ["d"], hop: 19)
    #expect(next == .follow(try url("http://a/d")))
    #expect(
      RedirectPolicy.decide(from: from, status: status, location: ["/x", "/x"], hop: 0)
        == .follow(try url("http://a/x")))
    // An upgrade to https is allowed, and so is the same URL again: a cookie may have been set.
    #expect(
      RedirectPolicy.decide(from: from, status: status, location: ["https://a/"], hop: 0)
        == .follow(try url("https://a/")))
    #expect(RedirectPolicy.decide(from: from, status: status, location: ["?c"], hop: 0) == .follow(from))
  }

  @Test(
    arguments: [
      ("H2 no Location", 302, [], 0, "without a Location"), ("H2 empty", 302, [" "], 0, "without a Location"),
      ("H3 21st hop", 302, ["/"], 20, "more than 20"), ("two of them", 302, ["/x", "/y"], 0, "several"),
      ("H5 https to http", 301, ["http://a/"], 0, "https to http"),
      ("H5 file", 302, ["file:///etc/passwd"], 0, "\"file\""),
      ("H5 ftp", 302, ["ftp://a/"], 0, "\"ftp\""), ("H5 data", 302, ["data:,x"], 0, "\"data\""),
      ("H5 scp", 302, ["scp://a/"], 0, "\"scp\""), ("no URL", 302, ["//h:0/"], 0, "not a URL"),
      ("300", 300, ["/"], 0, "300"), ("304", 304, ["/"], 0, "304"), ("305", 305, ["/"], 0, "305"),
      ("306", 306, ["/"], 0, "306"), ("200", 200, ["/"], 0, "200"),
    ])
  func refuses(row: String, status: Int, location: [String], hop: Int, reason: String) throws {
    let decision = RedirectPolicy.decide(from: try url("https://a/b"), status: status, location: location, hop: hop)
    guard case .refuse(let text) = decision else {
      Issue.record("\(row): followed")
      return
    }
    #expect(text.contains(reason), "\(row): \(text)")
    #expect(text == TextSafety.escaped(text))
  }

  @Test func aLimitOfZeroAllowsNone() throws {
    let from = try url("http://a/")
    let decision = RedirectPolicy.decide(from: from, status: 302, location: ["/x"], hop: 0, limit: 0)
    #expect(decision == .refuse("redirects are not allowed"))
  }

  /// RFC 9110 §15.4: POST becomes GET after 301, 302 and 303 only; HEAD stays HEAD.
  @Test(
    arguments: [
      (301, "GET", "GET"), (301, "POST", "GET"), (302, "POST", "GET"), (301, "PUT", "PUT"), (302, "HEAD", "HEAD"),
      (303, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (307, "POST", "POST"), (308, "POST", "POST"),
      (308, "DELETE", "DELETE"),
    ])
  func methods(status: Int, method: String, expected: String) {
    #expect(RedirectPolicy.method(after: status, of: method) == expected)
  }
}
