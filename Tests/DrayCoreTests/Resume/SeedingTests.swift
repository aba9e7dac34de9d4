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
    var hasSeeds = true
    var isProved = false
    var hasStartedOver = false
    var counts: Bool
  }

  @Test(
    "whether the control file's digest counts",
    arguments: [
      Row(testDescription: "bytes are reused", counts: true),
      Row(testDescription: "nothing is reused", reused: 0, counts: false),
      Row(testDescription: "another digest is known, too", isProved: true, counts: true),
      Row(testDescription: "the server has another version", version: Validators(etag: "\"2\""), counts: false),
      Row(testDescription: "fetched as a whole, and nothing else proves it", hasSeeds: false, counts: true),
      Row(testDescription: "fetched as a whole, and proved", hasSeeds: false, isProved: true, counts: false),
      Row(
        testDescription: "fetched as a whole, interrupted, continued, and proved", isProved: true, hasStartedOver: true,
        counts: false),
      Row(
        testDescription: "fetched as a whole, interrupted, continued, and nothing else proves it", hasStartedOver: true,
        counts: true),
    ])
  func binding(_ row: Row) {
    var seeding = Self.seeding(row.reused)
    if row.hasStartedOver { seeding.startOver() }
    let digest = seeding.binding(version: row.version, hasSeeds: row.hasSeeds, isProved: row.isProved)
    #expect((digest != nil) == row.counts)
  }

  @Test("what seeds prove holds only for the version that they were read for")
  func versions() {
    #expect(Self.seeding(1).holds(for: Self.v1))
    #expect(!Self.seeding(1).holds(for: Validators(etag: "\"2\"")))
    #expect(!Self.seeding(0).holds(for: Self.v1) && !Seeding(files: ["/a"]).holds(for: Self.v1))
  }

  struct Version: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var used: Validators
    var version: Validators
    var holds: Bool
  }

  private static let (t1, t2) = ("Sat, 01 Feb 2025 00:00:00 GMT", "Sat, 01 Feb 2025 00:00:09 GMT")

  /// Where the digest is relied upon, it must be compared with the result, whatever the next answer says.
  @Test(
    "P2, P16 the control file's digest is relied upon only if the validators show the version",
    arguments: [
      Version(testDescription: "same strong ETag", used: v1, version: v1, holds: true),
      Version(
        testDescription: "same strong ETag, other time", used: v1, version: .init(etag: "\"1\"", lastModified: t1),
        holds: true),
      Version(
        testDescription: "same time", used: .init(lastModified: t1), version: .init(lastModified: t1), holds: true),
      Version(
        testDescription: "another time", used: .init(lastModified: t1), version: .init(lastModified: t2), holds: false),
      Version(
        testDescription: "a mirror, of which nothing is known", used: .init(lastModified: t1), version: .init(),
        holds: false),
      Version(
        testDescription: "a mirror, and a weak ETag", used: .init(etag: "W/\"1\""), version: .init(), holds: false),
      Version(
        testDescription: "a weak ETag without its time", used: .init(etag: "W/\"1\"", lastModified: t1),
        version: .init(etag: "W/\"1\""), holds: false),
      Version(
        testDescription: "same weak ETag", used: .init(etag: "W/\"1\""), version: .init(etag: "W/\"1\""), holds: true),
      // No version contradicts this one, so the digest is compared in any case.
      Version(testDescription: "a server without validators", used: .init(), version: .init(), holds: true),
      Version(
        testDescription: "then a mirror with a time", used: .init(), version: .init(lastModified: t2), holds: true),
    ])
  func identified(_ row: Version) {
    let seeding = Self.seeding(1, validators: row.used)
    #expect(seeding.holds(for: row.version) == row.holds)
    #expect(!row.holds || seeding.binding(version: row.version, hasSeeds: true, isProved: true) != nil)
  }

  @Test("after a start over nothing is reused, but the digest still counts if nothing else proves the file")
  func startedOver() throws {
    var seeding = Self.seeding(412 << 20)
    seeding.startOver()
    #expect(seeding.outcome?.reused == 0 && seeding.segments.isEmpty && !seeding.isDue)
    #expect(seeding.summary == "old.iso: not reused, the file was fetched once more, as a whole")
    // A file that is interrupted now is continued like any other.
    #expect(!seeding.holds(for: Self.v1))
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

  @Test("a control file that is refuted leaves no digest", arguments: [.zsync, .given, .lock, nil] as [DigestSource?])
  func refuted(source: DigestSource?) {
    var (options, seeding) = (JobOptions(), Self.seeding(5))
    seeding.earlier = seeding.outcome
    (options.seeding, options.digest, options.digestSource) = (seeding, Self.digest, source)
    options.refuteSeeds(.contradicted("http://h/f.zsync"))
    #expect(options.seeding?.digest == nil && options.seeding?.segments.isEmpty == true)
    #expect(options.seeding?.summary?.contains("http://h/f.zsync is of another file") == true)
    #expect(options.digest == (source == .zsync ? nil : Self.digest))
    #expect(options.digestSource == (source == .zsync ? nil : source))
    options.seeding?.files = []
    #expect(options.seeding?.summary == SeedRefusal.contradicted("http://h/f.zsync").text)
    // A repair keeps its digest.
    (options.digest, options.digestSource) = (Self.digest, source)
    options.repairs = FileIdentity(device: 1, inode: 2, size: 1000, modified: 3)
    options.refuteSeeds(.nothing)
    #expect(options.digest == Self.digest && options.digestSource == source)
  }

  @Test("seeds are due once")
  func due() {
    #expect(Seeding(files: ["/a"]).isDue)
    #expect(!Seeding(files: [], control: "http://h/f.zsync").isDue)
    #expect(!Self.seeding(0).isDue)
  }
}
