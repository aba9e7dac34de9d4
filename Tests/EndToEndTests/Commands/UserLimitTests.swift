// Limits that a user sets: the duration of an attempt, and the size of a file.

import FaultServer
import Foundation
import Testing

@Suite("Limits of the user")
struct UserLimitTests {
  static let version = Version.named("v1", size: 1 << 20)

  @Test("--max-time interrupts a transfer: the received bytes are kept, and the next run continues there")
  func time() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = FaultServer.Gate()
      sandbox.server["/f"] = .init(Self.version, script: [.held(by: gate, after: 512 << 10), .normal])
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("get", "--max-time", "5", url), exits: 4, saying: "longer than the allowed 5 s")
      let job = try await sandbox.onlyJob()
      #expect(job.state == "interrupted" && job.received > 0, "\(job)")
      sandbox.expectOnlyPartFile()
      // The same command without the option keeps the limit, and says so.
      let kept = try await sandbox.dray("add", url)
      expect(kept, exits: 0, saying: "job 1 keeps --max-time; `dray set 1 max-time=` resets it")
      expect(try await sandbox.dray("set", "1", "max-time="), exits: 0)
      let freed = try await sandbox.dray("add", url)
      #expect(!freed.text.contains("max-time"), "\(freed)")
      gate.open()
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
      #expect(sandbox.server.requests.last?["Range"] != nil)
    }
  }

  @Test("a server that never answers is interrupted too, and no retry follows")
  func silence() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: [.init { $0.latency = 600 }])
      let finished = try await sandbox.dray("get", "--max-time", "5s", "--retries", "3", sandbox.server.url("/f"))
      expect(finished, exits: 4, saying: "`dray run` continues from there")
      #expect(try await sandbox.onlyJob().state == "interrupted")
      #expect(sandbox.server.requests.count == 1)
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: "time limit")
      let streamed = try await sandbox.dray("get", "--max-time", "500ms", "-o", "-", sandbox.server.url("/f"))
      expect(streamed, exits: 4, saying: "longer than the allowed 0.5 s")
      #expect(streamed.output.isEmpty)
    }
  }

  @Test("the limit does not affect a transfer that ends in time")
  func inTime() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("get", "--max-time", "10m", sandbox.server.url("/f")), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("--max-filesize refuses by the stated length before a byte is written", arguments: [false, true])
  func size(isChunked: Bool) async throws {
    try await Sandbox.use { sandbox in
      let answer: FaultServer.Answer = isChunked ? .init { $0.framing = .chunked(.init()) } : .normal
      sandbox.server["/f"] = .init(Self.version, script: [answer])
      let url = sandbox.server.url("/f")
      for arguments in [["get"], ["get", "-o", "-"], ["get", "-x", "4"]] {
        let finished = try await sandbox.dray(arguments + ["--max-filesize", "100k", url])
        expect(finished, exits: 3, saying: "more than the allowed 102400")
        #expect(finished.output.isEmpty)
        sandbox.expectNoFiles()
      }
      let sent = try await sandbox.dray("get", "--max-filesize", "100k", "--data", "a=1", url)
      expect(sent, exits: 3, saying: "more than the allowed 102400")
      sandbox.expectNoFiles()
      // The request was answered, so its outcome is certain.
      #expect(try await sandbox.jobs().allSatisfy { $0.state == "failed" })
      expect(try await sandbox.dray("get", "--max-filesize", "1M", url), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }
}
