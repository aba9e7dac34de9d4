import DrayCore
import Testing

@Suite("Parts of paths")
struct PathPartsTests {
  @Test(arguments: [
    ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", "", "a"), ("a/b", "a", "b"), ("/a/b/", "/a", "b"), ("/", "/", "/"),
    ("//", "/", "/"), ("/a//b", "/a", "b"), ("//a", "/", "a"), ("", "", ""), ("a/", "", "a"), ("/ü/é x", "/ü", "é x"),
  ])
  func parts(_ path: String, _ directory: String, _ name: String) {
    #expect(PathParts.directory(of: path) == directory && PathParts.name(of: path) == name)
  }
}
