// A runner that is stopped inside a system call, after its check of the lease: the call is carried out when another
// runner has the job, or has published it.

import FaultServer
import Foundation
import PostgresServer
import TestSupport
import Testing

@Suite("Fleet: late calls", .needs(.postgres))
struct LateCallTests {
  @Test(
    "P1 P20 a late call of a runner that was stopped meets no file of the next owner",
    arguments: ["pwrite*:.part", Crash.naming("big")], [false, true])
  func lateCall(call: String, thawsAfterwards: Bool) async throws {
    try await Fleet.use(lease: 5) { fleet in
      let isWrite = call.hasPrefix("pwrite")
      // The next owner fetches another version, so that a late write would show.
      let (old, new) = (Version.named("old", size: 9 << 20), Version.named("big", size: 9 << 20))
      let file =
        isWrite
        ? FleetFile(
          "big", Resource(old, script: [Answer { $0.rate = 1 << 20 }, .changed(to: new)]), final: new, requests: 9)
        : FleetFile("big", size: 3 << 20, requests: 9)
      try await fleet.add([file])
      let log = "\(fleet.sandbox.root)/streams/late"
      var crash = Crash()
      crash.call = call
      var stopping = try crash.environment(log: log)
      stopping["DRAY_CRASH_STOPS"] = fleet.sandbox.path("../streams/stop")
      if !isWrite { try fleet.sandbox.write("", to: "../streams/stop") }
      let first = try fleet.runner("first", ["--wait"], adding: stopping)
      if isWrite {
        // Without recorded bytes the next owner would begin with a new file anyway.
        try await first.wait(for: "a checkpoint", seconds: 60, every: 0.05) {
          try fleet.count("received > 0", in: "checkpoints") == 1
        }
        try fleet.sandbox.write("", to: "../streams/stop")
      }
      try await first.wait(for: "its stop", seconds: 60, every: 0.02) {
        (try? CrashRecord(contentsOfFile: log))?.call.isEmpty == false
      }
      let second = try fleet.runner("second", ["--wait"])
      try await second.wait(for: "the job", seconds: 60, every: 0.05) {
        try thawsAfterwards ? fleet.complete == 1 : fleet.held(by: "second") == 1 || fleet.complete == 1
      }
      first.send(SIGCONT)
      // Its next lease begins after the late call.
      try await first.wait(for: "its next lease", seconds: 60, every: 0.05) { try fleet.hasLease("first") }
      try await second.wait(for: "the end", seconds: 60, every: 0.05) { try fleet.complete == 1 }
      for runner in [first, second] { runner.send(SIGTERM) }
      for runner in [first, second] { _ = try await runner.finish() }
      try await fleet.expectDone([file])
    }
  }

  @Test("P2 P17 a copy of the store, and what its `clean` finds, leave the files of the original alone")
  func copies() async throws {
    try await Fleet.use(lease: 5) { fleet in
      let gate = Gate()
      let file = FleetFile("big", size: 1 << 20, script: [.held(by: gate, after: 600_000), .normal], requests: 2)
      let other = FleetFile("other", size: 1 << 20, script: [.held(by: gate, after: 600_000)])
      try await fleet.add([file])
      let first = try fleet.runner("first", ["--wait"])
      try await first.wait(for: "a checkpoint", seconds: 60, every: 0.05) {
        try fleet.count("received > 0", in: "checkpoints") == 1
      }
      let copy = try fleet.copied()
      try await fleet.add([other])
      try await first.wait(for: "a checkpoint", seconds: 60, every: 0.05) {
        try fleet.count("received > 0", in: "checkpoints") == 2
      }
      let parts = fleet.sandbox.names()
      try copy.sql("UPDATE runners SET lease_until = now() - interval '1 s'")
      let cleaned = try await copy.dray(["clean", copy.sandbox.downloads])
      #expect(fleet.sandbox.names() == parts && parts.count(where: fleet.sandbox.isPartFile) == 2, "\(cleaned.errors)")
      // The copy fetches its job with another file, and publishes it.
      expect(try await copy.dray(["run"]), exits: 0)
      gate.open()
      try await first.wait(for: "the end", seconds: 60, every: 0.05) {
        try fleet.count("state IN ('queued', 'active')") == 0
      }
      first.send(SIGTERM)
      _ = try await first.finish()
      // The copy's file has taken the name of the first store's file, and no byte of it is wrong.
      fleet.sandbox.expectFiles(["big": file.final.content, "other": other.final.content])
    }
  }
}
