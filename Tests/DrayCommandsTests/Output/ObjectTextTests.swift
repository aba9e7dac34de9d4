// What commands print about jobs whose targets are objects.

import DrayKit
import DrayStore
import DrayWire
import FoundationEssentials
import TerminalUI
import Testing

@testable import DrayCommands

@Suite("Objects in what is printed")
struct ObjectTextTests {
  private static func job(size: Int64? = 20 << 20) throws -> Job {
    var specification = try #require(
      try specifications(
        [
          "-o", "s3://bucket/p/k", "--sse", "aws:kms/alias/x", "--meta", "team=a", "--tag", "b=c", "--storage-class",
          "GLACIER", "https://h/f",
        ],
        .fixed(environment: ["HOME": "/nowhere", "AWS_ACCESS_KEY_ID": "KEY", "AWS_SECRET_ACCESS_KEY": "s3cret"])
      ).first)
    specification.after = []
    var job = Job(id: 7, uuid: UUID(), specification: specification, addedAt: 0)
    (job.state, job.fileName, job.checkpoint.size) = (.interrupted, "k", size)
    let plan = try size.map { try #require(UploadPlan(length: $0)) } ?? .unknownLength
    let parts = [1, 2].map { ObjectUpload.Part(number: $0, size: 8 << 20, etag: "e\($0)") }
    job.checkpoint.upload = ObjectUpload(key: "p/k", id: "2~\u{1B}[31mid", plan: plan, parts: parts)
    job.checkpoint.segments = job.checkpoint.upload?.segments ?? SegmentSet()
    return job
  }

  private static func page(_ job: Job) -> String {
    JobPage(
      details: JobDetails(
        job: job, facts: JobFacts(job, live: nil, names: .commandLine, isFile: { _ in false }), attempts: [])
    ).text
  }

  @Test("in a window, lines are broken between words, and further lines begin below their values", arguments: [40, 80])
  func window(columns: Int) {
    var page = Sections(columns: columns)
    page.section("Failure")
    page.add("what", "http://h/\(String(repeating: "x", count: 90)): the server does not have this file any more")
    page.add("what to do", "check the URL, or choose another server that has the file")
    let lines = page.finished().split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("  what:       http") })
    for line in lines { #expect(line.count <= columns || line.contains("xxx"), "\(line)") }
    let rest = lines.drop { !$0.hasPrefix("  what to do: ") }.dropFirst()
    #expect(!rest.isEmpty == (columns == 40) && rest.allSatisfy { $0.hasPrefix("              ") }, "\(lines)")
    var whole = Sections(columns: nil)
    whole.section("Failure")
    whole.add("what to do", String(repeating: "word ", count: 40))
    #expect(whole.finished().split(separator: "\n").count == 2)
  }

  @Test("dray show names the upload, the properties and the source of the keys, and no secret")
  func show() throws {
    let text = Self.page(try Self.job())
    for words in [
      "s3://bucket/p/k", "keys stored with the job", "GLACIER", "aws:kms/alias/x", "team=a", "b=c", "Upload", "p/k",
      "2 of 3 parts (16.0 MiB)",
    ] {
      #expect(text.contains(words), "\(words): \(text)")
    }
    #expect(!text.contains("s3cret") && !text.contains("KEY") && !text.contains("\u{1B}"))
  }

  @Test("dray show names the trust of the target, which may differ from the source's")
  func trust() throws {
    var job = try Self.job()
    #expect(!Self.page(job).contains("of the target"))
    job.specification.objectOptions.access?.signature.trust = ServerTrust(caFile: "/o.pem", isInsecure: true)
    var text = Self.page(job)
    #expect(text.contains("CA file of the target") && text.contains("/o.pem") && text.contains("not checked"))
    job.specification.objectOptions.access?.signature.caBundle = "/b.pem"
    text = Self.page(job)
    #expect(text.contains("/b.pem") && !text.contains("/o.pem") && !text.contains("not checked"))
  }

  @Test func showWithoutUploadAndOfAFile() throws {
    var job = try Self.job(size: nil)
    #expect(UploadText.parts(try #require(job.checkpoint.upload), size: nil) == "2 parts (16.0 MiB)")
    job.checkpoint.upload = nil
    #expect(!Self.page(job).contains("Upload"))
    job.specification.directory = "/d"
    #expect(!Self.page(job).contains("S3 target"))
  }

  @Test("dray list --parts has a line for an upload")
  func parts() throws {
    let job = try Self.job()
    let line = UploadLine(try #require(job.unfinishedUpload), of: job)
    #expect(line.confirmed == 16 << 20)
    #expect(line.text.hasPrefix("s3://bucket/p/k  upload 2~") && line.text.hasSuffix(", 2 of 3 parts (16.0 MiB)"))
    #expect(!line.text.contains("\u{1B}"))
    var printed = ""
    PartTable.write(
      [JobFacts(job, live: nil, names: .commandLine, isFile: { _ in false })], uploads: [7: line],
      profile: TerminalProfile.detect(isTTY: false, environment: [:])
    ) { printed += $0 }
    #expect(printed.contains("16777216") && printed.contains("interrupted"))
  }

  @Test("a long number of an upload is shortened")
  func longID() throws {
    var job = try Self.job()
    job.checkpoint.upload?.id = String(repeating: "x", count: 73)
    let line = UploadLine(try #require(job.unfinishedUpload), of: job)
    #expect(line.text == "s3://bucket/p/k  upload xxxxxxxx…, 2 of 3 parts (16.0 MiB)")
  }

  @Test("the parts of an upload count for the last words of a stopped run only if more was shown")
  func stopped() throws {
    let job = try Self.job()
    #expect(StoppedJob(job).upload == nil)
    #expect(StoppedJob(job, shown: 16 << 20).upload == nil)
    #expect(StoppedJob(job, shown: 17 << 20).upload == .of(8 << 20))
    #expect(try StoppedJob(Self.job(size: nil), shown: 17 << 20).upload == .growing)
  }

  @Test("an export has no upload, which belongs to its store")
  func export() throws {
    let line = ExportLine(try Self.job(), prerequisites: [], sums: BlockSums(), reveals: false)
    #expect(!line.json.text.contains("checkpoint") && !line.json.text.contains("s3cret"))
    #expect(line.json.text.contains("s3://bucket/p") && line.json.text.contains("storage-class"))
  }
}
