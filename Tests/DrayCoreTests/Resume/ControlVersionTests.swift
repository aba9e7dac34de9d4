// Which control files are not of the server's version, and which bytes are compared.

import Testing

@testable import DrayCore

@Suite struct ControlVersionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var described: Int64?
    var control: Int64?
    var file: Int64? = 1000
    var mode = ResumeMode.safe
    var isProved = false
    var refusal: SeedRefusal?
  }

  @Test(
    "the times of a control file and its file",
    arguments: [
      Row(testDescription: "nothing is known", file: nil),
      Row(testDescription: "only the server's time is known"),
      Row(testDescription: "the server tells no time", described: 5, control: 6, file: nil),
      Row(testDescription: "the same time", described: 1000, control: 2000),
      Row(testDescription: "the same time, rounded down", described: 999),
      Row(testDescription: "the same time, rounded up", described: 1001),
      Row(testDescription: "the same time, whatever the control file's own", described: 1000, control: 1),
      Row(testDescription: "earlier", described: 998, refusal: .otherTime(described: 998, file: 1000)),
      Row(testDescription: "later", described: 1002, refusal: .otherTime(described: 1002, file: 1000)),
      Row(
        testDescription: "earlier, in a later control file", described: 900, control: 2000,
        refusal: .otherTime(described: 900, file: 1000)),
      Row(testDescription: "the least", described: .min, refusal: .otherTime(described: .min, file: 1000)),
      Row(testDescription: "only the control file's own, the same", control: 1000),
      Row(testDescription: "only the control file's own, later", control: 1001),
      Row(
        testDescription: "only the control file's own, earlier", control: 999, refusal: .olderControl(999, file: 1000)),
      Row(testDescription: "the user wants it", described: 900, control: 1, mode: .always),
      Row(testDescription: "a digest proves the result", described: 900, control: 1, isProved: true),
    ])
  func times(_ row: Row) {
    let version = ControlVersion(described: row.described, control: row.control, file: row.file)
    #expect(version.refusal(mode: row.mode, isProved: row.isProved) == row.refusal)
  }

  @Test(
    "what is compared",
    arguments: [
      ([], []), ([0..<100], [0..<100]), ([0..<2000], [0..<2000]), ([5..<5005], [5..<1029, 1993..<3017, 3981..<5005]),
      ([0..<10, 20..<30, 40..<50], [0..<10, 20..<30, 40..<50]),
      ([0..<5000, 6000..<9000, 10_000..<20_000], [0..<1024, 6988..<8012, 18_976..<20_000]),
    ] as [([Segment], [Segment])])
  func samples(_ seeded: [Segment], _ places: [Segment]) {
    var set = SegmentSet()
    for segment in seeded { set.insert(segment) }
    #expect(ControlVersion.samples(of: set) == places)
  }

  @Test("what is said")
  func words() {
    #expect(
      SeedRefusal.otherTime(described: 0, file: 86_400).text
        == "the control file describes the version of Thu, 01 Jan 1970 00:00:00 GMT; the server's is of "
        + "Fri, 02 Jan 1970 00:00:00 GMT (--resume always uses it nevertheless)")
    #expect(
      SeedRefusal.olderControl(0, file: 86_400).text
        == "the control file is of Thu, 01 Jan 1970 00:00:00 GMT, before the file's last change on "
        + "Fri, 02 Jan 1970 00:00:00 GMT (--resume always uses it nevertheless)")
  }
}
