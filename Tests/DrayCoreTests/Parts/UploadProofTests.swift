// Whether an upload may continue if its digest is known only once it is an object.

import Testing

@testable import DrayCore

@Suite struct UploadProofTests {
  @Test(
    arguments: [
      (false, false, false, .goOn), (false, false, true, .goOn), (false, true, false, .goOn),
      (false, true, true, .goOn), (true, false, false, .goOn), (true, false, true, .goOn),
      (true, true, false, .goOnIfFree), (true, true, true, .startOver),
    ] as [(Bool, Bool, Bool, UploadProof.Step)])
  func nothingUnprovedReplacesAnObject(_ isLate: Bool, _ mayReplace: Bool, _ isTaken: Bool, _ step: UploadProof.Step) {
    #expect(UploadProof.step(isLate: isLate, mayReplace: mayReplace, isTaken: isTaken) == step)
  }

  @Test(
    arguments: [
      (false, 1 << 40, false), (true, 0, false), (true, UploadPlan.least, false), (true, UploadPlan.least + 1, true),
    ] as [(Bool, Int64, Bool)])
  func oneRequestIsProvedBefore(_ hasDigest: Bool, _ size: Int64, _ mayBe: Bool) {
    #expect(UploadProof.mayBeOutstanding(hasDigest: hasDigest, size: size) == mayBe)
  }
}
