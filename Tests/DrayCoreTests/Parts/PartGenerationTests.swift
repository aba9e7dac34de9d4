// Which file the next owner of a job writes to.

import DrayCore
import Testing

@Suite struct PartGenerationTests {
  @Test(
    "P20 handed back or gone: the same file; otherwise a copy of the complete one",
    arguments: [
      (PartGeneration(), false, nil),
      (PartGeneration(7), true, nil),
      (PartGeneration(isLost: true), false, PartGeneration(9, from: 0)),
      (PartGeneration(7, isLost: true), false, PartGeneration(9, from: 7)),
      // An owner was lost while it copied, or handed the job back then.
      (PartGeneration(7, from: 3, isLost: true), true, PartGeneration(9, from: 3)),
      (PartGeneration(7, from: 3), true, PartGeneration(9, from: 3)),
      // The source is removed once its copy is durable.
      (PartGeneration(7, from: 3, isLost: true), false, PartGeneration(9, from: 7)),
      (PartGeneration(7, from: 3), false, PartGeneration(9, from: 7)),
    ] as [(PartGeneration, Bool, PartGeneration?)])
  func next(present: PartGeneration, sourceExists: Bool, next: PartGeneration?) {
    #expect(present.next(9, sourceExists: sourceExists) == next)
    #expect(present.mustBeReplaced == (next != nil))
  }

  @Test(arguments: [
    ("0", PartGeneration()), ("7", PartGeneration(7)), ("0!", PartGeneration(isLost: true)),
    ("4294967295<3", PartGeneration(.max, from: 3)), ("7<0!", PartGeneration(7, from: 0, isLost: true)),
  ])
  func texts(text: String, generation: PartGeneration) {
    #expect(PartGeneration(text) == generation && generation.text == text)
  }

  @Test(arguments: ["", "!", "x", "1<", "<1", "1<2<3", "-1", "4294967296", "1!!"])
  func others(text: String) { #expect(PartGeneration(text) == nil) }
}
