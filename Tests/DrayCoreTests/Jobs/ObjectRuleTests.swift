// Targets in object stores: allowed places and options.

import DrayCore
import FoundationEssentials
import Testing

@Suite struct ObjectRuleTests {
  private static func job(
    in directory: String = "s3://bucket/p", _ change: (inout JobSpecification) -> Void = { _ in }
  ) throws -> JobSpecification {
    var job = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("https://h/f").url), directory: directory)
    change(&job)
    return job
  }

  @Test(arguments: [
    ("s3://bucket", "", "s3://bucket", "s3://bucket", [], "s3://bucket"),
    ("s3://bucket", "a/b", "s3://bucket/a/b", "s3://bucket", ["a", "b"], "s3://bucket/a"),
    ("s3://bucket/p", "a", "s3://bucket/p/a", "s3://bucket/p", ["a"], "s3://bucket/p"),
    ("s3://bucket/p", "", "s3://bucket/p", "s3://bucket/p", [], "s3://bucket"),
  ])
  func partsOfPlaces(
    _ base: String, _ below: String, _ path: String, _ named: String, _ foreign: [String], _ parent: String
  ) {
    let place = DirectoryPlace(base: base, below: below)
    #expect(place.path == path && place.base == named && place.foreign == foreign && place.parent.path == parent)
    #expect(place.object?.path == path)
  }

  @Test func theAccessGoesWithThePlace() throws {
    let access = ObjectAccess(signature: AWSSignature(region: "eu-north-1"))
    let job = try Self.job { job in
      job.objectOptions.access = access
      job.options.partDirectory = "/tmp"
    }
    #expect(job.place.access == access && job.place.parts == nil)
    #expect(job.place.appending("a").access == access && job.place.parent.access == access)
    #expect(job.place.alone.access == access && job.place.withoutAccess.access == nil)
    let file = try Self.job(in: "/d") { $0.objectOptions.access = access }
    #expect(file.place.access == nil && file.place.object == nil)
  }

  @Test func optionsOfOneKindOfTarget() throws {
    let object = try Self.job { job in
      (job.options.partDirectory, job.options.partStem, job.options.recordsOrigin) = ("/tmp", "n", true)
      job.objectOptions.storageClass = "GLACIER"
    }
    #expect(ObjectRule.ofFiles(object) == ["temp-dir", "part-name", "xattr"])
    #expect(ObjectRule.ofObjects(object) == ["storage-class"])
    #expect(ObjectRule.refusal(of: object) == nil)
    #expect(ObjectRule.ofObjects(try Self.job(in: "/d")).isEmpty)
  }

  @Test(arguments: ["s3://bucket//p", "s3://b", "s3://bucket/../p"])
  func invalidPlaces(_ directory: String) throws {
    #expect(ObjectRule.refusal(of: try Self.job(in: directory))?.kind == .usage)
  }

  @Test func invalidNames() throws {
    #expect(ObjectRule.refusal(of: try Self.job { $0.output = ".." })?.kind == .usage)
    #expect(ObjectRule.refusal(of: try Self.job { $0.output = "a" }) == nil)
  }

  // MARK: Clients

  private static let rule: OutsideRule = {
    var directories = AllowedDirectories(["/srv/files", "s3://bucket/in/", "s3://ab"])
    directories.access = ObjectAccess(signature: AWSSignature(region: "eu-west-1"))
    return OutsideRule(directories: directories)
  }()

  @Test(
    arguments: [
      ("s3://bucket/in", "s3://bucket/in", 0), ("s3://bucket/in/", "s3://bucket/in", 0),
      ("S3://bucket/in/a/b", "s3://bucket/in/a/b", 2),
    ] as [(String, String, Int)])
  func belowARoot(given: String, path: String, depth: Int) throws {
    let access = Self.rule.directories.access
    #expect(Self.rule.directories.place(given) == DirectoryPlace(path, foreignDepth: depth, access: access))
    var job = try Self.job(in: given)
    job.objectOptions.access = ObjectAccess(signature: AWSSignature(region: "theirs"))
    let permitted = try Self.rule.permitted(job)
    #expect(permitted.directory == path && permitted.place.access == access)
  }

  @Test(arguments: [
    "s3://bucket", "s3://bucket/input", "s3://bucket/in/../out", "s3://bucket//in", "s3://other/in", "s3://bucket/",
    "s3:/bucket/in", "s3://ab",
  ])
  func elsewhere(given: String) throws {
    #expect(Self.rule.directories.place(given) == nil)
    let job = try Self.job(in: given)
    #expect(throws: Failure.self) { try Self.rule.permitted(job) }
  }

  @Test func rootsThatAreNone() {
    #expect(Self.rule.directories.roots == ["/srv/files", "s3://bucket/in"])
    #expect(Self.rule.directories.haveObjects && !AllowedDirectories(["/a"]).haveObjects)
  }

  // MARK: Changes

  @Test func keysMayChangeAndPlacesNot() throws {
    var before = Job(id: 1, uuid: UUID(), specification: try Self.job(), addedAt: 0)
    before.state = .paused
    before.checkpoint.segments.insert(0..<10)
    var keys = before.specification
    keys.objectOptions.access = ObjectAccess(signature: AWSSignature(region: "eu-west-1"))
    #expect(!JobRevision(before, keys).movesDirectory)
    #expect(ChangeRule.objection(to: JobRevision(before, keys)) == nil)
    for directory in ["/d", "s3://bucket/q"] {
      var moved = before.specification
      moved.directory = directory
      #expect(ChangeRule.objection(to: JobRevision(before, moved)) != nil)
    }
    before.checkpoint.segments = SegmentSet()
    var moved = before.specification
    moved.directory = "/d"
    #expect(ChangeRule.objection(to: JobRevision(before, moved)) == nil)
  }
}
