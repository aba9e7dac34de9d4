// Which unowned part files are removed, and which are left (P5, P17).

import DrayCore
import Testing

@Suite struct StrayRuleTests {
  private static let old = StrayRule.patience
  private static let young = StrayRule.patience - 1

  @Test(
    arguments: [
      // Another process has it open: it stays, regardless of all other facts.
      (StrayFacts(lock: .held, owner: .thisStore, age: old), "another process is using it", "another process"),
      (StrayFacts(lock: .held, owner: .unknown, age: old), "another process is using it", "another process"),
      (StrayFacts(lock: .held, owner: .store("/s", exists: false), age: old), "another process", "another process"),
      // This store has no such job.
      (StrayFacts(lock: .free, owner: .thisStore, age: 0), nil, nil),
      (StrayFacts(lock: .unknown, owner: .thisStore, age: 0), nil, nil),
      // Another store may need it.
      (StrayFacts(lock: .free, owner: .store("/s", exists: true), age: old), "the job store in /s", nil),
      (StrayFacts(lock: .unknown, owner: .store("/s", exists: true), age: old), "the job store in /s", nil),
      // The owner is unknown.
      (StrayFacts(lock: .free, owner: .store("/s", exists: false), age: young), "less than a day", nil),
      (StrayFacts(lock: .free, owner: .store("/s", exists: false), age: old), nil, nil),
      (StrayFacts(lock: .free, owner: .unknown, age: young), "part files in /d/p removes it", nil),
      (StrayFacts(lock: .free, owner: .unknown, age: -5), "less than a day", nil),
      (StrayFacts(lock: .free, owner: .unknown, age: old), nil, nil),
      (StrayFacts(lock: .unknown, owner: .unknown, age: old), nil, nil),
      (StrayFacts(lock: .free, isOfAnotherUser: true, age: old), "another user", nil),
      (StrayFacts(lock: .unknown), "less than a day", nil),
    ] as [(StrayFacts, String?, String?)])
  func rule(_ facts: StrayFacts, _ reason: String?, _ reasonWhereNamed: String?) {
    for (isNamed, expected) in [(false, reason), (true, reasonWhereNamed)] {
      let found = StrayRule.reasonToLeave(facts, isNamed: isNamed, path: "/d/p")
      #expect((found == nil) == (expected == nil))
      guard let found, let expected else { continue }
      let words = "\(found.reason); \(found.advice?.description ?? "")"
      #expect(words.contains(expected))
    }
  }

  @Test("a visible name alone does not make a part file: its label, the store or the user must confirm it")
  func whatIsAPartFile() {
    func isOne(_ owner: StrayFacts.Owner, isHidden: Bool = false, isNamed: Bool = false, isKnown: Bool = false) -> Bool
    {
      StrayRule.isPartFile(
        StrayFacts(lock: .free, owner: owner, age: Self.old), isHidden: isHidden, isNamed: isNamed, isKnown: isKnown)
    }
    #expect(!isOne(.unknown))
    #expect(isOne(.unknown, isHidden: true) && isOne(.unknown, isNamed: true) && isOne(.unknown, isKnown: true))
    #expect(isOne(.thisStore) && isOne(.store("/s", exists: true)) && isOne(.store("/s", exists: false)))
  }
}
