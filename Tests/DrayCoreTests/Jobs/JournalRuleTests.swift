// Which bytes of a journal a job may take (P21).

import DrayCore
import FoundationEssentials
import Testing

@Suite struct JournalRuleTests {
  private static let uuid = UUID()
  private static let part = FileIdentity(device: 1, inode: 2, size: 1000, modified: 3)

  private static func checkpoint(_ segments: SegmentSet, etag: String = "\"a\"") throws -> Checkpoint {
    Checkpoint(
      segments: segments, size: 2000, validators: Validators(etag: etag),
      provenance: Provenance(url: try url("http://h/f")))
  }

  private static func job(_ recorded: Checkpoint, answeredAt: Double?) throws -> Job {
    var job = Job(
      id: 1, uuid: uuid,
      specification: JobSpecification(request: TransferRequest(url: try url("http://h/f")), directory: "/d"), addedAt: 0
    )
    job.checkpoint = recorded
    job.response = try answeredAt.map {
      ResponseRecord(finalURL: try url("http://h/f"), redirects: [], head: ResponseHead(200), time: $0)
    }
    return job
  }

  private static func version(_ change: (inout JournaledVersion) -> Void = { _ in }) throws -> JournaledVersion {
    let job = try job(Checkpoint(), answeredAt: nil)
    var version = JournaledVersion(
      try checkpoint(SegmentSet()), answeredAt: 7, of: uuid, attempt: 4, in: part, named: job.partFileName, boot: "boot"
    )
    change(&version)
    return version
  }

  /// Three extents, of which the part file has two.
  private static let sums: BlockSums = {
    var sums = BlockSums()
    for lower in [0, 600, 1200] as [Int64] { sums.insert(lower..<lower + 300, CRC32C(1)) }
    return sums
  }()

  private static func taken(
    _ version: JournaledVersion, _ job: Job, part: FileIdentity = part, boot: String? = "boot"
  ) -> [Int64] {
    JournalRule.extents(of: version, sums, for: job, in: part, boot: boot).map(\.lower)
  }

  @Test func ofTheSameBootJobAndFile() throws {
    let job = try Self.job(Checkpoint(), answeredAt: 7)
    let version = try Self.version()
    #expect(Self.taken(version, job) == [0, 600])
    #expect(Self.taken(version, job, boot: "other") == [])
    #expect(Self.taken(version, job, boot: nil) == [])
    #expect(Self.taken(version, job, part: FileIdentity(device: 9, inode: 2, size: 1000, modified: 3)) == [])
    #expect(Self.taken(version, job, part: FileIdentity(device: 1, inode: 9, size: 1000, modified: 3)) == [])
    #expect(Self.taken(version, job, part: FileIdentity(device: 1, inode: 2, size: 800, modified: 3)) == [0])
    #expect(
      Self.taken(version, job, part: FileIdentity(device: 1, inode: 2, size: 9000, modified: 3)) == [0, 600, 1200])
    #expect(Self.taken(try Self.version { $0.size = 500 }, job, part: Self.part) == [0])
    #expect(Self.taken(try Self.version { $0.job = UUID() }, job) == [])
    #expect(Self.taken(try Self.version { $0.partName = ".x.part" }, job) == [])
  }

  @Test(
    "without recorded bytes: no other attempt, or none with an answer",
    arguments: [
      (4, 7.0, true), (5, 7, true), (6, 7, true), (5, nil, true), (5, 8, true), (6, nil, false), (6, 8, false),
      (4, nil, false), (0, nil, false),
    ] as [(Int, Double?, Bool)])
  func answers(attempts: Int, answeredAt: Double?, isTaken: Bool) throws {
    var job = try Self.job(Checkpoint(), answeredAt: answeredAt)
    job.attempts = attempts
    #expect(Self.taken(try Self.version(), job).isEmpty != isTaken)
  }

  @Test func withRecordedBytesTheVersionDecides() throws {
    let recorded = try Self.checkpoint(SegmentSet(0..<400))
    #expect(Self.taken(try Self.version(), try Self.job(recorded, answeredAt: nil)) == [600])
    let other = try Self.checkpoint(SegmentSet(0..<400), etag: "\"b\"")
    #expect(Self.taken(try Self.version(), try Self.job(other, answeredAt: 7)) == [])
    for change: (inout JournaledVersion) throws -> Void in [
      { $0.size = 2001 }, { $0.validators.lastModified = "x" }, { $0.provenance?.url = try url("http://h/g") },
    ] {
      var version = try Self.version()
      try change(&version)
      #expect(Self.taken(version, try Self.job(recorded, answeredAt: 7)) == [])
    }
  }

  @Test func notWhereAnotherOwnerMayWriteNorForAnUnsafeRequest() throws {
    var job = try Self.job(Checkpoint(), answeredAt: 7)
    job.part.isLost = true
    #expect(Self.taken(try Self.version(), job) == [])
    job.part.isLost = false
    job.specification.request.method = "POST"
    #expect(Self.taken(try Self.version(), job) == [])
  }

  @Test func theCheckpointGrows() throws {
    let version = try Self.version()
    let extents = Array(Self.sums.extents.prefix(2))
    let first = JournalRule.joined(Checkpoint(), BlockSums(), with: extents, of: version)
    #expect(first.segments.segments == [0..<300, 600..<900] && first.sums.covered == first.segments)
    #expect(first.size == 2000 && first.validators.etag == "\"a\"" && first.provenance == version.provenance)

    var (recorded, sums) = (try Self.checkpoint(SegmentSet(0..<650)), BlockSums())
    recorded.offered = []
    sums.insert(0..<650, CRC32C(5))
    let later = JournalRule.joined(recorded, sums, with: [extents[1]], of: version)
    #expect(later.segments.segments == [0..<900] && later.validators == recorded.validators)
    #expect(later.sums.covered.segments == [600..<900], "an extent that overlaps another takes its place")
  }
}
