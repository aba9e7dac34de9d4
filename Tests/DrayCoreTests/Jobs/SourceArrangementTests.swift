// The effect of a file's arrangement on a target that exists.

import DrayCore
import Testing

@Suite struct SourceArrangementTests {
  private static let image = SourceArrangement.image(
    ImageArrangement(
      manifest: DigestValue(.sha256, bytes: Array(repeating: 1, count: 32)), mediaType: "a/b", size: 1,
      layout: .model(path: "m")))

  @Test(
    "P12: another file never takes the place of a file of an image or a snapshot unnoticed",
    arguments: [
      (.fail, .fail), (.skip, .fail), (.rename, .fail), (.overwrite, .overwrite),
    ] as [(ConflictPolicy, ConflictPolicy)])
  func policy(_ wanted: ConflictPolicy, _ expected: ConflictPolicy) {
    #expect(Self.image.policy(wanted) == expected)
    #expect(SourceArrangement.link(path: "a").policy(wanted) == expected)
    #expect(SourceReference(name: "x:y", path: "a").policy(wanted) == wanted)
  }
}
