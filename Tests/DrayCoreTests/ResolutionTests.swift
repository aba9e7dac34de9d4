// What a Location points to, and whether it is followed: H2 to H5 of the cases, P15.

import Testing

@testable import DrayCore

@Suite struct ResolutionTests {
  /// RFC 3986 §5.4 and what servers send, from `http://a/b/c/d;p?q`.
  @Test(
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
      ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
      ("../..", "http://a/"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g.", "http://a/b/c/g."),
      ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"),
      ("g?y/../x", "http://a/b/c/g?y/../x"), ("https://h", "https://h/"), ("//h:8080/x y", "http://h:8080/x%20y"),
      ("/é", "http://a/%C3%A9"), ("HTTPS://H/", "https://h/"), ("?", "http://a/b/c/d;p?"), ("  /g  ", "http://a/g"),
      ("http://user:pw@h/x", "http://h/x"), ("g:80/", nil), ("", nil), (" ", nil), ("http:g", nil), ("http:///x", nil),
      ("///x", nil), ("//h:x/", nil), ("//h\\@evil/", nil), ("/a\u{1B}b", nil), ("/a\tb", nil), ("//%00/", nil),
    ] as [(String, String?)])
  func references(location: String, expected: String?) throws {
    let base = try url("http://a/b/c/d;p?q")
    guard let expected else {
      let resolved = RequestURL.resolve(location: location, against: base)
      if case .url = resolved { Issue.record("\(resolved)") }
      return
    }
    #expect(RequestURL.resolve(location: location, against: base) == .url(try url(expected)))
  }

  @Test(
    arguments: [
      ("http://h/", "https://h/x", nil), ("https://h/", "https://i/x", nil), ("https://h/", "/x", nil),
      ("http://h/", "http://i/", nil), ("https://h/", "//i/x", nil), ("https://h/", "http://h/x", "from https to http"),
      ("https://h/", "http://h:443/x", "from https to http"), ("http://h/", "file:///etc/passwd", "scheme \"file\""),
      ("http://h/", "FTP://h/x", "scheme \"ftp\""), ("http://h/", "data:,x", "scheme \"data\""),
      ("http://h/", "scp://h/x", "scheme \"scp\""), ("http://h/", "http://", "no URL"),
    ] as [(String, String, String?)])
  func schemes(from: String, location: String, refusal: String?) throws {
    let decision = RedirectPolicy.decide(from: try url(from), status: 302, location: [location], hop: 0)
    switch decision {
    case .follow(let next): #expect(refusal == nil && next.scheme.hasPrefix("http"))
    case .refuse(let why): #expect(refusal.map { why.contains($0) } ?? false, "\(why)")
    }
  }

  @Test(
    arguments: [
      ([], 0, "without a Location"), ([" "], 0, "without a Location"), (["/a", "/b"], 0, "several different"),
      (["/a"], 20, "more than 20"), (["/a"], 19, nil), (["/a", "/a"], 0, nil),
    ] as [([String], Int, String?)])
  func bounds(location: [String], hop: Int, refusal: String?) throws {
    let decision = RedirectPolicy.decide(from: try url("http://h/x"), status: 301, location: location, hop: hop)
    switch decision {
    case .follow(let next): #expect(refusal == nil && next.string == "http://h/a")
    case .refuse(let why): #expect(refusal.map { why.contains($0) } ?? false, "\(why)")
    }
  }

  /// H3, P7, P8: a refusal shows no secret and moves no cursor.
  @Test func refusalsAreFitToPrint() throws {
    for location in ["http://u:hunter2@h/?token=hunter2", "http://h\u{1B}[2J?token=hunter2", "http://h:\u{202E}/"] {
      let decision = RedirectPolicy.decide(from: try url("https://h/"), status: 302, location: [location], hop: 0)
      guard case .refuse(let why) = decision else {
        Issue.record("\(decision)")
        continue
      }
      #expect(!why.contains("hunter2"))
      #expect(!why.unicodeScalars.contains { $0.isUnprintable })
    }
  }

  @Test(
    arguments: [
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
      (301, "PUT", "PUT"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (302, "HEAD", "HEAD"), (307, "GET", "GET"),
    ])
  func methods(status: Int, before: String, after: String) {
    #expect(RedirectPolicy.method(after: status, of: before) == after)
  }

  @Test func whichStatusesRedirect() {
    #expect((0...999).filter(RedirectPolicy.isRedirect) == [301, 302, 303, 307, 308])
  }
}
