// A run that waits for work leaves the processor idle.

#if os(Linux)
import FaultServer
import Foundation
import Testing

@Suite("Idle runs")
struct IdleTests {
  /// How often each thread of a process has gone to sleep so far.
  private func sleeps(_ program: RunningProgram) throws -> [String: Int] {
    let tasks = "/proc/\(program.pid)/task"
    var sleeps: [String: Int] = [:]
    for thread in try FileManager.default.contentsOfDirectory(atPath: tasks) {
      guard let status = try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8) else { continue }
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      sleeps[thread] = line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
    }
    return sleeps
  }

  @Test(
    "waiting at an empty queue causes few wake-ups, and new work is done",
    arguments: [["run", "--wait"], ["serve", "--listen", "127.0.0.1:0"]])
  func wakeUps(words: [String]) async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 1000)
      for name in ["/a", "/b"] { sandbox.server[name] = .init(version) }
      let run = try sandbox.start(words)
      for name in ["a", "b"] {
        expect(try await sandbox.dray("add", sandbox.server.url("/\(name)")), exits: 0)
        try await run.wait(for: name) { try await sandbox.jobs().allSatisfy { $0.state == "complete" } }
      }
      // Any poll would cause 100 and more, each time. Other work may spoil a try: on a busy machine the work after a
      // job's end comes late, and a page fault counts as a sleep.
      var counts: [Int] = []
      while counts.count < 3, counts.last ?? .max > 60 {
        try await Task.sleep(for: .seconds(2))
        let before = try sleeps(run)
        try #require(!before.isEmpty)
        try await Task.sleep(for: .seconds(20))
        counts.append(try sleeps(run).reduce(0) { $0 + max(0, $1.value - (before[$1.key] ?? 0)) })
      }
      #expect(counts.last ?? .max <= 60, "\(counts) wake-ups in 20 s")
      run.send(SIGINT)
      expect(try await run.finish(), exits: 130)
      sandbox.expectFiles(["a": version.content, "b": version.content])
    }
  }
}
#endif
