// Resolves a Location: H4 and H5 of the cases (RFC 3986 §5.4).

import Testing

@testable import DrayCore

@Suite struct RequestURLResolutionTests {
  /// The examples of RFC 3986 §5.4, as far as they are http.
  @Test(
    "H4",
    arguments: [
      ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"),
      ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"),
      (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../", "/"),
      ("../../g", "/g"), ("../../../g", "/g"), ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"),
      ("g.", "/b/c/g."),
      (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"),
      ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"),
      ("g?y/./x", "/b/c/g?y/./x"), ("g?y/../x", "/b/c/g?y/../x"), ("?", "/b/c/d;p?"),
      // Invalid values that servers send.
      (" /a b ", "/a%20b"), ("/ü", "/%C3%BC"), ("/a%2Fb%", "/a%2Fb%25"), ("\\\\evil/x", "/b/c/%5C%5Cevil/x"),
      ("/\\evil", "/%5Cevil"),
    ])
  func relative(location: String, expected: String) throws {
    let base = try url("http://a/b/c/d;p?q")
    #expect(RequestURL.resolve(location: location, against: base) == .url(try url("http://a" + expected)))
  }

  @Test(
    "H4",
    arguments: [
      ("//g", "https://g/"), ("//g:8080/x?y", "https://g:8080/x?y"), ("http://g/x", "http://g/x"),
      ("HTTPS://G:443", "https://g/"), ("//user:pw@g/x", "https://g/x"), ("https://u@g/", "https://g/"),
      ("//bücher.example/", "https://xn--bcher-kva.example/"), ("/x", "https://a:8443/x"),
    ])
  func withHost(location: String, expected: String) throws {
    let base = try url("https://a:8443/b")
    #expect(RequestURL.resolve(location: location, against: base) == .url(try url(expected)))
  }

  @Test(
    "H5",
    arguments: [
      ("file:///etc/passwd", "file"), ("FTP://h/x", "ftp"), ("data:,x", "data"), ("scp://h/x", "scp"),
      ("javascript:alert(1)", "javascript"), ("localhost:80/x", "localhost"),
    ])
  func otherSchemes(location: String, scheme: String) throws {
    #expect(RequestURL.resolve(location: location, against: try url("http://a/")) == .otherScheme(scheme))
  }

  @Test(arguments: [
    "", "  ", "http:", "http:g", "https:///x", "//", "//h:0/", "/a\tb", "/a\u{1B}", "//[::1", "//a\\@b/",
  ])
  func invalid(location: String) throws {
    guard case .invalid(let reason) = RequestURL.resolve(location: location, against: try url("http://a/b")) else {
      Issue.record("\(location) was taken")
      return
    }
    #expect(!reason.isEmpty)
  }
}
