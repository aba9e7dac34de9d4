// Buckets whose server does not run, is busy or keeps silent: Ctrl-C ends the run, and messages name the server.

import FaultServer
import Foundation
import Testing

@Suite("Buckets that are away")
struct ObjectAwayTests {
  /// The fault of the bucket when the upload continues.
  enum Trouble: Sendable, CaseIterable {
    case ended, busy, silent
  }

  /// Gives the program a patience with busy servers that no test outlasts.
  private static func givePatience(_ launch: inout Launch) {
    launch.environment["DRAY_S3_PATIENCE"] = "6000"
  }

  @Test("Ctrl-C ends a run whose bucket does not answer, and says what is kept", arguments: Trouble.allCases)
  func interrupted(_ trouble: Trouble) async throws {
    try await ObjectCase.use { sandbox, bucket in
      let gate = Gate()
      defer { gate.open() }
      try await sandbox.uploadHalf(ObjectCase.get(sandbox), to: bucket, gate: Gate(), stop: .interrupt)
      switch trouble {
      case .ended: bucket.stop()
      case .busy: bucket.decide { _ in .slowDown }
      case .silent: bucket.decide { _ in .hold(gate) }
      }
      let run = try sandbox.start(["run"], Self.givePatience)
      try await run.wait(for: "the attempt", every: 0.1) { try await sandbox.onlyJob().state == "active" }
      run.send(SIGINT)
      expect(try await run.finish(), exits: 130, saying: "stopped: 16.0 of 20.0 MiB kept; `dray run` continues")
    }
  }

  /// Columns: the file, the request without an answer, and whether it is carried out.
  static let writes: [(Version, FaultBucket.Operation, Bool)] = [
    (ObjectCase.small, .put, true), (ObjectCase.v1, .complete, true), (ObjectCase.v1, .complete, false),
  ]

  @Test("Ctrl-C leaves a write without an answer to the next run, which finds out", arguments: writes)
  func unanswered(_ version: Version, _ operation: FaultBucket.Operation, _ isDone: Bool) async throws {
    try await ObjectCase.use { sandbox, bucket in
      let gate = Gate()
      defer { gate.open() }
      bucket.configure { ($0.hasOpaqueTags, $0.checksums) = (true, .none) }
      sandbox.server["/f"] = .init(version)
      bucket.lie(isDone ? .mute(gate) : .hold(gate), to: operation)
      let program = try sandbox.start(ObjectCase.get(sandbox, ["--on-conflict", "rename"]), Self.givePatience)
      try await program.wait(for: "the write", seconds: 120) { bucket.untold == 0 }
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
      bucket.behave()
      expect(try await sandbox.dray("run"), exits: 0)
      bucket.expectObjects(["f": version.content])
      #expect(bucket.calls(operation).count == 1)
    }
  }

  @Test("a job whose upload's server is gone is removed, and `clean` ends the upload later")
  func removed() async throws {
    try await ObjectCase.use { sandbox, bucket in
      try await sandbox.uploadHalf(ObjectCase.get(sandbox), to: bucket, gate: Gate(), stop: .interrupt)
      bucket.decide { _ in .refuse(status: 403, code: "AccessDenied") }
      expect(try await sandbox.dray("remove", "1"), exits: 0, saying: "`dray clean` tries it again")
      #expect(try await sandbox.jobs().isEmpty && bucket.uploads.count == 1)
      bucket.behave()
      expect(try await sandbox.dray("clean", "s3://bucket/"), exits: 0, saying: "1 upload aborted")
      #expect(bucket.uploads.isEmpty)
    }
  }

  @Test("a bucket's server that has ended is a failure of each try, and is named")
  func refused() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let get = ObjectCase.get(sandbox, ["--retries", "1"])
      try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: .interrupt)
      bucket.stop()
      let finished = try await sandbox.start(["run"], Self.givePatience).finish()
      let reason = "s3://bucket/f: the object store 127.0.0.1:\(bucket.port) refused the connection"
      expect(finished, exits: 4, saying: reason)
      #expect(finished.errors.contains("retrying in"), "\(finished)")
      #expect(finished.errors.contains("see whether it runs; `dray run"), "\(finished)")
      #expect(!finished.errors.contains("http://127.0.0.1:\(bucket.port)"), "\(finished)")
      #expect(try await sandbox.onlyJob().state == "interrupted")
    }
  }

  @Test("a server that ends in mid-upload ends the attempt, although all bytes have come")
  func endedAfterTheSource() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let gate = Gate()
      defer { gate.open() }
      let get = ObjectCase.get(sandbox, ["--retries", "0"])
      let program = try await sandbox.startHeld(get, by: bucket, gate: gate, Self.givePatience)
      try await program.wait(for: "a part", seconds: 120) { bucket.calls(.part).contains { $0.status == 200 } }
      try await program.wait(for: "the source's end", seconds: 120) {
        sandbox.server.bytesSent("/f") == ObjectCase.size
      }
      bucket.stop()
      expect(try await program.finish(), exits: 4, saying: "s3://bucket/f: the object store 127.0.0.1:\(bucket.port)")
    }
  }

  @Test("a clean stop says why less is kept than was shown")
  func wholeParts() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let gate = Gate()
      let program = try await sandbox.startHalf(ObjectCase.get(sandbox), to: bucket, gate: gate, Self.givePatience)
      // The third part has begun, and the program has shown it.
      try await program.wait(for: "a checkpoint", seconds: 120, every: 0.1) {
        try await sandbox.shown(1)?.recorded ?? 0 >= 2 * ObjectCase.part
      }
      program.send(SIGINT)
      expect(
        try await program.finish(), exits: 130,
        saying: "stopped: 16.0 of 20.0 MiB kept in the bucket: only whole parts of 8 MiB can be; run it again")
      gate.open()
    }
  }

  @Test("wrong keys are said to be wrong", arguments: ["SignatureDoesNotMatch", "InvalidAccessKeyId"])
  func keys(_ code: String) async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(ObjectCase.small)
      bucket.decide { _ in .refuse(status: 403, code: code) }
      let finished = try await sandbox.start(ObjectCase.get(sandbox), Self.givePatience).finish()
      expect(finished, exits: 6, saying: "check the keys and the clock")
      #expect(finished.errors.contains(code) && !finished.errors.contains("the right to write"), "\(finished)")
    }
  }
}
