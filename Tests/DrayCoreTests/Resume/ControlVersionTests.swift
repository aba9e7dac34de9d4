// Which control files are not of the server's version, and which bytes are compared.

import Testing

@testable import DrayCore

@Suite struct ControlVersionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var described: Int64?
    var control: Int64?
    var isBeside = true
    var file: Int64? = 1000
    var mode = ResumeMode.safe
    var isProved = false
    var verdict: ControlVersion.Verdict
  }

  private static let few = ControlVersion.Verdict.compared(places: 3)
  private static let many = ControlVersion.Verdict.compared(places: 16)

  private static func other(_ described: Int64) -> ControlVersion.Verdict {
    .refused(.otherTime(described: described, file: 1000))
  }

  @Test(
    "the times of a control file and its file",
    arguments: [
      Row(testDescription: "nothing is known", file: nil, verdict: many),
      Row(testDescription: "only the server's time is known", verdict: many),
      Row(testDescription: "the server tells no time", described: 5, control: 6, file: nil, verdict: many),
      Row(testDescription: "the same time", described: 1000, control: 2000, verdict: few),
      Row(testDescription: "the same time, rounded down", described: 999, verdict: few),
      Row(testDescription: "the same time, rounded up", described: 1001, verdict: few),
      Row(
        testDescription: "the same time, whatever the control file's own", described: 1000, control: 1, verdict: few),
      Row(testDescription: "earlier", described: 998, verdict: other(998)),
      Row(testDescription: "later", described: 1002, verdict: other(1002)),
      Row(testDescription: "earlier, in a later control file", described: 900, control: 2000, verdict: many),
      Row(testDescription: "earlier, uploaded in the same second", described: 900, control: 1000, verdict: many),
      Row(testDescription: "earlier, uploaded before the file", described: 900, control: 999, verdict: other(900)),
      Row(
        testDescription: "earlier, in a later control file of another server", described: 900, control: 2000,
        isBeside: false, verdict: other(900)),
      Row(testDescription: "the least", described: .min, verdict: other(.min)),
      Row(testDescription: "only the control file's own, the same", control: 1000, verdict: many),
      Row(testDescription: "only the control file's own, later", control: 1001, verdict: many),
      Row(
        testDescription: "only the control file's own, earlier", control: 999,
        verdict: .refused(.olderControl(999, file: 1000))),
      Row(testDescription: "the user wants it", described: 900, control: 1, mode: .always, verdict: few),
      Row(
        testDescription: "a digest proves the result", described: 900, control: 1, isProved: true,
        verdict: .compared(places: 0)),
    ])
  func times(_ row: Row) {
    let version = ControlVersion(
      described: row.described, control: row.control, isBeside: row.isBeside, file: row.file)
    #expect(version.verdict(mode: row.mode, isProved: row.isProved) == row.verdict)
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
    #expect(ControlVersion.samples(of: set, ControlVersion.few) == places)
  }

  private static func runs(_ count: Int64, of length: Int64) -> [Segment] {
    (0..<count).map { $0 * 2 * length..<($0 * 2 + 1) * length }
  }

  @Test(
    "many places are spread over all runs, and are both ends",
    arguments: [
      ([], 0), ([0..<100], 1), ([0..<16_384], 1), ([0..<1_000_000], 16), ([5..<1500, 4000..<900_000], 16),
      ([0..<10, 20..<30, 40..<5_000_000], 16), (runs(16, of: 3000), 16), (runs(100, of: 3000), 16),
      (runs(15, of: 10), 15),
    ] as [([Segment], Int)])
  func spread(_ seeded: [Segment], _ count: Int) {
    var (set, compared) = (SegmentSet(), SegmentSet())
    for segment in seeded { set.insert(segment) }
    let places = ControlVersion.samples(of: set, ControlVersion.many)
    #expect(places.count == count)
    for place in places {
      #expect(set.contains(place) && (place.count <= ControlVersion.sample || seeded.contains(place)))
      compared.insert(place)
    }
    #expect(compared.segments == places && compared.count <= 16 << 10)
    #expect(places.first?.lowerBound == set.segments.first?.lowerBound)
    #expect(places.last?.upperBound == set.segments.last?.upperBound)
    if seeded.count <= ControlVersion.many {
      #expect(seeded.allSatisfy { run in places.contains { $0.overlaps(run) } })
    }
  }

  @Test("what is said")
  func words() {
    #expect(
      SeedRefusal.otherTime(described: 0, file: 86_400).text
        == "the control file describes the version of Thu, 01 Jan 1970 00:00:00 GMT; the server's is of "
        + "Fri, 02 Jan 1970 00:00:00 GMT")
    #expect(
      SeedRefusal.olderControl(0, file: 86_400).text
        == "the control file is of Thu, 01 Jan 1970 00:00:00 GMT, before the file's last change on "
        + "Fri, 02 Jan 1970 00:00:00 GMT")
    for refusal in [SeedRefusal.otherTime(described: 0, file: 9), .olderControl(0, file: 9)] {
      #expect(Seeding.Outcome(refusal).advice?.names(.resumeAlways) == true)
    }
    #expect(SeedRefusal.unwanted.advice?.names(.resumeNever) == true && SeedRefusal.differs.advice == nil)
  }
}
