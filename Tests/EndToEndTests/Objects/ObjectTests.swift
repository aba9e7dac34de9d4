// Files straight into a bucket, with a server that follows the rules: the same promises as for files on a disk.

import FaultServer
import Foundation
import Testing

@Suite("Objects")
struct ObjectTests {
  @Test("a file goes there in parts, each with a checksum, and nothing stays on the disk")
  func parts() async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(ObjectCase.v1)
      let get = ["get", "-x", "1", "-o", "s3://bucket/a/f", sandbox.server.url("/f")]
      let first = try await sandbox.dray(get)
      expect(first, exits: 0)
      bucket.expectObjects(["a/f": ObjectCase.v1.content], first)
      sandbox.expectNoFiles(first)
      let parts = bucket.calls(.part)
      #expect(parts.map(\.size).sorted() == [4 << 20, 8 << 20, 8 << 20], "\(parts)")
      for part in parts {
        #expect(part.fields.keys.contains { $0.hasPrefix("x-amz-checksum-crc") }, "\(part.fields)")
      }
      #expect(bucket.calls(.complete).first?.fields["if-none-match"] == "*")
      let job = try await sandbox.onlyJob()
      #expect(job.state == "complete" && job.target == "s3://bucket/a/f" && job.partFile == nil)
      #expect(sandbox.server.bytesSent("/f") == ObjectCase.size)

      // The same again transfers nothing, to either side.
      expect(try await sandbox.dray(get), exits: 0, saying: "already complete")
      #expect(sandbox.server.bytesSent("/f") == ObjectCase.size && bucket.calls(.part).count == 3)
      // An object that has gone is fetched again.
      bucket.remove("a/f")
      expect(try await sandbox.dray(get), exits: 0)
      bucket.expectObjects(["a/f": ObjectCase.v1.content])
    }
  }

  @Test("a file below one part is one request", arguments: [5000, 1, 0] as [Int64])
  func small(_ size: Int64) async throws {
    try await ObjectCase.use { sandbox, bucket in
      let version = Version.named("small", size: size)
      sandbox.server["/f"] = .init(version)
      let finished = try await sandbox.dray(["get", "-o", "s3://bucket/f", sandbox.server.url("/f")])
      expect(finished, exits: 0)
      bucket.expectObjects(["f": version.content], finished)
      #expect(bucket.calls(.put).count == 1 && bucket.calls(.create).isEmpty)
      #expect(bucket.calls(.put).first?.fields["if-none-match"] == "*")
      sandbox.expectNoFiles(finished)
    }
  }

  @Test("a prefix is a directory: add and run, many files, the server's names")
  func prefix() async throws {
    try await ObjectCase.use { sandbox, bucket in
      var wanted: [String: Content] = [:]
      for number in 0..<12 {
        let version = Version.named("small \(number)", size: 3000 + Int64(number))
        sandbox.server["/n\(number)"] = .init(version)
        wanted["dir/sub/n\(number)"] = version.content
      }
      sandbox.server.update("/n1") { $0.disposition = "attachment; filename=\"named one.txt\"" }
      wanted["dir/sub/named one.txt"] = wanted.removeValue(forKey: "dir/sub/n1")
      let add = ["add", "-d", "s3://bucket/dir/sub/"] + (0..<12).map { sandbox.server.url("/n\($0)") }
      expect(try await sandbox.dray(add), exits: 0)
      let run = try await sandbox.dray(["run", "--progress", "json"])
      expect(run, exits: 0)
      bucket.expectObjects(wanted, run)
      let targets = try await sandbox.jobs().compactMap(\.target)
      #expect(Set(targets) == Set(wanted.keys.map { "s3://bucket/" + $0 }))
      sandbox.expectNoFiles()
    }
  }

  @Test("a file of unknown length", arguments: [ObjectCase.size, 5000])
  func unknownLength(_ size: Int64) async throws {
    try await ObjectCase.use { sandbox, bucket in
      let version = Version.named("v1", size: size)
      sandbox.server["/f"] = .init(version, script: [Answer { $0.framing = .chunked(.init()) }])
      let finished = try await sandbox.dray(["get", "-o", "s3://bucket/f", sandbox.server.url("/f")])
      expect(finished, exits: 0)
      bucket.expectObjects(["f": version.content], finished)
    }
  }

  @Test("several connections bring different parts, each part once")
  func connections() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let version = Version.named("v1", size: 50 << 20)
      sandbox.server["/f"] = .init(version, script: [Answer { $0.rate = 12 << 20 }])
      let get = ["get", "-x", "3", "-o", "s3://bucket/f", sandbox.server.url("/f")]
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      bucket.expectObjects(["f": version.content], finished)
      #expect(sandbox.server.requests("/f").count > 1, "one connection only")
      #expect(Set(bucket.calls(.part).map(\.number)).count == bucket.calls(.part).count, "\(bucket.calls)")
    }
  }

  // MARK: Stopped and continued

  @Test(
    "stopped half-way and continued: confirmed parts are neither fetched nor sent again",
    arguments: [Stop.interrupt, .kill])
  func continued(_ stop: Stop) async throws {
    try await ObjectCase.use { sandbox, bucket in
      let get = ObjectCase.get(sandbox)
      try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: stop)
      let job = try await sandbox.onlyJob()
      #expect(job.state == "interrupted" && job.received >= ObjectCase.part)
      let kept = try await sandbox.recorded()
      let before = bucket.calls.count
      let again = try await sandbox.dray(stop == .kill ? ["run"] : get)
      expect(again, exits: 0)
      bucket.expectObjects(["f": ObjectCase.v1.content], again)
      let later = bucket.calls.dropFirst(before)
      #expect(later.contains { $0.operation == .parts }, "the bucket was not asked: \(later)")
      #expect(!later.contains { $0.operation == .create }, "another upload was started: \(later)")
      let sent = later.reduce(0) { $0 + ($1.operation == .part ? Int64($1.size) : 0) }
      #expect(sent <= ObjectCase.size - kept, "\(sent) bytes sent again, \(kept) were kept")
      for request in sandbox.server.requests("/f").dropFirst() {
        let start = request["Range"].flatMap { Int64($0.dropFirst(6).prefix { $0.isNumber }) } ?? 0
        #expect(start >= kept - Joint.overlap, "\(request["Range"] ?? "everything"), with \(kept) kept")
      }
      sandbox.expectNoFiles(again)
    }
  }

  @Test("paused, resumed with a new link, and removed: the upload goes with its job")
  func commands() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let get = ObjectCase.get(sandbox)
      try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: .interrupt)
      sandbox.server["/g"] = .init(ObjectCase.v1)
      expect(try await sandbox.dray(["list", "--parts"]), exits: 0)
      expect(try await sandbox.dray(["set-url", "1", sandbox.server.url("/g")]), exits: 0)
      expect(try await sandbox.dray(["run"]), exits: 0)
      bucket.expectObjects(["f": ObjectCase.v1.content])

      let other = ["get", "-x", "1", "-o", "s3://bucket/g", sandbox.server.url("/f")] + ObjectCase.quick
      sandbox.server["/f"] = .init(ObjectCase.v1, script: [.cut(after: ObjectCase.half), .status(403)])
      expect(try await sandbox.dray(other), exits: 6)
      #expect(Array(bucket.uploads.values) == ["g"])
      expect(try await sandbox.dray(["remove", "2"]), exits: 0)
      #expect(bucket.uploads.isEmpty, "\(bucket.calls)")
      #expect(bucket.keys == ["f"])
    }
  }

  @Test("a new version of the source: the old upload is aborted, and the object is the new version")
  func newVersion() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let get = ObjectCase.get(sandbox)
      try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: .kill)
      sandbox.server["/f"] = .init(ObjectCase.v2)
      let again = try await sandbox.dray(get)
      expect(again, exits: 0)
      bucket.expectObjects(["f": ObjectCase.v2.content], again)
      #expect(bucket.calls(.abort).count == 1)
      let said = again.text.lowercased()
      #expect(said.contains("changed") || said.contains("start"), "it does not say why: \(again)")
    }
  }

  @Test("an upload that the bucket has forgotten: from the start, and said so")
  func forgotten() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let get = ObjectCase.get(sandbox)
      try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: .kill)
      bucket.forgetUploads()
      let again = try await sandbox.dray(get)
      expect(again, exits: 0, saying: "upload")
      bucket.expectObjects(["f": ObjectCase.v1.content], again)
    }
  }

  // MARK: Others

  @Test("clean and remove leave the uploads of others, also those to the same key")
  func othersUploads() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let others = Set([bucket.startUpload("f"), bucket.startUpload("dir/other")])
      let get = ObjectCase.get(sandbox)
      try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: .kill)
      #expect(bucket.uploads.count == 3)
      // The job is unfinished: its upload stays, too.
      expect(try await sandbox.dray(["clean"]), exits: 0)
      #expect(bucket.uploads.count == 3)
      expect(try await sandbox.dray(["clean", "s3://bucket/"]), exits: 0)
      #expect(bucket.uploads.count == 3)
      expect(try await sandbox.dray(["remove", "1"]), exits: 0)
      expect(try await sandbox.dray(["clean", "s3://bucket/"]), exits: 0)
      #expect(Set(bucket.uploads.keys) == others, "\(bucket.calls)")
    }
  }

  struct Conflict: Sendable, CustomTestStringConvertible {
    let policy: String
    let exits: Int32
    /// Whether the other object stays at its key.
    let stays: Bool
    var testDescription: String { policy }
  }

  @Test(
    "an object that is there already, by --on-conflict",
    arguments: [
      Conflict(policy: "fail", exits: 3, stays: true), Conflict(policy: "skip", exits: 0, stays: true),
      Conflict(policy: "overwrite", exits: 0, stays: false), Conflict(policy: "rename", exits: 0, stays: true),
    ], [ObjectCase.small, ObjectCase.v1])
  func conflicts(_ conflict: Conflict, _ version: Version) async throws {
    try await ObjectCase.use { sandbox, bucket in
      let old = Content.generated(seed: 99, size: 777)
      bucket.put("f", old)
      sandbox.server["/f"] = .init(version)
      let get = ["get", "--on-conflict", conflict.policy, "-o", "s3://bucket/f", sandbox.server.url("/f")]
      let finished = try await sandbox.dray(get)
      expect(finished, exits: conflict.exits)
      switch conflict.policy {
      case "rename":
        #expect(bucket.has("f", old) && bucket.has("f.1", version.content), "\(bucket.keys) \(finished)")
      default:
        bucket.expectObjects(["f": conflict.stays ? old : version.content], finished)
      }
      #expect(bucket.uploads.isEmpty)
    }
  }

  @Test("a name that is taken during the upload: with rename, the file is uploaded again under a free one")
  func takenMeanwhile() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let old = Content.generated(seed: 99, size: 777)
      let get = ObjectCase.get(sandbox, ["--on-conflict", "rename"])
      try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: .kill)
      bucket.put("f", old)
      sandbox.server["/f"] = .init(ObjectCase.v1)
      let again = try await sandbox.dray(get)
      expect(again, exits: 0, saying: "under which its upload began")
      bucket.expectObjects(["f": old, "f.1": ObjectCase.v1.content], again)
      #expect(bucket.uploads.isEmpty, "\(bucket.calls)")
    }
  }

  @Test("a bucket that answers only after the whole file has come: the upload still begins under a free name")
  func slowBucket() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let old = Content.generated(seed: 99, size: 777)
      bucket.put("f", old)
      sandbox.server["/f"] = .init(ObjectCase.v1)
      let gate = Gate()
      bucket.lie(.hold(gate), to: .head, after: 1)
      let program = try sandbox.start(
        ["get", "--on-conflict", "rename", "-o", "s3://bucket/f", sandbox.server.url("/f")])
      try await program.wait(for: "the whole file", seconds: 60, every: 0.05) {
        sandbox.server.bytesSent("/f") == ObjectCase.v1.content.size
      }
      gate.open()
      let finished = try await program.finish()
      expect(finished, exits: 0)
      bucket.expectObjects(["f": old, "f.1": ObjectCase.v1.content], finished)
      #expect(bucket.uploads.isEmpty, "\(bucket.calls)")
      #expect(sandbox.server.bytesSent("/f") == ObjectCase.v1.content.size)
    }
  }

  @Test("--if-changed compares with what is written into the object")
  func ifChanged() async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(ObjectCase.small)
      let get = ["get", "--if-changed", "-o", "s3://bucket/f", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      expect(try await sandbox.dray(["clean"]), exits: 0)
      let sent = sandbox.server.bytesSent("/f")
      expect(try await sandbox.dray(get), exits: 0, saying: "up to date")
      #expect(sandbox.server.bytesSent("/f") == sent)
      let new = Version.named("other", size: 6000)
      sandbox.server["/f"] = .init(new)
      expect(try await sandbox.dray(get), exits: 0)
      bucket.expectObjects(["f": new.content])
    }
  }

  @Test(
    "verify finds a changed object, and a digest that is given decides before publishing",
    arguments: [ObjectCase.small, ObjectCase.v1])
  func verify(_ version: Version) async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(version)
      let right = ["--checksum", "sha-256=" + Sandbox.sha256(version.content)]
      let wrong = ["--checksum", "sha-256=" + String(repeating: "ab", count: 32)]
      let url = sandbox.server.url("/f")
      let refused = try await sandbox.dray(["get", "-o", "s3://bucket/wrong", url] + wrong)
      expect(refused, exits: 9)
      bucket.expectObjects([:], refused)
      let got = try await sandbox.dray(["get", "-x", "4", "-o", "s3://bucket/f", url] + right)
      expect(got, exits: 0)
      bucket.expectObjects(["f": version.content], got)
      expect(try await sandbox.dray(["verify", "2"]), exits: 0)
      bucket.put("f", .generated(seed: 5, size: version.content.size))
      expect(try await sandbox.dray(["verify", "2"]), exits: 9)
      bucket.remove("f")
      #expect(try await sandbox.dray(["verify", "2"]).status != 0)
    }
  }

  @Test("metadata says where it came from, without secrets")
  func metadata() async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(ObjectCase.v1)
      sandbox.server.update("/f") {
        $0.credentials = "ann:geheim"
        $0.contentType = "text/x-special"
      }
      let url = sandbox.server.url("/f?token=t0ken&a=b").replacingOccurrences(of: "://", with: "://ann:geheim@")
      let options = ["--meta", "owner=ann", "--storage-class", "STANDARD_IA", "--tag", "kind=test"]
      let finished = try await sandbox.dray(["get", "-o", "s3://bucket/f", url] + options)
      expect(finished, exits: 0)
      let object = try #require(bucket.object("f"))
      #expect(object.fields["content-type"] == "text/x-special")
      #expect(object.fields["x-amz-meta-owner"] == "ann")
      #expect(object.fields["x-amz-storage-class"] == "STANDARD_IA")
      #expect(object.fields["x-amz-meta-dray-source"]?.contains("127.0.0.1") == true, "\(object.fields)")
      #expect(object.fields["x-amz-meta-dray-etag"]?.contains("v1") == true, "\(object.fields)")
      for secret in ["geheim", "t0ken", bucket.place.secret] {
        #expect(!object.fields.values.contains { $0.contains(secret) }, "\(object.fields)")
        #expect(!finished.text.contains(secret), "\(finished)")
        #expect(!bucket.calls.contains { $0.fields.values.contains { $0.contains(secret) } })
      }
    }
  }
}
