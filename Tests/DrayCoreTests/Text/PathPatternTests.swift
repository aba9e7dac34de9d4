// Patterns for paths, and filters built from them.

import DrayCore
import Testing

@Suite("Patterns for paths")
struct PathPatternTests {
  private static let rows: [(String, String, Bool)] = [
    ("*.iso", "a.iso", true), ("*.iso", "x/y/a.iso", true), ("*.iso", "a.isox", false), ("*.iso", "a.ISO", false),
    ("a?c", "abc", true), ("a?c", "ac", false), ("a?c", "x/aüc", true), ("*", "x/y", true), ("**", "x/y", true),
    ("a/b", "a/b", true), ("a/b", "x/a/b", false), ("/a", "a", true), ("/a", "x/a", false), ("a/*", "a/b", true),
    ("a/*/c", "a/b/c", true), ("a/*/c", "a/b/x/c", false), ("a/**/c", "a/c", true), ("a/**/c", "a/b/x/c", true),
    ("a/**/c", "a/b/x/d", false), ("**/c", "c", true), ("**/c", "a/b/c", true), ("a/**", "a/b/c", true),
    ("a/**", "b/a", false), ("**/a/**/b", "x/a/y/z/b", true), ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false),
    // A pattern for a directory applies to everything in it.
    ("a", "a/b/c", true), ("a", "x/a/b", true), ("a/", "a/b", true), ("/a/", "x/a/b", false), ("x*", "y/xa/b", true),
    ("a*", "b/c", false), ("[a]", "a", false), ("[a]", "[a]", true), ("*", ".a", true), ("a**b", "axb", true),
  ]

  @Test("a pattern and a path", arguments: rows)
  func row(_ pattern: String, _ path: String, _ wanted: Bool) throws {
    #expect(try PathPattern(pattern).matches(path.split(separator: "/").map(String.init)) == wanted)
  }

  @Test(
    "what may be below a directory",
    arguments: [
      ("*.iso", "a/b", true), ("a/*.iso", "a", true), ("a/*.iso", "b", false), ("a/*.iso", "a/b", false),
      ("a/*/c/*.iso", "a/x", true), ("a/**/x", "a/b/c", true), ("a/b/c", "a", true), ("a/b", "a/b/c", true),
      ("a/b", "a/c", false), ("**", "a", true),
    ])
  func below(_ pattern: String, _ directory: String, _ wanted: Bool) throws {
    #expect(try PathPattern(pattern).mayMatchBelow(directory.split(separator: "/").map(String.init)) == wanted)
  }

  @Test("invalid patterns", arguments: ["", "/", "//", String(repeating: "a", count: 5000)])
  func none(_ text: String) {
    #expect(throws: QuantityParseError.self) { try PathPattern(text) }
  }

  @Test("the time does not grow with the number of stars")
  func stars() throws {
    let pattern = try PathPattern(String(repeating: "*a", count: 500) + "b")
    #expect(!pattern.matches([String(repeating: "a", count: 4000)]))
    let parts = try PathPattern(String(repeating: "**/a/", count: 200) + "b")
    #expect(!parts.matches([String](repeating: "a", count: 500)))
  }

  @Test("a filter")
  func filter() throws {
    let filter = TreeFilter(
      includes: [try PathPattern("*.iso"), try PathPattern("docs/**")],
      excludes: [try PathPattern("old"), try PathPattern("docs/*.tmp")])
    #expect(filter.takes(["a.iso"]) && filter.takes(["x", "a.iso"]) && filter.takes(["docs", "x", "y"]))
    #expect(!filter.takes(["a.txt"]) && !filter.takes(["old", "a.iso"]) && !filter.takes(["docs", "a.tmp"]))
    #expect(filter.enters(["x"]) && !filter.enters(["x", "old"]))
    let narrow = TreeFilter(includes: [try PathPattern("/docs/a")])
    #expect(
      narrow.enters(["docs"]) && !narrow.enters(["isos"]) && TreeFilter().enters(["isos"]) && TreeFilter().takes(["x"]))
  }
}
