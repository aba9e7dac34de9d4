// Which queue a program works on.

import DrayKit
import DrayStore
import Testing

@Suite struct ConfigurationTests {
  @Test func aProgramHasAQueueOfItsOwn() throws {
    let user = try Configuration.user().home.path
    let (one, other) = (try Configuration(app: "one").home.path, try Configuration(app: "other").home.path)
    #expect(one.hasSuffix("/one/dray"))
    #expect(other.hasSuffix("/other/dray"))
    #expect(Set([user, one, other]).count == 3)
    // An app's name cannot lead to another directory.
    #expect(try Configuration(app: "../up").home.path.hasSuffix("/app/dray"))
    #expect(try Configuration(app: "a/b").home.path.hasSuffix("/a-b/dray"))
  }
}
