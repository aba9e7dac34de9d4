// The owner of a part file: a copy of a state directory does not write to the original's files (P17).

import DrayCore
import Testing

@Suite struct PartOwnershipTests {
  private static let label = PartOwner(path: "/a", node: 1)
  private static let old = PartOwner(path: "/a", node: nil)

  @Test(
    arguments: [
      (nil, 1, .another(2), false),
      (label, 1, .own, false),
      // A state directory restored from a backup.
      (label, 7, .own, false),
      // The original is gone.
      (label, 7, .gone, false),
      // A copy next to the original.
      (label, 7, .another(1), true), (old, 7, .another(1), true), (label, nil, .another(1), true),
      // The state directory was moved, and a new one is in its old place.
      (label, 1, .another(9), false), (old, 1, .another(9), true),
      // An unreadable store counts as another's.
      (label, 1, .another(nil), true), (label, 7, .another(nil), true),
      // Two disks with one number.
      (label, 1, .another(1), true),
    ] as [(PartOwner?, UInt64?, PartOwnership.Presence, Bool)])
  func decides(_ owner: PartOwner?, _ own: UInt64?, _ present: PartOwnership.Presence, _ expected: Bool) {
    #expect(PartOwnership.isAnothers(owner, own: own, present: present) == expected)
  }
}
