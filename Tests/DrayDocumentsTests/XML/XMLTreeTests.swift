// Documents that are not well-formed, that are too large, or whose declaration is wrong.

import Testing

@testable import DrayDocuments

@Suite("XML")
struct XMLTreeTests {
  private func problem(_ text: String) -> DocumentError? {
    do throws(DocumentError) {
      _ = try XMLTree.parse(text, kind: "a feed")
      return nil
    } catch { return error }
  }

  @Test("Names, attributes, text and lines")
  func tree() throws {
    let root = try XMLTree.parse(
      "<?xml version='1.0' encoding='ISO-8859-1'?>\n<a b='1 &amp; 2'>\n<c>x<![CDATA[<y>]]>&#233;é</c>\n<c/></a>",
      kind: "a feed")
    #expect(root.name == "a" && root.attributes == ["b": "1 & 2"] && root.line == 2)
    #expect(root.all("c").map(\.line) == [3, 4])
    #expect(root.text(of: "c") == "x<y>éé")
  }

  @Test(
    "Malformed documents are refused with their line",
    arguments: [
      ("<a>\n<b></a>", "malformed", 2), ("<a>\n<!-- b", "not closed", 2), ("<a>\n<![CDATA[ b", "not closed", 2),
      ("<a>\n\n<b", "not closed", 3), ("<a>\n<b c='1' c='2'/></a>", "malformed", 2),
      ("<a>\n&nbsp;</a>", "malformed", 2),
      ("<a>\n", "malformed", 2), ("<a>\n<!DOCTYPE x></a>", "malformed", 2), ("", "no XML", 1), ("text", "no XML", 1),
    ] as [(String, String, Int)])
  func broken(text: String, reason: String, line: Int) throws {
    let found = try #require(problem(text))
    #expect(found.reason.contains(reason) && found.line == line, "\(found)")
  }

  @Test("A document may not exceed the limits")
  func limits() {
    func attributes(_ count: Int) -> String { (0..<count).map { " a\($0)=''" }.joined() }
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    func many(_ count: Int) -> String { "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>" }
    #expect(problem("<a\(attributes(XMLTree.attributeLimit))/>") == nil)
    #expect(problem("<a\(attributes(XMLTree.attributeLimit + 1))/>")?.reason.contains("attributes") == true)
    #expect(problem(nested(XMLTree.depthLimit)) == nil)
    #expect(problem(nested(XMLTree.depthLimit + 1))?.reason.contains("deep") == true)
    #expect(problem(many(XMLTree.elementLimit)) == nil)
    #expect(problem(many(XMLTree.elementLimit + 1))?.reason.contains("elements") == true)
  }
}
