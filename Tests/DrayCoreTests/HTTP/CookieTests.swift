// Cookies as lines of Netscape's format, as changing lists, and by site.

import DrayCore
import Testing

@Suite struct CookieTests {
  @Test(arguments: [
    (
      ".a.org\tTRUE\t/\tFALSE\t1800000000\tn\tv",
      Cookie(domain: "a.org", includesSubdomains: true, expires: 1_800_000_000, name: "n", value: "v")
    ),
    ("a.org\tFALSE\t/p\tTRUE\t0\tn\tv", Cookie(domain: "a.org", path: "/p", isSecure: true, name: "n", value: "v")),
    (
      "#HttpOnly_.a.org\tTRUE\t/\tTRUE\t0\tn\tv=w",
      Cookie(domain: "a.org", includesSubdomains: true, isSecure: true, isHTTPOnly: true, name: "n", value: "v=w")
    ),
    ("a.org\tFALSE\t/\tFALSE\t0\tn\t", Cookie(domain: "a.org", name: "n", value: "")),
    ("a.org\tFALSE\t/\tFALSE\t0\tn", Cookie(domain: "a.org", name: "n", value: "")),
    ("A.Org\tfalse\t/\tfalse\t12.5\tn\tv\r\n", Cookie(domain: "a.org", expires: 12, name: "n", value: "v")),
    ("a.org\tFALSE\t/\tFALSE\t-1\tn\tv", Cookie(domain: "a.org", expires: 1, name: "n", value: "v")),
  ])
  func lines(_ line: String, _ cookie: Cookie) {
    #expect(Cookie(line: line) == cookie)
    #expect(Cookie(line: cookie.line) == cookie)
  }

  @Test(arguments: [
    "", "# a comment", "a.org", "a.org\tFALSE\t/\tFALSE\t0", "a.org\tFALSE\tp\tFALSE\t0\tn\tv",
    "a.org\tFALSE\t/\tFALSE\tnever\tn\tv", "a.org\tFALSE\t/\tFALSE\t0\t\tv", ".\tTRUE\t/\tFALSE\t0\tn\tv",
    "a.org\tFALSE\t/\tFALSE\t0\tn\tv\tw", "a.org\tFALSE\t/\tFALSE\t0\tn\tv\u{1}", "a.org\tFALSE\t/\tFALSE\t1e300\tn\tv",
  ])
  func badLines(_ line: String) { #expect(Cookie(line: line) == nil) }

  private func cookie(_ name: String, _ value: String = "v", expires: Int64? = nil) -> Cookie {
    Cookie(domain: "a.org", expires: expires, name: name, value: value)
  }

  @Test func changesAreFoundAndCarriedOut() {
    let before = [cookie("stays"), cookie("changes", "1"), cookie("goes")]
    let after = [cookie("stays"), cookie("changes", "2"), cookie("comes")]
    let changes = CookieChanges(from: before, to: after)
    #expect(
      changes == CookieChanges(changed: [cookie("changes", "2"), cookie("comes")], removed: [cookie("goes").key]))
    var list = CookieList(before)
    list.apply(changes)
    #expect(list.cookies == after)
    #expect(CookieChanges(from: after, to: after).isEmpty)
  }

  @Test func whatOthersChangedMeanwhileStays() {
    // Another process has removed one cookie and added one since the changes were found.
    let changes = CookieChanges(from: [cookie("a"), cookie("b")], to: [cookie("a"), cookie("b", "2")])
    var list = CookieList([cookie("b"), cookie("theirs")])
    list.apply(changes)
    #expect(list.cookies == [cookie("b", "2"), cookie("theirs")])
  }

  @Test func theLaterOfTheSameStays() {
    #expect(CookieList([cookie("a", "1"), cookie("b"), cookie("a", "2")]).cookies == [cookie("a", "2"), cookie("b")])
  }

  @Test func theTextIsReadBack() {
    let list = CookieList([cookie("a"), cookie("b", expires: 5)])
    #expect(CookieList(text: list.text) == list)
    #expect(list.text.hasPrefix("# Netscape HTTP Cookie File\n"))
    var later = list
    later.removeExpired(at: 5)
    #expect(later.cookies == [cookie("a")])
  }

  @Test(arguments: [
    ("example.org", "example.org", true), ("example.org", "www.example.org", true),
    ("login.example.org", "www.example.org", true), ("example.com", "www.example.org", false),
    ("127.0.0.1", "127.0.0.1", true), ("10.0.0.1", "127.0.0.1", false), ("localhost", "localhost", true),
    ("localhost", "other", false), ("ample.org", "example.org", false), ("[::1]", "[::1]", true),
  ])
  func sites(_ domain: String, _ host: String, _ expected: Bool) {
    #expect(Cookie(domain: domain, name: "n", value: "v").isOfSite(of: host) == expected)
  }

  @Test(arguments: [
    ("a.org", "a.org", true), ("b.a.org", "a.org", true), ("a.org", "b.a.org", false), ("ba.org", "a.org", false),
    ("a.org", ".A.org", true),
  ])
  func domains(_ domain: String, _ named: String, _ expected: Bool) {
    #expect(Cookie(domain: domain, name: "n", value: "v").belongs(to: named) == expected)
  }
}

@Suite struct FirefoxProfilesTests {
  private static let text = """
    [Install4F96D1932A9F858E]
    Default=abc.default-release
    Locked=1

    [Profile1]
    Name=work
    IsRelative=0
    Path=/data/work

    [Profile0]
    Name=default-release
    IsRelative=1
    Path=abc.default-release
    Default=1

    [General]
    StartWithLastProfile=1
    """

  @Test(
    arguments: [
      (nil, [], "abc.default-release"), (nil, ["abc.default-release"], "/data/work"),
      ("work", [], "/data/work"), ("abc.default-release", [], "abc.default-release"),
      ("default-release", [], "abc.default-release"), ("other", [], nil), ("work", ["/data/work"], nil),
    ] as [(String?, [String], String?)])
  func paths(_ name: String?, _ without: [String], _ expected: String?) {
    let profiles = FirefoxProfiles(Self.text)
    #expect(profiles.path(of: name) { !without.contains($0) } == expected)
    #expect(profiles.names == ["work", "default-release"])
  }
}
