// Which part of a path the user named.

import DrayCore
import Testing

@Suite struct DirectoryPlaceTests {
  @Test(arguments: [
    ("/d", "", "/d", "/d", [], "/"),
    ("/d", "a", "/d/a", "/d", ["a"], "/d"),
    ("/d/e", "a/b", "/d/e/a/b", "/d/e", ["a", "b"], "/d/e/a"),
    ("/", "a/b", "/a/b", "/", ["a", "b"], "/a"),
    ("/d/..", "a", "/d/../a", "/d/..", ["a"], "/d/.."),
    ("/", "", "/", "/", [], "/"),
  ])
  func parts(
    _ base: String, _ below: String, _ path: String, _ named: String, _ foreign: [String], _ parent: String
  ) {
    let place = DirectoryPlace(base: base, below: below)
    #expect(place.path == path)
    #expect(place.base == named)
    #expect(place.foreign == foreign)
    #expect(place.parent.path == parent)
    #expect(place.parent.foreignDepth == max(0, foreign.count - 1))
  }

  @Test func byDefaultTheUserNamedAllOfIt() {
    #expect(DirectoryPlace("/a/b").foreign.isEmpty)
    #expect(DirectoryPlace("/a/b") != DirectoryPlace(base: "/a", below: "b"))
  }
}
