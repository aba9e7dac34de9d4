// `dray --host http://…`: the same commands, for the queue of a service.

import FaultServer
import Foundation
import Testing

@Suite("Service: commands of another host")
struct ServeHostTests {
  private static let secret = "a secret of twenty bytes"

  @Test("jobs are added, listed, watched, changed, paused and removed, with the secret only")
  func queue() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 100_000)
      sandbox.server["/f"] = .init(version)
      let service = try await Service.start(in: sandbox, secret: Self.secret)
      let file = try sandbox.write(Self.secret + "\n", to: "../streams/secret")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      // A machine with a separate queue.
      let elsewhere = sandbox.root + "/elsewhere"
      func dray(_ words: String..., secretFile: String? = file) async throws -> Finished {
        let option = secretFile.map { ["--secret-file", $0] } ?? []
        return try await sandbox.start(["--host", service.url] + option + words) { launch in
          launch.environment["DRAY_HOME"] = elsewhere
        }.finish()
      }
      expect(try await dray("list", secretFile: nil), exits: 6, saying: "secret is missing or wrong")
      expect(try await dray("list"), exits: 0, saying: "no jobs")
      let added = try await dray("add", "-d", "films", "--limit-rate", "2M", sandbox.server.url("/f"))
      expect(added, exits: 0)
      #expect(added.output == "1\n")
      expect(try await dray("watch", "1"), exits: 0, saying: "[1] complete")
      #expect(FileManager.default.contents(atPath: sandbox.path("films/f"))?.count == 100_000)
      expect(try await dray("list"), exits: 0, saying: "complete")
      let listed = try await dray("list", "--json", "--state", "complete")
      let jobs = try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]]
      #expect(jobs?.map { $0["id"] as? Int } == [1], "\(listed)")
      expect(try await dray("show", "1"), exits: 0, saying: "films/f")
      expect(try await dray("show", "9"), exits: 2, saying: "no such job")
      expect(try await dray("pause", "1"), exits: 1, saying: "already complete")
      expect(try await dray("set", "1", "priority=5"), exits: 1, saying: "complete")
      expect(try await dray("set", "1", "retries=5"), exits: 2, saying: "does not change this")
      expect(try await dray("limit", "2M", "--window", "off"), exits: 0, saying: "rate: 2M")
      expect(try await dray("queue", "pause", "films"), exits: 0, saying: "films: paused")
      expect(try await dray("feed", sandbox.server.url("/f")), exits: 2, saying: "over ssh")
      expect(try await dray("get", "-d", "again", sandbox.server.url("/f")), exits: 0)
      #expect(FileManager.default.contents(atPath: sandbox.path("again/f"))?.count == 100_000)
      expect(try await dray("remove", "1"), exits: 0, saying: "[1] removed")
      expect(try await dray("remove", "2"), exits: 0, saying: "[2] removed")
      expect(try await dray("list", "--json"), exits: 0, saying: "[]")
      try await service.stop()
      expect(try await dray("list"), exits: 4)
    }
  }
}
