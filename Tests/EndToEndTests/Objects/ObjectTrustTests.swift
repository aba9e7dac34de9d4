// Buckets behind TLS, with an authority that the system does not know: variables, profiles and options name it.

import FaultServer
import Foundation
import Testing

/// A way to trust a bucket's certificate, and the result. `CA` in texts is the authority's certificate.
struct TrustCase: Sendable, CustomTestStringConvertible {
  let name: String
  var arguments: [String] = []
  var variables: [String: String] = [:]
  /// The profile `default` of `~/.aws/config`.
  var profile: String?
  var exit: Int32 = 0
  /// A word that a failure says.
  var says: String?

  var testDescription: String { name }

  static let targets: [TrustCase] = [
    TrustCase(name: "nothing", exit: 5, says: "--cacert"),
    TrustCase(name: "--cacert", arguments: ["--cacert", "CA"]),
    TrustCase(name: "-k", arguments: ["-k"]),
    TrustCase(name: "AWS_CA_BUNDLE", variables: ["AWS_CA_BUNDLE": "CA"]),
    TrustCase(name: "ca_bundle", profile: "ca_bundle = CA"),
    TrustCase(
      name: "AWS_CA_BUNDLE before ca_bundle", variables: ["AWS_CA_BUNDLE": "CA"], profile: "ca_bundle = /none.pem"),
    TrustCase(
      name: "AWS_CA_BUNDLE before the options", arguments: ["--cacert", "CA", "-k"],
      variables: ["AWS_CA_BUNDLE": "/none.pem"], exit: 5, says: "AWS_CA_BUNDLE"),
  ]

  static let sources: [TrustCase] = [
    TrustCase(name: "nothing", exit: 5, says: "--cacert"),
    TrustCase(name: "AWS_CA_BUNDLE", variables: ["AWS_CA_BUNDLE": "CA"]),
    TrustCase(name: "ca_bundle", profile: "ca_bundle = CA"),
    TrustCase(name: "--cacert first", arguments: ["--cacert", "CA"], variables: ["AWS_CA_BUNDLE": "/none.pem"]),
  ]

  /// Runs `dray get` to its end.
  func get(_ arguments: [String], in sandbox: Sandbox, _ bucket: FaultBucket, _ front: TLSFront) async throws
    -> Finished
  {
    func named(_ text: String) -> String { text.replacingOccurrences(of: "CA", with: front.authority) }
    if let profile {
      let directory = sandbox.root + "/user/.aws"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try Data("[default]\n\(named(profile))\n".utf8).write(to: URL(fileURLWithPath: directory + "/config"))
    }
    let given = self.arguments.map(named)
    return try await sandbox.start(["get", "--retries", "0"] + given + arguments) {
      $0.environment.merge(bucket.place.variables) { $1 }
      $0.environment["AWS_ENDPOINT_URL_S3"] = "https://" + front.host
      for (name, value) in variables { $0.environment[name] = named(value) }
    }.finish()
  }
}

@Suite("Trust of buckets")
struct ObjectTrustTests {
  private static func use(_ body: (Sandbox, FaultBucket, TLSFront) async throws -> Void) async throws {
    try await ObjectCase.use { sandbox, bucket in
      let front = try await TLSFront(in: sandbox, .init(certificate: .good, notice: true), server: bucket.port)
      try await body(sandbox, bucket, front)
    }
  }

  @Test(
    "a target's certificate is checked as the environment, the profile or the options say", arguments: TrustCase.targets
  )
  func targets(_ way: TrustCase) async throws {
    try await Self.use { sandbox, bucket, front in
      sandbox.server["/f"] = .init(ObjectCase.small)
      let finished = try await way.get(["-o", "s3://bucket/f", sandbox.server.url("/f")], in: sandbox, bucket, front)
      expect(finished, exits: way.exit, saying: way.says)
      if way.exit == 5 {
        #expect(finished.errors.contains("s3://bucket/f: the object store \(front.host): "), "\(finished)")
      }
      bucket.expectObjects(way.exit == 0 ? ["f": ObjectCase.small.content] : [:], finished)
      // A connection without a checked certificate is not trusted, so the signature covers the body.
      let signed = bucket.calls(.put).first?.fields["x-amz-content-sha256"]
      if way.exit == 0 { #expect((signed == "UNSIGNED-PAYLOAD") == (way.name != "-k"), "\(signed ?? "")") }
    }
  }

  @Test("a source's certificate, too, where an option names no file", arguments: TrustCase.sources)
  func sources(_ way: TrustCase) async throws {
    try await Self.use { sandbox, bucket, front in
      bucket.put("src", ObjectCase.small.content)
      let finished = try await way.get(["-o", "f", "s3://bucket/src"], in: sandbox, bucket, front)
      expect(finished, exits: way.exit, saying: way.says)
      if way.exit == 0 { sandbox.expectFiles(["f": ObjectCase.small.content], finished) }
    }
  }

  @Test("another run, and the end of an upload, have the trust of the job", arguments: ["run", "remove"])
  func laterCommands(_ command: String) async throws {
    try await Self.use { sandbox, bucket, front in
      let get = [
        "get", "-x", "1", "--cacert", front.authority, "--endpoint-url", "https://" + front.host, "-o", "s3://bucket/f",
        sandbox.server.url("/f"),
      ]
      try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: .interrupt)
      #expect(bucket.uploads.count == 1)
      let finished = try await sandbox.dray(command == "run" ? ["run"] : ["remove", "1"])
      expect(finished, exits: 0)
      bucket.expectObjects(command == "run" ? ["f": ObjectCase.v1.content] : [:], finished)
    }
  }
}
