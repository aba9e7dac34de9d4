// Details of usability: advice with the job's number, useful help, the name of the job that a command waits for.

import FaultServer
import Foundation
import Testing

@Suite("Paces and repeated statuses")
struct PacingTests {
  @Test("advice about a job has its number")
  func number() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.cut(after: 100_000), .status(403), .status(403)])
      let finished = try await sandbox.dray("get", "-x", "1", sandbox.server.url("/f"))
      expect(finished, exits: 6, saying: "403 Forbidden; link expired? `dray set-url 1 NEW-URL` (")
      #expect(!finished.text.contains("set-url ID") && finished.text.contains("KiB are kept)"))
    }
  }

  @Test("help about an unknown command is an error that names the nearest one")
  func help() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("help", "lst"), exits: 2, saying: "dray list")
      expect(try await sandbox.dray("help", "list"), exits: 0)
      expect(try await sandbox.dray("help"), exits: 0)
    }
  }

  @Test("options and a URL without a command, as for curl, wget and aria2c, are those of get")
  func missingCommand() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      expect(try await sandbox.dray("-c", sandbox.server.url("/f")), exits: 0)
      sandbox.expectFiles(["f": AnswerCase.version.content])
      expect(try await sandbox.dray("--frobnicate"), exits: 2, saying: "unknown option")
    }
  }

  @Test("P3 what is given for a job again replaces only its own value, also without a configuration file")
  func givenAgain() async throws {
    try await Sandbox.use { sandbox in
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("add", "--retries", "7", "--limit-rate", "20M", url), exits: 0)
      let again = try await sandbox.dray("add", "--retries", "5", url)
      expect(again, exits: 0, saying: "job 1: --retries replaced; its other options stay")
      let shown = try await sandbox.dray("show", "1", "--json").output
      #expect(shown.contains("\"rateLimit\":20971520") && !shown.contains("\"retries\":7"), "\(shown)")
    }
  }

  @Test("one unknown id: nothing is done, and a message says so")
  func unknownID() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      expect(try await sandbox.dray("pause", "1", "77"), exits: 2, saying: "the others are unchanged")
      #expect(try await sandbox.onlyJob().state == "queued")
    }
  }

  @Test("a job paused by another process does not count as interrupted")
  func paused() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.held(by: gate, after: 100_000)])
      sandbox.server["/g"] = .init(AnswerCase.version)
      let get = try sandbox.start(["get", sandbox.server.url("/f"), sandbox.server.url("/g")])
      try await waitUntil("the first to begin") { sandbox.server.bytesSent("/f") >= 100_000 }
      try await get.wait(for: "the second") { try await sandbox.jobs().last?.state == "complete" }
      expect(try await sandbox.dray("pause", "1"), exits: 0)
      gate.open()
      let finished = try await get.finish()
      expect(finished, exits: 1, saying: "1 done, 1 paused")
      #expect(!finished.errors.contains("interrupted"), "\(finished)")
    }
  }

  @Test("a get of a file that another process transfers says so")
  func elsewhere() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.held(by: gate, after: 100_000)])
      let first = try sandbox.start(["get", sandbox.server.url("/f")])
      try await waitUntil("the first to begin") { sandbox.server.bytesSent("/f") >= 100_000 }
      let second = try sandbox.start(["get", sandbox.server.url("/f")])
      try await waitUntil("the second to say what it waits for") {
        second.errors.contains("another dray is already fetching this; waiting for it")
      }
      gate.open()
      expect(try await first.finish(), exits: 0)
      expect(try await second.finish(), exits: 0)
    }
  }
}
