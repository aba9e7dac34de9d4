// What seeds mean for a job: its digest, and what is said.

import Testing

@testable import DrayCore

@Suite struct SeedingTests {
  private static let digest = DigestValue(.sha1, bytes: [UInt8](repeating: 1, count: 20))
  private static let v1 = Validators(etag: "\"1\"")

  private static func seeding(_ reused: Int64, validators: Validators = v1) -> Seeding {
    Seeding(
      files: ["/d/old.iso"],
      outcome: Seeding.Outcome(
        reused: reused, size: 450 << 20, segments: SegmentSet(0..<reused), digest: reused > 0 ? digest : nil,
        validators: validators))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var reused: Int64 = 1
    var version = SeedingTests.v1
    var isResumed = true
    var isProved = false
    var counts: Bool
  }

  @Test(
    "whether the control file's digest counts",
    arguments: [
      Row(testDescription: "bytes are reused", counts: true),
      Row(testDescription: "nothing is reused", reused: 0, counts: false),
      Row(testDescription: "another digest is known, too", isProved: true, counts: true),
      Row(testDescription: "the server has another version", version: Validators(etag: "\"2\""), counts: false),
      Row(testDescription: "fetched as a whole, and nothing else proves it", isResumed: false, counts: true),
      Row(testDescription: "fetched as a whole, and proved", isResumed: false, isProved: true, counts: false),
    ])
  func binding(_ row: Row) {
    let digest = Self.seeding(row.reused).binding(
      version: row.version, isResumed: row.isResumed, isProved: row.isProved)
    #expect((digest != nil) == row.counts)
  }

  @Test("what seeds prove holds only for the version that they were read for")
  func versions() {
    #expect(Self.seeding(1).holds(for: Self.v1))
    #expect(!Self.seeding(1).holds(for: Validators(etag: "\"2\"")))
    #expect(!Self.seeding(0).holds(for: Self.v1) && !Seeding(files: ["/a"]).holds(for: Self.v1))
  }

  @Test("after a start over nothing is reused, but the digest still counts if nothing else proves the file")
  func startedOver() throws {
    var seeding = Self.seeding(412 << 20)
    seeding.startOver()
    #expect(seeding.outcome?.reused == 0 && seeding.segments.isEmpty && !seeding.isDue)
    #expect(seeding.summary == "old.iso: not reused, the file was fetched once more, as a whole")
    #expect(seeding.binding(version: Self.v1, isResumed: false, isProved: false)?.digest == Self.digest)
    #expect(seeding.binding(version: Self.v1, isResumed: false, isProved: true) == nil)
    var earlier = try #require(Seeding.renewed(Self.seeding(5), by: nil))
    earlier.startOver()
    #expect(earlier.segments.isEmpty && earlier.digest == Self.digest)
    // A refusal stays, and so does its reason.
    let refused = Seeding(files: ["/a"], outcome: Seeding.Outcome(refusal: SeedRefusal.notServed.text))
    var again = refused
    again.startOver()
    #expect(again == refused)
  }

  @Test("what is said")
  func summaries() {
    #expect(Self.seeding(412 << 20).summary == "old.iso: reused 412 of 450 MiB")
    #expect(Self.seeding(5 << 10).summary == "old.iso: reused 5.0 KiB of 450 MiB")
    #expect(Seeding(files: ["/a"]).summary == nil)
    let refused = Seeding.Outcome(refusal: SeedRefusal.otherSize(5, 6).text)
    #expect(
      Seeding(files: ["/d/a", "/b"], outcome: refused).summary
        == "a, b: not reused, the control file describes a file of 5 bytes; the server's has 6")
  }

  @Test("the digest of bytes that the job has stays known, whatever seeds are asked for then")
  func renewed() throws {
    let (before, other) = (Self.seeding(5), Seeding(files: ["/other"]))
    #expect(Seeding.renewed(nil, by: other) == other && Seeding.renewed(other, by: nil) == nil)
    #expect(Seeding.renewed(before, by: Seeding(files: before.files)) == before)
    for asked in [other, nil] {
      let new = try #require(Seeding.renewed(before, by: asked))
      #expect(new.outcome == nil && new.earlier == before.outcome && new.digest == Self.digest)
      #expect(new.isDue == (asked != nil))
      let last = try #require(Seeding.renewed(new, by: nil))
      #expect(last.digest == Self.digest && last.again == nil)
    }
    #expect(before.again == Seeding(files: before.files))
    #expect(Seeding.renewed(Self.seeding(0), by: nil) == nil)
  }

  @Test("seeds are due once")
  func due() {
    #expect(Seeding(files: ["/a"]).isDue)
    #expect(!Seeding(files: [], control: "http://h/f.zsync").isDue)
    #expect(!Self.seeding(0).isDue)
  }
}
