// What may be written of a file that is still arriving (P2, P18).

import Testing

@testable import DrayCore

private let held = Joint.overlap

@Suite struct InOrderRuleTests {
  /// A rule after `written` bytes, from which bytes from `lost` on were given up.
  private func rule(written: Int, lost: Int64? = nil) -> InOrderRule {
    var rule = InOrderRule()
    rule.write(written)
    if let lost { rule.lose(from: lost) }
    return rule
  }

  @Test(
    "while it arrives",
    arguments: [
      // Columns: bytes written, the position from which bytes were given up, the first missing byte, the step.
      (0, nil, nil, .wait), (0, nil, 0, .wait), (0, nil, held, .wait), (0, nil, held + 1, .write(0..<1)),
      (0, nil, held + 5 * InOrderRule.block, .write(0..<InOrderRule.block)), (5, nil, held + 5, .wait),
      (5, nil, held + 9, .write(5..<9)), (5, nil, 3, .wait),
      // Bytes after the written ones may change.
      (5, 5, held + 9, .write(5..<9)), (5, 9, 7, .wait),
      // Written bytes must arrive again, and be the same.
      (5, 4, nil, .wait), (5, 0, 0, .wait), (5, 4, held + 4, .wait), (5, 4, held + 5, .prove(upTo: 5)),
      (5, 0, held + 900, .prove(upTo: 5)),
    ] as [(Int, Int64?, Int64?, InOrderRule.Step)])
  func arriving(written: Int, lost: Int64?, front: Int64?, step: InOrderRule.Step) {
    #expect(rule(written: written, lost: lost).step(front: front) == step)
  }

  @Test(
    "when it is complete",
    arguments: [
      (0, nil, 0, .end), (0, nil, 5, .write(0..<5)), (5, nil, 5, .end), (5, nil, 9, .write(5..<9)),
      (0, nil, InOrderRule.block + 1, .write(0..<InOrderRule.block)), (5, nil, 4, .changed), (5, 0, 4, .changed),
      (5, 4, 5, .prove(upTo: 5)), (5, 9, 9, .write(5..<9)),
    ] as [(Int, Int64?, Int64, InOrderRule.Step)])
  func complete(written: Int, lost: Int64?, size: Int64, step: InOrderRule.Step) {
    #expect(rule(written: written, lost: lost).step(size: size) == step)
  }

  @Test func afterTheProofItGoesOn() {
    var rule = rule(written: 5, lost: 0)
    rule.prove()
    #expect(rule.step(size: 9) == .write(5..<9))
  }
}
