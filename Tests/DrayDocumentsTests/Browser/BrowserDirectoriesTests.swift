// The list of data directories that `dray browser install` was given.

import DrayDocuments
import Testing

@Suite("Data directories of browsers")
struct BrowserDirectoriesTests {
  private static func list(_ paths: [String]) -> BrowserDirectories {
    var list = BrowserDirectories()
    for path in paths { list.add(path) }
    return list
  }

  @Test("a list is read again as it was written, whatever the paths")
  func text() {
    let list = Self.list(["/b", "/a \"b\"/\n", "/b", "/é"])
    #expect(list.paths == ["/b", "/a \"b\"/\n", "/é"])
    #expect(BrowserDirectories(Array(list.text.utf8)) == list)
    #expect(list.text.hasSuffix("]}\n"))
  }

  @Test(
    "what is no such list",
    arguments: ["", "[]", "{}", #"{"userDataDirectories":"/a"}"#, "not JSON", #"{"userDataDirectories":["#])
  func foreign(text: String) {
    #expect(BrowserDirectories(Array(text.utf8)) == nil)
  }

  @Test("only absolute paths of a bounded length and number count")
  func bounds() {
    let long = "/" + String(repeating: "x", count: 4096)
    let text = #"{"userDataDirectories":["a","","/b/../c",7,null,"/d","\#(long)","/e\u0000"]}"#
    #expect(BrowserDirectories(Array(text.utf8))?.paths == ["/b/../c", "/d"])
    let many = Self.list((0..<300).map { "/\($0)" })
    #expect(many.paths.count == 200 && many.paths.last == "/299")
    var kept = many
    kept.keep { $0 == "/250" || $0 == "/1" }
    #expect(kept.paths == ["/250"])
  }
}
