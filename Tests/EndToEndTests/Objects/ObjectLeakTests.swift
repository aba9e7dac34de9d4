// Uploads that are no longer needed are aborted, even if only the job store knows them. A job whose bucket is slow
// obeys commands.

import FaultServer
import Foundation
import Testing

@Suite("Objects and what they leave")
struct ObjectLeakTests {
  @Test("two stores send one file to one key: both are content, and no upload is left")
  func twins() async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(ObjectCase.v1)
      let gate = Gate()
      defer { gate.open() }
      bucket.lie(.hold(gate), to: .complete, times: 2)
      let programs = try (0..<2).map { number in
        try sandbox.start(ObjectCase.get(sandbox)) {
          $0.environment["DRAY_HOME"] = sandbox.root + "/user/home-\(number)"
        }
      }
      try await programs[1].wait(for: "both ends", seconds: 120) { gate.arrivals >= 2 }
      gate.open()
      for program in programs { expect(try await program.finish(), exits: 0) }
      #expect(bucket.calls(.complete).contains { $0.status == 412 }, "\(bucket.calls)")
      bucket.expectObjects(["f": ObjectCase.v1.content])
    }
  }

  /// Starts an upload whose first part never arrives, and kills the program.
  private func begin(_ sandbox: Sandbox, _ bucket: FaultBucket) async throws {
    let gate = Gate()
    let program = try await sandbox.startHeld(ObjectCase.get(sandbox), by: bucket, gate: gate, taken: 0)
    try await program.kill9()
    bucket.behave()
    gate.open()
    #expect(bucket.uploads.count == 1)
  }

  @Test("an upload of an attempt that recorded none of its parts goes, although the file now needs none")
  func forgotten() async throws {
    try await ObjectCase.use { sandbox, bucket in
      try await begin(sandbox, bucket)
      sandbox.server["/small"] = .init(ObjectCase.small)
      expect(try await sandbox.dray("set-url", "1", sandbox.server.url("/small")), exits: 0)
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 0)
      bucket.expectObjects(["f": ObjectCase.small.content], finished)
    }
  }

  @Test("clean has the keys of the job, also without an environment")
  func keys() async throws {
    try await ObjectCase.use { sandbox, bucket in
      try await begin(sandbox, bucket)
      sandbox.server["/small"] = .init(ObjectCase.small)
      expect(try await sandbox.dray("set-url", "1", sandbox.server.url("/small")), exits: 0)
      // The object is there, but its old upload cannot be aborted now.
      bucket.lie(.refuse(status: 403, code: "AccessDenied"), to: .abort, times: 1000)
      expect(try await sandbox.dray("run"), exits: 0)
      #expect(bucket.uploads.count == 1, "\(bucket.calls)")
      bucket.behave()
      let clean = try await sandbox.start(["clean"]) { launch in
        for name in bucket.place.variables.keys { launch.environment[name] = nil }
      }.finish()
      expect(clean, exits: 0, saying: "s3://bucket/f")
      bucket.expectObjects(["f": ObjectCase.small.content], clean)
    }
  }

  @Test("pause does not wait for a bucket that holds the last parts")
  func paused() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let gate = Gate()
      defer { gate.open() }
      // All parts but the first.
      let program = try await sandbox.startHeld(ObjectCase.get(sandbox), by: bucket, gate: gate, held: 2)
      expect(try await sandbox.dray("pause", "1"), exits: 0)
      // The gate is still closed.
      _ = try await program.finish(seconds: 60)
      #expect(try await sandbox.onlyJob().state == "paused")
      bucket.behave()
      gate.open()
      expect(try await sandbox.dray("resume", "1"), exits: 0)
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 0)
      bucket.expectObjects(["f": ObjectCase.v1.content], finished)
    }
  }
}
