// Free names in buckets: a search ends for all answers of the bucket, an upload gets the name under which it began, and
// other files do not wait for a bucket.

import FaultServer
import Foundation
import Testing

@Suite("Names of objects")
struct ObjectNameTests {
  private static let other = Version.named("other", size: 7).content
  private static let always = 1_000_000
  private static let rename = ["get", "-x", "1", "--on-conflict", "rename"]

  @Test(
    "a bucket that has every name is asked a bounded number of times",
    arguments: [ObjectCase.small, ObjectCase.v1], ["-o", "-d"])
  func everyName(_ version: Version, _ option: String) async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(version)
      bucket.lie(.mirage(Self.other, after: 0), to: .head, times: Self.always)
      let place = option == "-o" ? "s3://bucket/f" : "s3://bucket/"
      let finished = try await sandbox.dray(Self.rename + [option, place, sandbox.server.url("/f")])
      expect(finished, exits: 3, saying: "999 numbered ones are taken")
      // One search when the answer arrives, and at most one more when the file is complete.
      #expect(bucket.calls(.head).count <= 2100)
      bucket.expectObjects([:], finished)
    }
  }

  @Test(
    "Ctrl-C and SIGTERM end the search for a free name", arguments: [SIGINT, SIGTERM],
    [ObjectCase.small, ObjectCase.v1])
  func stopped(_ signal: Int32, _ version: Version) async throws {
    try await ObjectCase.use { sandbox, bucket in
      sandbox.server["/f"] = .init(version)
      bucket.lie(.mirage(Self.other, after: 0.1), to: .head, times: Self.always)
      let program = try sandbox.start(Self.rename + ["-d", "s3://bucket/", sandbox.server.url("/f")])
      try await program.wait(for: "some names", seconds: 120) { bucket.calls(.head).count >= 20 }
      program.send(signal)
      expect(try await program.finish(), exits: 128 + signal)
      #expect(bucket.calls(.head).count < 900)
    }
  }

  @Test("an upload whose first name became free in between is not sent again")
  func becameFree() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let gate = Gate()
      defer { gate.open() }
      bucket.put("f", Self.other)
      let get = ObjectCase.get(sandbox, ["--on-conflict", "rename"])
      let program = try await sandbox.startHalf(get, to: bucket, gate: gate)
      bucket.remove("f")
      gate.open()
      let finished = try await program.finish()
      expect(finished, exits: 0)
      bucket.expectObjects(["f.1": ObjectCase.v1.content], finished)
      #expect(bucket.bytesStored == Int(ObjectCase.size), "\(bucket.calls)")
    }
  }

  @Test("a file on the disk is published while a bucket takes its time")
  func apart() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let (far, near) = (Gate(), Gate())
      defer {
        far.open()
        near.open()
      }
      sandbox.server["/far"] = .init(ObjectCase.v1)
      sandbox.server["/near"] = .init(ObjectCase.small, script: [.held(by: near, after: 100)])
      bucket.lie(.hold(far), to: .complete)
      expect(try await sandbox.dray(["add", "-d", "s3://bucket/", sandbox.server.url("/far")]), exits: 0)
      expect(try await sandbox.dray(["add", sandbox.server.url("/near")]), exits: 0)
      let program = try sandbox.start(["run"])
      try await program.wait(for: "the end of the upload", seconds: 120) { far.arrivals > 0 }
      near.open()
      try await program.wait(for: "the other file", seconds: 60, every: 0.1) {
        try await sandbox.jobs().contains { $0.state == "complete" }
      }
      far.open()
      let finished = try await program.finish()
      expect(finished, exits: 0)
      bucket.expectObjects(["far": ObjectCase.v1.content], finished)
    }
  }
}
