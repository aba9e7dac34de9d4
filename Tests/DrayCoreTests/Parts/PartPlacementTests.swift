// Where part files are taken from, and which files stay untouched (P17).

import DrayCore
import Testing

@Suite struct PartPlacementTests {
  private static func facts(
    isSame: Bool = false, isOld: Bool = false, _ new: StrayFacts? = nil, isOfAnotherJob: Bool = false
  ) -> PartPlacement.Facts {
    var facts = PartPlacement.Facts()
    (facts.isSameDirectory, facts.isOld, facts.new, facts.isOfAnotherJob) = (isSame, isOld, new, isOfAnotherJob)
    return facts
  }

  @Test(
    "the part file moves along, is found, or is missing",
    arguments: [
      (facts(), .nothing), (facts(isOld: true), .move), (facts(StrayFacts(lock: .free)), .adopt),
      (facts(StrayFacts(lock: .unknown, owner: .thisStore)), .adopt),
      (facts(StrayFacts(lock: .free, owner: .store("/s", exists: false))), .adopt),
      (facts(isSame: true, isOld: true, StrayFacts(lock: .free)), .nothing),
    ] as [(PartPlacement.Facts, PartPlacement)])
  func plain(_ facts: PartPlacement.Facts, _ expected: PartPlacement) {
    #expect(PartPlacement.decide(facts, path: "/new/p", other: "/old") == expected)
  }

  @Test(
    "a foreign file is not taken, and neither of two files",
    arguments: [
      (facts(isOld: true, StrayFacts(lock: .free)), "/old"),
      (facts(StrayFacts(lock: .free), isOfAnotherJob: true), "another job"),
      (facts(StrayFacts(lock: .held)), "another process"),
      (facts(StrayFacts(lock: .free, owner: .store("/s", exists: true))), "/s"),
      (facts(StrayFacts(lock: .free, isOfAnotherUser: true)), "another user"),
    ])
  func refused(_ facts: PartPlacement.Facts, _ part: String) {
    guard case .refuse(let reason, _) = PartPlacement.decide(facts, path: "/new/p", other: "/old") else {
      Issue.record("it is not refused")
      return
    }
    #expect(reason.contains(part))
  }

  @Test(
    "an import takes unowned part files, copies those that another store may want, and leaves the rest",
    arguments: [
      (StrayFacts(lock: .free, owner: .thisStore), false, false, "take"),
      (StrayFacts(lock: .free, owner: .store("/s", exists: false)), false, false, "take"),
      (StrayFacts(lock: .free, owner: .store("/s", exists: true)), false, true, "copy"),
      (StrayFacts(lock: .free, owner: .store("/s", exists: true)), false, false, "leave"),
      (StrayFacts(lock: .free), false, true, "copy"), (StrayFacts(lock: .free), false, false, "leave"),
      (StrayFacts(lock: .held, owner: .thisStore), false, true, "leave"),
      (StrayFacts(lock: .free, owner: .thisStore), true, true, "leave"),
      (StrayFacts(lock: .free, owner: .thisStore, isOfAnotherUser: true), false, true, "leave"),
      (nil, false, true, "leave"),
    ] as [(StrayFacts?, Bool, Bool, String)])
  func adoption(_ facts: StrayFacts?, _ isOfAnotherJob: Bool, _ hasSums: Bool, _ expected: String) {
    let name =
      switch PartAdoption.decide(facts, isOfAnotherJob: isOfAnotherJob, hasSums: hasSums) {
      case .take: "take"
      case .copy: "copy"
      case .leave: "leave"
      }
    #expect(name == expected)
  }
}
