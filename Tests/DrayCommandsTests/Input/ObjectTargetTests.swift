// Targets in object stores at the command line, in lists and in settings.

import ArgumentParser
import DrayKit
import FoundationEssentials
import Testing

@testable import DrayCommands

@Suite("Targets in object stores")
struct ObjectTargetTests {
  static let url = "https://h.example/a/f.bin"
  static let keys = ["HOME": "/nowhere", "AWS_ACCESS_KEY_ID": "KEY", "AWS_SECRET_ACCESS_KEY": "SECRET"]

  private static func jobs(_ arguments: String..., files: [String: String] = [:]) throws -> [JobSpecification] {
    try specifications(arguments + [url], .fixed(environment: keys, files: files))
  }

  @Test(
    arguments: [
      (["-o", "s3://bucket/key"], "s3://bucket", "key"),
      (["-o", "S3://bucket/a/b/key.iso"], "s3://bucket/a/b", "key.iso"),
      (["-d", "s3://bucket"], "s3://bucket", nil), (["-d", "s3://bucket/"], "s3://bucket", nil),
      (["-d", "s3://bucket/p/q/"], "s3://bucket/p/q", nil),
      (["-d", "s3://bucket/p/", "-o", "x"], "s3://bucket/p", "x"),
      (["-d", "s3://bucket/p", "-o", "a/b/x"], "s3://bucket/p/a/b", "x"),
      (["-o", "s3://bucket/a=b&c=d"], "s3://bucket", "a=b&c=d"),
      (["-d", "s3://bucket/a=b&c"], "s3://bucket/a=b&c", nil),
    ] as [([String], String, String?)])
  func places(_ arguments: [String], _ directory: String, _ output: String?) throws {
    let job = try #require(
      try specifications(arguments + [Self.url], .fixed(environment: Self.keys)).first)
    #expect(job.directory == directory && job.output == output)
    #expect(job.place.object?.path == directory && job.place.parts == nil)
    #expect(job.place.access?.credentials == Credentials(user: "KEY", password: "SECRET"))
  }

  @Test(arguments: [
    (["-o", "s3://bucket"], "--output"), (["-o", "s3://bucket/p/"], "--output"),
    (["-o", "s3://bucket//k"], "--output"),
    (["-o", "s3://bucket/../k"], "--output"), (["-o", "s3://Bucket/k"], "--output"), (["-o", "s3:///k"], "--output"),
    (["-o", "s3:/bucket/k"], "--output"), (["-o", "gs://bucket/k"], "--output"), (["-o", "https://h/k"], "--output"),
    (["-o", "file:///tmp/k"], "--output"), (["-d", "s3://b"], "--dir"), (["-d", "s3://bucket/a//b"], "--dir"),
    (["-d", "az://bucket"], "--dir"), (["-d", "s3://bucket", "-o", "../k"], "--output"),
    (["-d", "s3://bucket", "-o", "./k"], "--output"), (["-d", "s3://bucket", "-o", "a//k"], "--output"),
    (["-d", "s3://bucket", "-o", "s3://bucket/k"], "--output"), (["-d", "s3://user:secret@bucket/p"], "--dir"),
    (["-o", "s3://bucket/k", "--sse", "rot13"], "--sse"), (["-o", "s3://bucket/k", "--meta", "x"], "--meta"),
    (["-o", "s3://bucket/k", "--meta", "dray-source=x"], "--meta"), (["-o", "s3://bucket/k", "--tag", "x"], "--tag"),
    (["-o", "s3://bucket/k", "--upload-memory", "1M"], "--upload-memory"),
    (["-o", "s3://bucket/k", "--storage-class", "a b"], "--storage-class"),
    (["-o", "s3://bucket/k", "--acl", ""], "--acl"),
    (["-o", "s3://bucket/k", "--target-profile", "none"], "the AWS profile none"),
    (["--temp-dir", "s3://bucket/p"], "--temp-dir"),
  ])
  func refused(_ arguments: [String], _ subject: String) throws {
    let failure = try #require(refusal(arguments + [Self.url], .fixed(environment: Self.keys)))
    #expect(failure.kind == .usage && failure.subject == subject)
    #expect(!failure.message.contains("secret"))
  }

  @Test func options() throws {
    let job = try #require(
      try Self.jobs(
        "-o", "s3://bucket/k", "--storage-class", "standard_ia", "--sse", "aws:kms/alias/x", "--acl", "Private",
        "--meta",
        "A=b", "--meta", "a=c", "--tag", "x=y", "--tag", "z=", "--upload-memory", "64M", "--aws-region", "eu-west-1",
        "--endpoint-url", "http://127.0.0.1:9000"
      ).first)
    let object = job.objectOptions
    #expect(object.storageClass == "STANDARD_IA" && object.cannedACL == "private")
    #expect(object.encryption == .kms(key: "alias/x"))
    #expect(object.metadata == [ObjectProperty(name: "a", value: "c")])
    #expect(object.tags?.map(\.text) == ["x=y", "z="])
    #expect(object.uploadMemory == 64 << 20)
    #expect(object.access?.signature.region == "eu-west-1")
    #expect(object.access?.signature.endpoint?.string == "http://127.0.0.1:9000/")
    #expect(job.request.signature == nil && job.request.credentials == nil)
  }

  @Test("of a source and a target that are both s3, the options are for both")
  func both() throws {
    let arguments = ["-o", "s3://bucket/k", "--endpoint-url", "http://h:1", "--no-sign-request", "s3://source/k"]
    let job = try #require(try specifications(arguments, .fixed(environment: Self.keys)).first)
    #expect(job.request.signature?.endpoint == job.place.access?.signature.endpoint)
    // Only the source is public.
    #expect(job.request.credentials == nil && job.place.access?.credentials?.user == "KEY")
  }

  @Test("a file has no access to object stores")
  func files() throws {
    let job = try #require(try Self.jobs("--endpoint-url", "http://h:1").first)
    #expect(job.options.object == nil && job.place.access == nil)
  }

  @Test(
    arguments: [
      (["-o", "s3://bucket/k", "--temp-dir", "dir", "--xattr"], ["--temp-dir", "--xattr"]),
      (["-o", "s3://bucket/k", "--part-name", "visible"], ["--part-name"]), (["--meta", "a=b"], ["--meta"]),
      (["--storage-class", "x", "--tag", "a=b"], ["--storage-class", "--tag"]),
      (["-o", "s3://bucket/k", "--no-mtime"], []),
    ] as [([String], [String])])
  func ignored(_ arguments: [String], _ options: [String]) throws {
    let list = try specificationList(arguments + [Self.url], .fixed(environment: Self.keys))
    #expect(list.remarks.map { $0.split(separator: " ").first.map(String.init) } == options)
  }

  @Test func adoptingAFile() throws {
    let failure = try #require(refusal(["-o", "s3://bucket/k", "--adopt", "file", Self.url]))
    #expect(failure.kind == .usage)
    // There is no file of that name to take over.
    #expect(try Self.jobs("-o", "s3://bucket/k", "--adopt-target").first?.options.adopts == nil)
  }

  @Test func lists() throws {
    let list = """
      \(Self.url)
        dir=s3://bucket/p/
        out=a/x
        storage-class=GLACIER
      https://h.example/g.bin
        dir=/srv
      """
    let arguments = ["-d", "s3://bucket/all", "-i", "list"]
    let jobs = try specifications(arguments, .fixed(environment: Self.keys, files: ["/base/list": list]))
    #expect(jobs.map(\.directory) == ["s3://bucket/p/a", "/srv"])
    #expect(jobs[0].output == "x" && jobs[0].foreignDepth == 1 && jobs[0].objectOptions.storageClass == "GLACIER")
    #expect(jobs[0].place.access?.credentials?.user == "KEY" && jobs[1].place.access == nil)
  }

  @Test(arguments: ["out=s3://bucket/k", "dir=s3://bucket//p", "dir=s3://bucket\n  out=../k", "dir=gs://bucket"])
  func badLines(_ line: String) {
    let list = "\(Self.url)\n  \(line)\n"
    #expect(refusal(["-i", "list"], .fixed(environment: Self.keys, files: ["/base/list": list]))?.kind == .usage)
  }

  @Test("a profile of the target alone replaces the general variables")
  func profiles() throws {
    var objects = try ObjectArguments.parse([])
    let schemes = try SchemeArguments.parse(["--aws-region", "eu-west-1"])
    let general = ObjectAccessFinder(objects, schemes, trust: nil, environment: Self.keys)
    #expect(try general.access().signature.region == "eu-west-1")
    #expect(general.isNamed && !general.isOwn)
    objects.targetProfile = "missing"
    let own = ObjectAccessFinder(objects, schemes, trust: nil, environment: Self.keys)
    #expect(own.isOwn)
    #expect(throws: Failure.self) { try own.access() }
  }

  @Test(arguments: [
    ("storage-class=X", "storage-class"), ("dir=s3://bucket/q", "dir"), ("out=s3://bucket/q/n", "out"),
  ])
  func setOfAQueuedJob(_ text: String, _ name: String) throws {
    var specification = try #require(try Self.jobs("-o", "s3://bucket/p/k").first)
    specification.after = []
    let job = Job(id: 1, uuid: UUID(), specification: specification, addedAt: 0)
    let value = String(text.drop { $0 != "=" }.dropFirst())
    let change = try JobEditing.change(
      job, [GivenSetting(name: name, values: [value])], prerequisites: [], .fixed(environment: Self.keys))
    switch name {
    case "dir": #expect(change.specification.directory == "s3://bucket/q" && change.specification.output == "k")
    case "out": #expect(change.specification.directory == "s3://bucket/q" && change.specification.output == "n")
    default: #expect(change.specification.objectOptions.storageClass == "X")
    }
    #expect(change.specification.place.access == specification.place.access)
  }
}
