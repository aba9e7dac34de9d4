// `dray watch --json`: the events of all runners, from another process.

import FaultServer
import Foundation
import Testing

@Suite("Watching events")
struct WatchEventTests {
  private func events(_ program: RunningProgram) -> [[String: Any]] {
    program.output.split(separator: "\n").compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }
  }

  private func names(_ program: RunningProgram, of id: Int) -> [String] {
    var names: [String] = []
    for event in events(program) where event["id"] as? Int == id {
      let name = event["event"] as? String ?? "?"
      if names.last != name { names.append(name) }
    }
    return names
  }

  @Test("two runners, a job added during the watch, one that fails, one that is removed")
  func all() async throws {
    try await Sandbox.use { sandbox in
      let slow = Version.named("slow", size: 1 << 20)
      // The first runner has one slot, and its job is held at the gate, so the second runner gets the other jobs.
      let (gate, other) = (Gate(), Gate())
      let limited = Answer { $0.rate = 128 << 10 }
      sandbox.server["/a"] = .init(slow, script: [limited.with { $0.holds = [.gate(gate, after: 512 << 10)] }])
      sandbox.server["/b"] = .init(slow, script: [limited.with { $0.holds = [.gate(other, after: 512 << 10)] }])
      expect(try await sandbox.dray("add", sandbox.server.url("/a")), exits: 0)
      let watch = try sandbox.start(["watch", "--json"])
      try await watch.wait(for: "the snapshot") { names(watch, of: 1) == ["job"] }
      let run = try sandbox.start(["run", "-j", "1"])
      try await watch.wait(for: "progress") { names(watch, of: 1).contains("progress") }
      let get = try sandbox.start(["get", sandbox.server.url("/b"), sandbox.server.url("/missing")])
      try await watch.wait(for: "progress of the other") { names(watch, of: 2).contains("progress") }
      other.open()
      expect(try await get.finish(), exits: 8)
      gate.open()
      expect(try await run.finish(), exits: 0)
      try await watch.wait(for: "the ends") {
        names(watch, of: 1).last == "complete" && names(watch, of: 2).last == "complete"
          && names(watch, of: 3).last == "failed"
      }
      expect(try await sandbox.dray("add", sandbox.server.url("/c")), exits: 0)
      expect(try await sandbox.dray("remove", "4"), exits: 0)
      try await watch.wait(for: "the removal") { names(watch, of: 4).last == "removed" || names(watch, of: 4).isEmpty }
      watch.send(SIGINT)
      expect(try await watch.finish(), exits: 130)
      // Progress is reported whenever there is some, and the answer once it is recorded.
      let story = names(watch, of: 1)
      #expect(story.filter { $0 != "progress" } == ["job", "started", "response", "complete"])
      #expect(story.dropFirst(2).contains("progress"), "\(story)")
      #expect(names(watch, of: 2).first == "added" && names(watch, of: 2).contains("progress"))
      #expect(names(watch, of: 3).starts(with: ["added", "started"]))
      let undated = events(watch).filter { $0["v"] as? Int != 1 || $0["time"] == nil }
      #expect(undated.isEmpty)
      let end = events(watch).last { $0["event"] as? String == "complete" && $0["id"] as? Int == 1 }
      #expect(end?["target"] as? String == sandbox.path("a") && end?["size"] as? Int == 1 << 20)
    }
  }

  @Test("named jobs: it ends when they have ended")
  func named() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      let watch = try sandbox.start(["watch", "--json", "1"])
      try await watch.wait(for: "the snapshot") { names(watch, of: 1) == ["job"] }
      expect(try await sandbox.dray("run"), exits: 0)
      expect(try await watch.finish(), exits: 0)
      #expect(names(watch, of: 1).last == "complete")
    }
  }

  @Test("a reader that goes away ends it quietly")
  func brokenPipe() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      let closed = sandbox.path("closed")
      let line = "{ timeout 120 $DRAY watch --json; echo $? >&2; } | { head -1; exec 0<&-; touch '\(closed)'; }"
      let watch = try sandbox.launch(toolPath("bash"), ["-c", line])
      try await watch.wait(for: "the reader to leave") { FileManager.default.fileExists(atPath: closed) }
      #expect(watch.output.contains("\"job\""))
      // A second event finds no reader.
      expect(try await sandbox.dray("run"), exits: 0)
      let finished = try await watch.finish()
      #expect(finished.output.split(separator: "\n").count == 1 && finished.errors == "1\n", "\(finished)")
    }
  }
}
