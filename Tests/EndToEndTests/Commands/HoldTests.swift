// A hold is visible everywhere (H16).

import FaultServer
import Foundation
import Testing

@Suite("Holds")
struct HoldTests {
  private static let version = Version.named("v1", size: 100_000)
  private static let reason = "answered 429 Too Many Requests to job 1"

  /// A server with another file that asked job 1 to wait for an hour.
  private static func refuse(_ sandbox: Sandbox) async throws {
    sandbox.server["/busy"] = .init(version, script: [.status(429, headers: ["Retry-After: 3600"])])
    sandbox.server["/f"] = .init(version)
    let get = try sandbox.start(["get", sandbox.server.url("/busy")])
    try await get.wait(for: "the time and the job") {
      get.errors.contains("[1] retrying at ") && get.errors.contains("`dray resume 1` asks now")
    }
    get.send(SIGINT)
    expect(try await get.finish(), exits: 130)
    expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
  }

  @Test("H16 list, show, limit, watch and doctor name the server and the end of the hold")
  func shown() async throws {
    try await Sandbox.use { sandbox in
      try await Self.refuse(sandbox)
      let listed = try await sandbox.dray("list")
      let rows = listed.output.split(separator: "\n").filter { $0.contains("until ") && $0.contains(Self.reason) }
      #expect(rows.count == 2, "\(listed)")
      for width in [60, 80, 100] {
        let terminal = try PseudoTerminal(width: width)
        let list = try sandbox.start(["list"], on: terminal)
        #expect(try await list.finish(on: terminal) == .code(0))
        // Lines are broken between words.
        let text = terminal.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("on hold: 127.0.0.1:") && text.contains(Self.reason), "\(width): \(text)")
      }
      for words in [["show", "2"], ["limit"]] {
        let said = try await sandbox.dray(words)
        #expect(said.status == 0 && said.output.contains(Self.reason), "\(said)")
      }
      let watched = try await sandbox.dray("watch")
      #expect(watched.errors.contains(Self.reason), "\(watched)")
      let doctor = try await sandbox.dray("doctor")
      #expect(doctor.output.contains(Self.reason), "\(doctor)")
      let json = try await sandbox.dray("list", "--json")
      let jobs = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
      let holds = jobs.compactMap { $0["hold"] as? [String: Any] }
      #expect(holds.count == 2)
      let message = try #require((jobs[0]["error"] as? [String: Any])?["message"] as? String)
      #expect(message.contains("`dray resume 1`") && !message.contains("dray retry"), "\(message)")
      #expect(holds.map { $0["status"] as? Int } == [429, 429] && holds.map { $0["job"] as? Int } == [1, 1])
      #expect(sandbox.server.requests("/f").isEmpty)
    }
  }

  @Test("a target is not waited for while its job waits for an hour, and nobody runs that job")
  func target() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let other = try FaultServer()
      defer { other.stop() }
      sandbox.server["/f"] = .init(
        Self.version, script: [.cut(after: 80_000), .status(503, headers: ["Retry-After: 3000"])])
      other["/f"] = .init(Self.version)
      let get = try sandbox.start(["get", "--retry-wait", "0", sandbox.server.url("/f")])
      try await get.wait(for: "word of the retry") { get.errors.contains("retrying at") }
      _ = try await get.kill9()
      let refused = try await sandbox.dray("get", "--on-conflict", "overwrite", other.url("/f"))
      expect(refused, exits: 3, saying: "it is the target of job 1, which is queued")
      expect(refused, exits: 3, saying: "`dray run` transfers it")
    }
  }

  @Test("H19 a proxy that refuses a tunnel for an hour: the hold names the proxy, and it gets no further request")
  func proxy() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["h.invalid:443"] = .init(Self.version, script: [.status(503, headers: ["Retry-After: 3600"])])
      let proxy = sandbox.server.url("")
      let host = String(proxy.dropFirst("http://".count))
      let get = try sandbox.start(["get", "https://h.invalid/f", "--proxy", proxy])
      try await get.wait(for: "the time") { get.errors.contains("[1] retrying at ") }
      get.send(SIGINT)
      expect(try await get.finish(), exits: 130)
      for words in [["list"], ["show", "1"], ["limit"]] {
        let said = try await sandbox.dray(words)
        expect(said, exits: 0)
        #expect(said.output.contains("\(host) answered 503 Service Unavailable to job 1"), "\(said)")
      }
      #expect(sandbox.server.requests("h.invalid:443").count == 1)
    }
  }

  @Test("H16 a run says what it waits for, and continues when the hold is ended")
  func run() async throws {
    try await Sandbox.use { sandbox in
      try await Self.refuse(sandbox)
      let run = try sandbox.start(["run"])
      try await run.wait(for: "what it waits for") { run.errors.contains("2 jobs wait until ") }
      #expect(run.errors.contains(Self.reason), "\(run.errors)")
      #expect(run.errors.contains("`dray limit --no-hold 127.0.0.1:"), "\(run.errors)")
      sandbox.server["/busy"] = .init(Self.version)
      expect(try await sandbox.dray("limit", "--no-hold", "all"), exits: 0, saying: "no longer on hold")
      expect(try await run.finish(), exits: 0)
      sandbox.expectFiles(["busy": Self.version.content, "f": Self.version.content])
    }
  }

  @Test("H16 a run continues with the resumed job, which sends one request")
  func resumed() async throws {
    try await Sandbox.use { sandbox in
      try await Self.refuse(sandbox)
      let run = try sandbox.start(["run"])
      try await run.wait(for: "what it waits for") { run.errors.contains("2 jobs wait until ") }
      expect(try await sandbox.dray("resume", "1"), exits: 0)
      try await run.wait(for: "the second request") { sandbox.server.requests("/busy").count == 2 }
      // Refused again, the job waits again, and the other job sent no request.
      try await run.wait(for: "word of the refusal") { run.errors.contains("[1] retrying at ") }
      #expect(sandbox.server.requests("/f").isEmpty)
      // After a good answer the hold is over.
      expect(try await sandbox.dray("resume", "2"), exits: 0)
      try await run.wait(for: "the other file") { try await sandbox.jobs().last?.state == "complete" }
      expect(try await sandbox.dray("limit"), exits: 0)
      #expect(try await !sandbox.dray("limit").output.contains("on hold"))
      #expect(sandbox.server.requests("/busy").count == 2 && sandbox.server.requests("/f").count == 1)
      run.send(SIGINT)
      expect(try await run.finish(), exits: 130)
    }
  }

  @Test("a run that leaves a job for later says so by its status; a run of other labels does not concern it")
  func left() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/busy"] = .init(Self.version, script: [.status(429, headers: ["Retry-After: 3600"])])
      let get = ["get", "--label", "site=south", "--max-retry-wait", "60", sandbox.server.url("/busy")]
      expect(try await sandbox.dray(get), exits: 8, saying: "asked to wait")
      for words in [["run"], ["run", "--only", "site=south"]] {
        expect(try await sandbox.dray(words), exits: 8, saying: "nothing to do; 1 waits until ")
      }
      expect(
        try await sandbox.dray("run", "--only", "site=north"), exits: 0,
        saying: "nothing to do; `dray add URL` queues a download")
      #expect(sandbox.server.requests("/busy").count == 1)
    }
  }

  @Test("an unknown host is reported without a failure; a limit cannot be combined with it")
  func unknownHost() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("limit", "--no-hold", "h"), exits: 0, saying: "h is not on hold")
      expect(try await sandbox.dray("limit", "5k", "--no-hold", "h"), exits: 2, saying: "--no-hold")
    }
  }
}
