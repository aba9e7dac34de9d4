// Which certificates the requests to the bucket of a target trust: options, variables, and changes of a job.

import DrayKit
import FoundationEssentials
import Testing

@testable import DrayCommands

@Suite("Trust of targets in object stores")
struct ObjectTrustTests {
  private static let url = "https://h.example/f"

  private static func job(
    _ arguments: [String], _ variables: [String: String] = [:], hosts: HostRules = HostRules(),
    target: [String] = ["-o", "s3://bucket/k"]
  ) throws -> JobSpecification {
    var context = CommandContext()
    context.hosts = hosts
    let surroundings = Surroundings.fixed(environment: ObjectTargetTests.keys.merging(variables) { $1 })
    return try CommandContext.$current.withValue(context) {
      try #require(try specifications(target + arguments + [url], surroundings).first)
    }
  }

  @Test(
    "without a file of the environment the options are for the bucket as well",
    arguments: [
      ([], [:], nil, false), (["--cacert", "ca.pem"], [:], "/base/ca.pem", false), (["-k"], [:], nil, true),
      ([], ["AWS_CA_BUNDLE": "/e.pem"], "/e.pem", false),
      (["--cacert", "ca.pem", "-k"], ["AWS_CA_BUNDLE": "/e.pem"], "/e.pem", false),
      (["--cacert", "ca.pem", "-k"], ["AWS_CA_BUNDLE": ""], "/base/ca.pem", true),
    ] as [([String], [String: String], String?, Bool)])
  func decision(arguments: [String], variables: [String: String], file: String?, isUnchecked: Bool) throws {
    let job = try Self.job(arguments, variables)
    #expect(job.place.access?.signature.targetTrust == ServerTrust(caFile: file, isInsecure: isUnchecked))
    // The source is not Amazon's.
    #expect(job.request.caFile == (arguments.contains("--cacert") ? "/base/ca.pem" : nil))
    #expect(job.request.isInsecure == arguments.contains("-k") && job.request.signature == nil)
  }

  @Test("a profile of the target alone replaces AWS_CA_BUNDLE, and not the options")
  func ownProfile() throws {
    let files = FileManager.default.temporaryDirectory.appendingPathComponent("aws-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: files) }
    let keys = "aws_access_key_id=K\naws_secret_access_key=S\n"
    try Data("[profile plain]\n\(keys)[profile own]\n\(keys)ca_bundle=/p.pem\n".utf8).write(to: files)
    let variables = ["AWS_CA_BUNDLE": "/e.pem", "AWS_CONFIG_FILE": files.path]
    let rows: [(arguments: [String], trust: ServerTrust?)] = [
      (["--target-profile", "own", "-k"], ServerTrust(caFile: "/p.pem")), (["--target-profile", "plain"], nil),
      (["--target-profile", "plain", "--cacert", "ca.pem"], ServerTrust(caFile: "/base/ca.pem")),
    ]
    for row in rows {
      let job = try Self.job(row.arguments, variables)
      #expect(job.place.access?.signature.targetTrust == row.trust, "\(row.arguments)")
    }
    // The access that replaces the profile's has the trust that the options gave.
    let job = try Self.job(["--target-profile", "plain", "--cacert", "ca.pem"], variables)
    let trust = try Self.changed(job, [("target-profile", nil)]).place.access?.signature.targetTrust
    #expect(trust == ServerTrust(caFile: "/base/ca.pem"))
  }

  @Test("what a section of the configuration says of the source's host is not for the bucket")
  func hosts() throws {
    var settings = HostSettings()
    settings["insecure"] = "yes"
    let hosts = HostRules([HostRules.Rule(try HostPattern.parse("h.example"), settings)])
    let job = try Self.job([], hosts: hosts)
    #expect(job.request.isInsecure && job.place.access?.signature.targetTrust == nil)
  }

  @Test(
    "set changes the bucket's trust with the job's",
    arguments: [
      (["--cacert", "ca.pem"], ["insecure": "yes"], "/base/ca.pem", true),
      ([], ["cacert": "ca.pem"], "/base/ca.pem", false),
      (["-k"], ["insecure": "no"], nil, false), (["-k"], ["storage-class": "X"], nil, true),
      (["--cacert", "ca.pem"], ["aws-region": "eu-west-1"], "/base/ca.pem", false),
      (["-k"], ["aws-region": "eu-west-1", "cacert": "file"], "/base/file", true),
    ] as [([String], [String: String], String?, Bool)])
  func set(arguments: [String], changes: [String: String], file: String?, isUnchecked: Bool) throws {
    let changed = try Self.changed(try Self.job(arguments), changes.map { ($0.key, $0.value) })
    #expect(changed.place.access?.signature.targetTrust == ServerTrust(caFile: file, isInsecure: isUnchecked))
    if changes["aws-region"] != nil { #expect(changed.place.access?.signature.region == "eu-west-1") }
  }

  @Test("a job that moves into a bucket takes its trust along")
  func moves() throws {
    let file = try Self.job(["--cacert", "ca.pem", "-k"], target: ["-d", "dir"])
    #expect(file.options.object == nil)
    let all: [[(name: String, value: String?)]] = [
      [("dir", "s3://bucket/q")], [("dir", "s3://bucket/q"), ("aws-region", "eu-west-1")],
    ]
    for changes in all {
      let trust = try Self.changed(file, changes).place.access?.signature.targetTrust
      #expect(trust == ServerTrust(caFile: "/base/ca.pem", isInsecure: true), "\(changes)")
    }
  }

  /// Changes settings of a job; `nil` removes one.
  private static func changed(
    _ specification: JobSpecification, _ changes: [(name: String, value: String?)]
  ) throws -> JobSpecification {
    let job = Job(id: 1, uuid: UUID(), specification: specification, addedAt: 0)
    let given = changes.map { GivenSetting(name: $0.name, values: $0.value.map { [$0] } ?? []) }
    return try JobEditing.change(
      job, given, prerequisites: [], .fixed(environment: ObjectTargetTests.keys)
    ).specification
  }
}
