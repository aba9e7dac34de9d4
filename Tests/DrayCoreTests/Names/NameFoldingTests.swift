// Names that are one name where a file system folds case or normalises.

import DrayCore
import Testing

@Suite struct NameFoldingTests {
  @Test(
    arguments: [
      ("README", "readme", true, false), ("a/B", "A/b", true, false), ("\u{C9}", "\u{E9}", true, false),
      ("\u{E9}", "e\u{301}", false, true), ("README", "readme1", false, false), ("f", "g", false, false),
    ])
  func folds(_ one: String, _ other: String, byCase: Bool, byForm: Bool) {
    #expect(NameFolding(foldsCase: true).folds(one, other) == byCase)
    #expect(NameFolding(normalizes: true).folds(one, other) == byForm)
    #expect(NameFolding(foldsCase: true, normalizes: true).folds(one, other) == (byCase || byForm))
    #expect(!NameFolding.none.folds(one, other) && NameFolding.none.key(one) != NameFolding.none.key(other))
    #expect(!NameFolding(foldsCase: true).folds(one, one))
  }
}
