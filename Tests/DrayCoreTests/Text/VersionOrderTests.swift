import DrayCore
import Testing

@Suite("Order of versions")
struct VersionOrderTests {
  @Test(
    "each is lower than the next",
    arguments: [
      // Semantic Versioning 2.0.0 §11, and beyond.
      [
        "0.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
        "1.0.0-rc.1", "1.0.0", "1.9.0", "v1.10.0", "2", "2.0.1", "10.0.0", "99999999999999999999999.0.0",
      ],
      ["release-2", "release-10", "release-10a"],
      ["2024a", "2024b", "2025a"],
      // Semantic and other versions together: no three form a cycle.
      ["dev", "latest", "1.0-rc1", "1.0", "1.0!", "1.0.2", "1.0.2k", "9", "10a"],
    ])
  func order(_ versions: [String]) {
    for (index, low) in versions.enumerated() {
      for high in versions[(index + 1)...] {
        #expect(VersionOrder.isLower(low, high), "\(low) < \(high)")
        #expect(!VersionOrder.isLower(high, low), "\(high) < \(low)")
      }
    }
    #expect(VersionOrder.highest(versions.reversed()) == versions.last)
  }

  @Test("the order is total: different texts of one rank are ordered, too")
  func total() {
    #expect(VersionOrder.isLower("1.0", "1.0.0") != VersionOrder.isLower("1.0.0", "1.0"))
    #expect(!VersionOrder.isLower("1.0", "1.0"))
  }
}

@Suite("Nearest names")
struct NearestNameTests {
  @Test(
    "typing errors",
    arguments: [
      ("diggest", "digest"), ("uls", "urls"), ("user_agent", "user-agent"), ("URLS", "urls"), ("hedaers", "headers"),
      ("xyzzy", nil), ("d", nil), ("", nil),
    ])
  func find(_ name: String, _ nearest: String?) {
    #expect(NearestName.find(name, among: ["urls", "digest", "headers", "user-agent"]) == nearest)
  }
}
