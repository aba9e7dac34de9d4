// Objects with a known digest: it is compared before the object exists, or before the job is complete, also after a
// kill; and no object that is not proved replaces another one.

import FaultServer
import Foundation
import Testing

@Suite("Objects and their digests")
struct ObjectProofTests {
  private static let wrongField =
    "Repr-Digest: sha-256=:\(OfferedDigestTests.base64([UInt8](repeating: 1, count: 32))):"
  private static let wrong = ["--checksum", "sha-256=" + String(repeating: "ab", count: 32)]
  private static let right = ["--checksum", "sha-256=" + Sandbox.sha256(ObjectCase.v1.content)]

  @Test("a digest of the server that is wrong: no object, however many connections are allowed", arguments: [1, 4])
  func offered(_ connections: Int) async throws {
    try await ObjectCase.use { sandbox, bucket in
      let old = Content.generated(seed: 99, size: 777)
      bucket.put("g", old)
      let answer = Answer {
        $0.rate = 24 << 20
        $0.headers.append(Self.wrongField)
      }
      sandbox.server["/f"] = .init(Version.named("v1", size: 40 << 20), script: [answer])
      let url = sandbox.server.url("/f")
      let first = try await sandbox.dray(["get", "-x", "\(connections)", "-o", "s3://bucket/f", url])
      expect(first, exits: 9, saying: "Repr-Digest")
      let second = try await sandbox.dray(
        ["get", "-x", "\(connections)", "--on-conflict", "overwrite", "-o", "s3://bucket/g", url])
      expect(second, exits: 9, saying: "Repr-Digest")
      bucket.expectObjects(["g": old], second)
      #expect(bucket.calls(.complete).isEmpty && bucket.calls(.get).isEmpty, "\(bucket.calls)")
    }
  }

  @Test("an upload that is continued and would replace an object starts over: the old object stays until it is proved")
  func overwrite() async throws {
    for (digest, status) in [(Self.wrong, Int32(9)), (Self.right, 0)] {
      try await ObjectCase.use { sandbox, bucket in
        let old = Content.generated(seed: 99, size: 777)
        bucket.put("f", old)
        let get = ObjectCase.get(sandbox, ["--on-conflict", "overwrite"] + digest)
        try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: .kill)
        let again = try await sandbox.dray(get)
        expect(again, exits: status, saying: "in order")
        bucket.expectObjects(["f": status == 0 ? ObjectCase.v1.content : old], again)
        #expect(bucket.calls(.complete).count == (status == 0 ? 1 : 0), "\(bucket.calls)")
        #expect(bucket.calls(.delete).isEmpty, "\(bucket.calls)")
      }
    }
  }

  struct Killed: Sendable, CustomTestStringConvertible {
    let name: String
    var arguments: [String] = []
    var headers: [String] = []
    let isRight: Bool
    var testDescription: String { name }
  }

  @Test(
    "killed while a continued object is read back: the next run proves it before the job is complete",
    arguments: [
      Killed(name: "given, right", arguments: right, isRight: true),
      Killed(name: "given, wrong", arguments: wrong, isRight: false),
      Killed(name: "offered, wrong", headers: [wrongField], isRight: false),
    ])
  func killed(_ kind: Killed) async throws {
    try await ObjectCase.use { sandbox, bucket in
      let get = ObjectCase.get(sandbox, kind.arguments)
      try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: .kill, headers: kind.headers)
      let gate = Gate()
      bucket.lie(.hold(gate), to: .get, times: 1000)
      let program = try sandbox.start(get)
      try await program.wait(for: "the read-back", seconds: 120) { gate.arrivals > 0 }
      try await program.kill9()
      #expect(bucket.has("f", ObjectCase.v1.content))
      #expect(try await sandbox.onlyJob().state != "complete")
      bucket.behave()
      gate.open()
      let before = bucket.calls.count
      let run = try await sandbox.dray(["run"])
      expect(run, exits: kind.isRight ? 0 : 9)
      let later = bucket.calls.dropFirst(before)
      #expect(later.contains { $0.operation == .get }, "it was not read back: \(later)")
      bucket.expectObjects(kind.isRight ? ["f": ObjectCase.v1.content] : [:], run)
      #expect(try await sandbox.onlyJob().state == (kind.isRight ? "complete" : "failed"))
      if kind.isRight { #expect(!later.contains { $0.operation == .part }, "\(later)") }
    }
  }

  @Test("a wrong object that may not be deleted: the failure names it, and nothing starts over")
  func undeletable() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let get = ObjectCase.get(sandbox, Self.wrong)
      try await sandbox.uploadHalf(get, to: bucket, gate: Gate(), stop: .kill)
      bucket.lie(.refuse(status: 403, code: "AccessDenied"), to: .delete, times: 1000)
      let run = try await sandbox.dray(get)
      expect(run, exits: 9, saying: "could not be deleted")
      #expect(run.text.contains("s3://bucket/f") && run.text.contains("s3:DeleteObject"), "\(run)")
      #expect(!run.text.contains("on-conflict"), "\(run)")
      #expect(bucket.calls(.create).count == 1 && bucket.calls(.complete).count == 1, "\(bucket.calls)")
      #expect(try await sandbox.onlyJob().state == "failed")
    }
  }
}
