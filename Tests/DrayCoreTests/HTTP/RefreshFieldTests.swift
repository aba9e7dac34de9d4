// Refresh fields by the HTML standard's steps, and which answers are followed.

import Testing

@testable import DrayCore

@Suite struct RefreshFieldTests {
  @Test(
    arguments: [
      ("0; url=/a", 0, "/a"), ("5;URL=http://h/a b", 5, "http://h/a b"), ("0 url=/a", 0, "/a"), ("0,/a", 0, "/a"),
      ("3; url = '/a'x", 3, "/a"), ("3;url=\"/a\"", 3, "/a"), ("3;url=\"/a", 3, "/a"), ("1.5; url=/a", 1, "/a"),
      (".5;url=/a", 0, "/a"), (" 2 ; url=/a ", 2, "/a"), ("2;ur=/a", 2, "ur=/a"), ("2; url/a", 2, "url/a"),
      ("99999999999999999999;url=/a", .max, "/a"), ("5", 5, nil), ("5;", 5, nil), ("5; url=", 5, nil),
      ("5; url=''", 5, nil),
    ] as [(String, Int64, String?)])
  func reads(value: String, delay: Int64, target: String?) {
    let field = RefreshField(value)
    #expect(field?.delay == delay, "\(value)")
    #expect(field?.target == target, "\(value)")
  }

  @Test(arguments: ["", "url=/a", "-1;url=/a", "x", "5x;url=/a", ";url=/a"])
  func refuses(value: String) {
    #expect(RefreshField(value) == nil, "\(value)")
  }

  @Test(
    arguments: [
      ("a page", ResponseHead(200, "Content-Type: text/html", "Refresh: 5; url=/f"), "/f", 5.0),
      ("a long wait", ResponseHead(200, "Content-Type: text/html;charset=x", "Refresh: 500; url=/f"), "/f", 10.0),
      ("inline", ResponseHead(200, "Content-Type: text/html", "Content-Disposition: inline", "Refresh: 0;/f"), "/f", 0),
      ("a file", ResponseHead(200, "Content-Type: application/zip", "Refresh: 5; url=/f"), nil, 0),
      (
        "an attachment",
        ResponseHead(200, "Content-Type: text/html", "Content-Disposition: attachment", "Refresh: 0;/f"), nil, 0
      ),
      ("no type", ResponseHead(200, "Refresh: 5; url=/f"), nil, 0),
      ("no URL", ResponseHead(200, "Content-Type: text/html", "Refresh: 5"), nil, 0),
      ("itself", ResponseHead(200, "Content-Type: text/html", "Refresh: 5; url=/page"), nil, 0),
      ("an error", ResponseHead(404, "Content-Type: text/html", "Refresh: 5; url=/f"), nil, 0),
    ] as [(String, ResponseHead, String?, Double)])
  func follows(row: String, head: ResponseHead, location: String?, delay: Double) throws {
    let found = RefreshField.target(of: head, from: try url("http://h/page"))
    #expect(found?.location == location, "\(row)")
    #expect(found?.delay ?? 0 == delay, "\(row)")
  }

  @Test("P15 holds, and the limit of redirects")
  func rules() throws {
    let from = try url("https://h/page")
    guard case .refuse(let reason) = RedirectPolicy.decide(from: from, refresh: "http://h/f", hop: 0) else {
      Issue.record("followed to http")
      return
    }
    #expect(reason.contains("https to http"))
    #expect(RedirectPolicy.decide(from: from, refresh: "f", hop: 19) == .follow(try url("https://h/f")))
    guard case .refuse = RedirectPolicy.decide(from: from, refresh: "f", hop: 20) else {
      Issue.record("followed beyond the limit")
      return
    }
  }
}
