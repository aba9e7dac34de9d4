// How dray treats servers that want few requests: --pace, --jitter, --retry-status, and --max-transfer for the line.

import FaultServer
import Foundation
import Testing

@Suite("Pace and quota")
struct PaceTests {
  private func serve(_ sandbox: Sandbox, _ count: Int, size: Int64 = 1000, _ script: [Answer] = []) -> [String: Content]
  {
    var files: [String: Content] = [:]
    for index in 0..<count {
      let version = Version.named("file-\(index)", size: size)
      sandbox.server["/f\(index)"] = .init(version, script: script)
      files["f\(index)"] = version.content
    }
    return files
  }

  @Test("two runners of a store keep one pace, and redirects count")
  func pace() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let files = serve(sandbox, 10)
      var urls = files.keys.sorted().map { sandbox.server.url("/" + $0) }
      // Each of them takes two requests.
      for index in 0..<5 {
        sandbox.server["/r\(index)"] = .init(.named("r", size: 1), script: [.redirect(to: "/f\(index)")])
        urls[index] = sandbox.server.url("/r\(index)")
      }
      let names = files.keys.sorted()
      let words = zip(names, urls).flatMap { ["-o", $0, $1] }
      expect(try await sandbox.dray(["add", "--pace", "20/s"] + words), exits: 0)
      let begun = ContinuousClock.now
      let runners = try (0..<2).map { _ in try sandbox.start(["run", "-j", "8"]) }
      for runner in runners { expect(try await runner.finish(), exits: 0) }
      // 15 requests have 14 distances between them; a start may be made up by half of one.
      let elapsed = begun.duration(to: ContinuousClock.now)
      #expect(elapsed >= .seconds(14 * 0.05 - 0.03))
      #expect(sandbox.server.requests.count == 15)
      sandbox.expectFiles(files)
    }
  }

  @Test("a request that waits for its turn can be stopped", arguments: [["--pace", "1/h"], ["--jitter", "9d"]])
  func stop(_ words: [String]) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      _ = serve(sandbox, 3)
      let urls = (0..<3).map { sandbox.server.url("/f\($0)") }
      let program = try sandbox.start(["get", "-j", "3"] + words + urls)
      try await program.wait(for: "a job") { try await sandbox.jobs().contains { $0.state == "active" } }
      try await program.wait(for: "the first request, if one may start") {
        words[0] == "--jitter" || sandbox.server.requests.count == 1
      }
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
      #expect(sandbox.server.requests.count <= 1)
    }
  }

  @Test("a section for the host sets its pace")
  func section() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let files = serve(sandbox, 6)
      let config = try sandbox.write("[host.\"127.0.0.1\"]\npace = \"10/s\"\n", to: "dray.toml")
      let urls = (0..<6).map { sandbox.server.url("/f\($0)") }
      let begun = ContinuousClock.now
      let finished = try await sandbox.dray(["get", "-q", "--config", config] + urls)
      let elapsed = begun.duration(to: ContinuousClock.now)
      expect(finished, exits: 0)
      #expect(elapsed >= .seconds(5 * 0.1 - 0.05))
      try FileManager.default.removeItem(atPath: config)
      sandbox.expectFiles(files)
    }
  }

  @Test("--retry-status retries what the user says, and keeps the bytes")
  func retryStatus() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let script: [Answer] = [.status(403), .cut(after: ResumeCase.half), .status(404), .normal]
      sandbox.server["/f"] = .init(ResumeCase.v1, script: script)
      let url = sandbox.server.url("/f")
      let words = ["--retry-status", "403,404", "--retry-wait", "10ms", url]
      expect(try await sandbox.dray(["get"] + words), exits: 0)
      let requests = sandbox.server.requests("/f")
      #expect(requests.count == 4 && requests.last?["Range"] != nil)
      sandbox.expectFiles(["f": ResumeCase.v1.content])
      expect(try await sandbox.dray("get", "--retry-status", "200", url), exits: 2, saying: "write 403")
    }
  }

  @Test("--max-transfer stops the run, and the next one continues")
  func maxTransfer() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let files = serve(sandbox, 2, size: 1 << 20)
      let words = ["get"] + (0..<2).map { sandbox.server.url("/f\($0)") }
      let first = try await sandbox.dray(words + ["--max-transfer", "1.5M"])
      expect(first, exits: 1, saying: "--max-transfer is reached")
      let states = Set(try await sandbox.jobs().map(\.state))
      #expect(states.contains("interrupted") && states.isSubset(of: ["complete", "interrupted"]))
      // A limit that suffices is no reason to stop.
      expect(try await sandbox.dray(words + ["--max-transfer", "1.5M"]), exits: 0)
      sandbox.expectFiles(files)
      expect(try await sandbox.dray(["run", "--max-transfer", "0"]), exits: 2, saying: "--max-transfer")
    }
  }
}
