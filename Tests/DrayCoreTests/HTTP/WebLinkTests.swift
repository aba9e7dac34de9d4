// Link fields of real servers: RFC 8288's examples, mirrors by RFC 6249, and violations of the grammar.

import Testing

@testable import DrayCore

@Suite struct WebLinkTests {
  @Test(
    arguments: [
      ("one", ["</a>; rel=next"], ["/a next"]),
      ("quoted, several relations", ["<http://a/b>; rel=\"Next duplicate\""], ["http://a/b next duplicate"]),
      ("two in one field", ["<a>; rel=x, <b>; rel=y"], ["a x", "b y"]),
      ("two fields", ["<a>; rel=x", "<b>;rel=y"], ["a x", "b y"]),
      ("a comma in the URL", ["<a,b;c>; rel=x"], ["a,b;c x"]),
      ("a comma in quotes", ["<a>; title=\"x, <y>; rel=z\"; rel=x, <b>; rel=y"], ["a x", "b y"]),
      ("an escaped quote", ["<a>; title=\"x\\\", y\"; rel=x"], ["a x"]),
      ("blanks", [" , <a> ; rel = x ;; title=t ,, <b>;rel=y,"], ["a x", "b y"]),
      ("the first rel counts", ["<a>; rel=x; rel=y"], ["a x"]),
      ("no rel", ["<a>; title=t"], []), ("about another resource", ["<a>; rel=x; anchor=\"#b\""], []),
      ("no brackets", ["a; rel=x"], []), ("unclosed brackets", ["<a; rel=x"], []),
      ("unclosed quotes", ["<a>; rel=\"x"], ["a x"]), ("empty", [""], []), ("no value", ["<a>; rel"], []),
    ])
  func reads(row: String, values: [String], links: [String]) {
    let found = WebLink.parse(values).map { ([$0.target] + $0.relations).joined(separator: " ") }
    #expect(found == links, "\(row)")
  }

  @Test("mirrors are ordered by preference and priority (RFC 6249)")
  func mirrors() {
    let head = ResponseHead(
      200, "Link: <http://c/f>; rel=duplicate; geo=gb", "Link: <http://b/f>; rel=duplicate; pri=2; pref",
      "Link: <http://a/f>; rel=duplicate; pri=1, <http://d/f>; rel=\"duplicate\"; pri=1000000",
      "Link: <http://a/f.meta4>; rel=describedby; type=\"application/metalink4+xml\"",
      "Link: <http://a/f.asc>; rel=describedby; type=\"application/pgp-signature\"")
    #expect(head.links.duplicates.map(\.target) == ["http://b/f", "http://a/f", "http://c/f", "http://d/f"])
    let types = head.links.filter(\.isDescription).map(\.mediaType)
    #expect(types == ["application/metalink4+xml", "application/pgp-signature"])
    #expect(head.links.first?.parameter("geo") == "gb")
  }

  @Test("only a bounded number of links is read")
  func bounded() {
    let many = [String](repeating: "<a>; rel=duplicate", count: 10_000).joined(separator: ",")
    #expect(WebLink.parse([many]).count == WebLink.limit)
  }

  @Test(
    arguments: [
      ("text/HTML; charset=utf-8", "text/html", "utf-8"),
      ("text/plain;charset=\"ISO-8859-1\"", "text/plain", "ISO-8859-1"),
      ("text/plain; format=flowed ; Charset = x", "text/plain", "x"), ("a/b", "a/b", nil), ("", "", nil),
      ("text/plain; charset=", "text/plain", nil), (" ; charset=x", "", "x"),
    ])
  func mediaTypes(value: String, essence: String, charset: String?) {
    #expect(MediaType(value).essence == essence)
    #expect(MediaType(value).charset == charset)
  }
}
