import DrayCore
import Testing

@Suite("Paths as text")
struct PathTextTests {
  @Test(arguments: [
    ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", "", "a"), ("a/b", "a", "b"), ("/a/b/", "/a", "b"), ("/", "/", "/"),
    ("//", "/", "/"), ("/a//b", "/a", "b"), ("//a", "/", "a"), ("", "", ""), ("a/", "", "a"), ("/ü/é x", "/ü", "é x"),
  ])
  func parts(_ path: String, _ directory: String, _ name: String) {
    #expect(PathText.directory(of: path) == directory && PathText.name(of: path) == name)
  }

  @Test(
    arguments: [
      ("a/b", "a", "b"), ("a", nil, "a"), ("/a", "/", "a"), ("a/", "a", ""), ("", nil, ""), ("/", "/", ""),
    ] as [(String, String?, String)])
  func split(_ path: String, _ directory: String?, _ name: String) {
    let parts = PathText.split(path)
    #expect(parts.directory == directory && parts.name == name)
  }

  @Test(
    arguments: [
      ("~", "/h", "/h"), ("~/a", "/h", "/h/a"), ("~ann/a", "/h", "~ann/a"), ("a/~", "/h", "a/~"), ("~/a", nil, "~/a"),
    ] as [(String, String?, String)])
  func homed(_ path: String, _ home: String?, _ expected: String) {
    #expect(PathText.homed(path, home: home) == expected)
  }

  @Test(arguments: [
    ("b", "/a", "/a/b"), ("b", "/", "/b"), ("/b", "/a", "/b"), ("./b//c/", "/a/", "/a/b/c"), ("../b", "/a", "/a/../b"),
    ("", "/a", "/a"),
  ])
  func absolute(_ path: String, _ base: String, _ expected: String) {
    #expect(PathText.absolute(path, from: base) == expected)
  }

  @Test(arguments: [("/a", "b", "/a/b"), ("/", "b", "/b"), ("/a/", "b", "/a/b")])
  func join(_ directory: String, _ name: String, _ expected: String) {
    #expect(PathText.join(directory, name) == expected)
  }
}
