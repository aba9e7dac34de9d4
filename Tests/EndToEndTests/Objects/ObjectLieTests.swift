// Files straight into a bucket that breaks S3's promises. With any lie, exit 0 means that the object is the source's
// file, and in the end no upload of the program is left.

import FaultServer
import Foundation
import Testing

/// A lie and its consequences.
struct LieCase: Sendable, CustomTestStringConvertible {
  /// One planned lie.
  struct Told: Sendable {
    let lie: FaultBucket.Lie
    let operation: FaultBucket.Operation
    var after = 0
    var times = 1
  }

  let name: String
  var version = ObjectCase.v1
  var told: [Told]
  /// The allowed exit statuses of the first run, in which the lies are told.
  var exits: Set<Int32> = [0]
  /// A word that the first run must say.
  var says: String?
  /// Whether an object that does not agree stays as the bucket has it.
  var keepsOther = false

  var testDescription: String { name }

  init(
    _ name: String, _ lie: FaultBucket.Lie, to operation: FaultBucket.Operation, after: Int = 0, times: Int = 1,
    version: Version = ObjectCase.v1, exits: Set<Int32> = [0], says: String? = nil, keepsOther: Bool = false
  ) {
    self.name = name
    self.version = version
    told = [Told(lie: lie, operation: operation, after: after, times: times)]
    (self.exits, self.says, self.keepsOther) = (exits, says, keepsOther)
  }

  /// Lies that pass: the first run must overcome them.
  static let passing: [LieCase] = [
    LieCase("500 after a part was stored", .errorAfter, to: .part, after: 1),
    LieCase("500 after each part was stored once", .errorAfter, to: .part, times: 3),
    LieCase("a part's answer is lost", .lose, to: .part, after: 1),
    LieCase("a part is lost on its way", .drop, to: .part),
    LieCase("SlowDown for parts", .slowDown, to: .part, times: 4),
    LieCase("SlowDown for the beginning", .slowDown, to: .create, times: 2),
    LieCase("SlowDown for the end", .slowDown, to: .complete, times: 2),
    LieCase("a part is stored with a wrong bit, and its ETag and checksum do not fit", .damage, to: .part, after: 1),
    LieCase("the answer to the beginning is lost", .lose, to: .create),
    LieCase(
      "Complete answers 200 with an error, and did nothing", .errorInside(code: "InternalError", isDone: false),
      to: .complete),
    LieCase(
      "Complete answers 200 with an error, and did it", .errorInside(code: "InternalError", isDone: true), to: .complete
    ),
    LieCase("Complete is lost on its way", .drop, to: .complete),
    LieCase("the answer to Complete is lost", .lose, to: .complete),
    LieCase("500 after Complete was done", .errorAfter, to: .complete),
    LieCase("the answer to PutObject is lost", .lose, to: .put, version: ObjectCase.small),
    LieCase("500 after PutObject was done", .errorAfter, to: .put, version: ObjectCase.small),
    LieCase("SlowDown for PutObject", .slowDown, to: .put, times: 2, version: ObjectCase.small),
    LieCase(
      "Complete refuses the parts", .refuse(status: 400, code: "InvalidPart"), to: .complete, says: "as it was sent"),
    LieCase("HeadObject fails once after the end", .refuse(status: 500, code: "InternalError"), to: .head, after: 1),
  ]

  /// Lies after which the first run may give up. It must say why, and the next run ends well.
  static let stopping: [LieCase] = [
    LieCase("a part's answer names another ETag", .wrongETag, to: .part, after: 1, exits: [0, 4, 7, 8, 9]),
    LieCase("a part's answer names another checksum", .wrongChecksum, to: .part, after: 1, exits: [0, 4, 7, 8, 9]),
    LieCase(
      "the upload is aborted behind its back, before a part", .abortFirst, to: .part, after: 1, exits: [0, 3, 4, 7, 8]),
    LieCase(
      "the upload is aborted behind its back, before the end", .abortFirst, to: .complete, exits: [0, 3, 4, 7, 8]),
    LieCase("the clocks differ", .skewed, to: .part, times: 1000, exits: [4, 6, 7, 8], says: "clock"),
    LieCase(
      "the clocks differ from the first request on", .skewed, to: .create, times: 1000, exits: [4, 6, 7, 8],
      says: "clock"),
    LieCase(
      "access is denied in mid-upload", .refuse(status: 403, code: "AccessDenied"), to: .part, after: 1, times: 1000,
      exits: [6]),
    LieCase(
      "there is no such bucket", .refuse(status: 404, code: "NoSuchBucket"), to: .create, times: 1000,
      exits: [2, 3, 8], says: "bucket"),
    LieCase("the bucket is busy for longer than anyone waits", .slowDown, to: .part, times: 1000, exits: [4, 8]),
    LieCase(
      "PutObject stores a wrong bit", .damage, to: .put, version: ObjectCase.small, exits: [0, 9], keepsOther: true),
    LieCase(
      "HeadObject names another ETag after the end", .wrongETag, to: .head, times: 1000, exits: [0, 9], keepsOther: true
    ),
  ]
}

@Suite("Objects in a bucket that lies")
struct ObjectLieTests {
  /// Fetches `/f` into the bucket, which is retried for `patience` seconds.
  private func get(_ sandbox: Sandbox, _ more: [String] = [], patience: Int = 30) async throws -> Finished {
    try await sandbox.start(["get", "-x", "1", "-o", "s3://bucket/f", sandbox.server.url("/f")] + more) {
      $0.environment.merge(["DRAY_S3_PATIENCE": "\(patience)", "DRAY_RETRIES": "2", "DRAY_RETRY_WAIT": "0.05"]) { $1 }
    }.finish()
  }

  @Test("lies that pass are overcome in one run", arguments: LieCase.passing)
  func passing(_ lie: LieCase) async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(lie.version)
      for told in lie.told { bucket.lie(told.lie, to: told.operation, after: told.after, times: told.times) }
      let finished = try await get(sandbox)
      expect(finished, exits: 0)
      if let word = lie.says { #expect(finished.text.contains(word), "\"\(word)\" in \(finished)") }
      #expect(bucket.untold == 0 || lie.told.first?.operation == .head, "nobody met the lie: \(bucket.calls)")
      // An upload whose id never arrived cannot be known: `clean` looks for it.
      expect(try await sandbox.dray(["clean"]), exits: 0)
      let isUnknown = lie.told.contains { $0.operation == .create }
      if isUnknown { bucket.forgetUploads() }
      bucket.expectObjects(["f": lie.version.content], finished)
    }
  }

  @Test("lies that do not pass end the run with a reason, and never make another object", arguments: LieCase.stopping)
  func stopping(_ lie: LieCase) async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(lie.version)
      for told in lie.told { bucket.lie(told.lie, to: told.operation, after: told.after, times: told.times) }
      let first = try await get(sandbox, patience: 3)
      #expect(first.status.map(lie.exits.contains) == true, "\(first)\n\(bucket.calls)")
      if let word = lie.says { #expect(first.text.localizedCaseInsensitiveContains(word), "\"\(word)\" in \(first)") }
      #expect(first.status == 0 || !first.errors.isEmpty)
      if first.status == 0 { #expect(bucket.has("f", lie.version.content), "\(first)") }
      if !lie.keepsOther { #expect(bucket.object("f") == nil || bucket.has("f", lie.version.content), "\(first)") }
      if lie.keepsOther, first.status == 9 {
        // The object is left as the bucket has it: another program may have made it.
        #expect(bucket.object("f") != nil, "\(first)")
        bucket.remove("f")
      }
      bucket.behave()
      var last = try await get(sandbox)
      if last.status != 0 { last = try await get(sandbox, ["--on-conflict", "overwrite"]) }
      expect(last, exits: 0)
      bucket.expectObjects(["f": lie.version.content], last)
    }
  }

  // MARK: Resumed against its word

  @Test("a page of parts is missing: what the bucket does not name is sent again")
  func missingPage() async throws {
    try await ObjectCase.use { sandbox, bucket in
      bucket.configure { $0.page = 1 }
      try await sandbox.uploadHalf(ObjectCase.get(sandbox), to: bucket, gate: Gate(), stop: .kill)
      bucket.lie(.skipPage, to: .parts)
      let again = try await sandbox.dray(ObjectCase.get(sandbox))
      expect(again, exits: 0)
      bucket.expectObjects(["f": ObjectCase.v1.content], again)
    }
  }

  @Test("pages of parts are all read")
  func pages() async throws {
    try await ObjectCase.use { sandbox, bucket in
      bucket.configure { $0.page = 1 }
      try await sandbox.uploadHalf(ObjectCase.get(sandbox), to: bucket, gate: Gate(), stop: .kill)
      let kept = try await sandbox.recorded()
      let before = bucket.calls.count
      let again = try await sandbox.dray(ObjectCase.get(sandbox))
      expect(again, exits: 0)
      bucket.expectObjects(["f": ObjectCase.v1.content], again)
      let later = bucket.calls.dropFirst(before)
      #expect(later.count { $0.operation == .parts } >= Int(kept / ObjectCase.part), "\(later)")
      let sent = later.reduce(0) { $0 + ($1.operation == .part ? Int64($1.size) : 0) }
      #expect(sent <= ObjectCase.size - kept, "\(later)")
    }
  }

  @Test("a list of 10,001 parts, most of them never sent, is no reason to believe them")
  func tooManyParts() async throws {
    try await ObjectCase.use { sandbox, bucket in
      try await sandbox.uploadHalf(ObjectCase.get(sandbox), to: bucket, gate: Gate(), stop: .kill)
      bucket.lie(.manyParts(10_001), to: .parts)
      let again = try await sandbox.dray(ObjectCase.get(sandbox))
      if again.status != 0 { expect(try await sandbox.dray(ObjectCase.get(sandbox)), exits: 0) }
      bucket.expectObjects(["f": ObjectCase.v1.content], again)
    }
  }

  // MARK: Keys, clients, conditions

  @Test("an expired token in mid-upload: the keys are read again")
  func expired() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let folder = "\(sandbox.root)/user/.aws"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let credentials = "[work]\naws_access_key_id = AKID\naws_secret_access_key = s\naws_session_token = NAME\n"
      func keep(_ name: String) throws {
        let text = credentials.replacingOccurrences(of: "AKID", with: name).replacingOccurrences(of: "NAME", with: name)
        try sandbox.write(text, to: "../user/.aws/credentials")
      }
      try keep("FIRST")
      bucket.configure { $0.keys = ["FIRST"] }
      let gate = Gate()
      let keys = ["--aws-profile", "work", "--endpoint-url", bucket.endpoint, "--aws-region", "us-east-1"]
      let program = try await sandbox.startHalf(ObjectCase.get(sandbox, keys), to: bucket, gate: gate)
      try keep("SECOND")
      bucket.configure { $0.keys = ["SECOND"] }
      gate.open()
      let finished = try await program.finish()
      expect(finished, exits: 0)
      bucket.expectObjects(["f": ObjectCase.v1.content], finished)
      #expect(Set(bucket.calls.compactMap(\.access)) == ["FIRST", "SECOND"])
    }
  }

  @Test("another client's object appears before the end: it is left", arguments: [ObjectCase.small, ObjectCase.v1])
  func stranger(_ version: Version) async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(version)
      let other = Content.generated(seed: 77, size: 4321)
      bucket.lie(.stranger(other), to: version.content.size > ObjectCase.part ? .complete : .put)
      let finished = try await get(sandbox)
      expect(finished, exits: 3)
      #expect(bucket.has("f", other), "\(finished)")
      expect(try await sandbox.dray(["remove", "--all"]), exits: 0)
      bucket.expectObjects(["f": other], finished)
    }
  }

  @Test(
    "a bucket without conditional requests: it is looked at before and after",
    arguments: [ObjectCase.small, ObjectCase.v1],
    [FaultBucket.Conditions.refused, .ignored])
  func conditions(_ version: Version, _ conditions: FaultBucket.Conditions) async throws {
    try await ObjectCase.use { sandbox, bucket in
      bucket.configure { $0.conditions = conditions }
      sandbox.server["/f"] = .init(version)
      let finished = try await get(sandbox)
      expect(finished, exits: 0)
      bucket.expectObjects(["f": version.content], finished)
      let end = bucket.calls.lastIndex { $0.status == 200 && ($0.operation == .complete || $0.operation == .put) }
      let heads = bucket.calls.indices.filter { bucket.calls[$0].operation == .head }
      let place = try #require(end)
      #expect(heads.contains { $0 < place } && heads.contains { $0 > place }, "\(bucket.calls)")

      let other = Content.generated(seed: 77, size: 4321)
      bucket.put("g", other)
      let taken = try await sandbox.dray("get", "-o", "s3://bucket/g", sandbox.server.url("/f"))
      expect(taken, exits: 3)
      bucket.expectObjects(["f": version.content, "g": other], taken)
    }
  }

  @Test(
    "a bucket with other checksums, or none besides MD5, that stores a wrong bit or does not",
    arguments: FaultBucket.Checksums.allCases, [true, false])
  func checksums(_ checksums: FaultBucket.Checksums, _ isDamaging: Bool) async throws {
    try await ObjectCase.use { sandbox, bucket in
      bucket.configure { $0.checksums = checksums }
      for version in [ObjectCase.v1, ObjectCase.small] {
        let key = "f-\(version.content.size)"
        sandbox.server["/f"] = .init(version)
        if isDamaging, version.content.size > ObjectCase.part { bucket.lie(.damage, to: .part, after: 1) }
        let finished = try await sandbox.dray(["get", "-o", "s3://bucket/\(key)", sandbox.server.url("/f")])
        expect(finished, exits: 0)
        #expect(bucket.has(key, version.content), "\(checksums): \(finished)\n\(bucket.calls)")
      }
      #expect(bucket.untold == 0 && bucket.uploads.isEmpty, "\(bucket.calls)")
    }
  }
}
