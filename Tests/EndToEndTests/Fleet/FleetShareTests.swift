// A machine on which a fleet's share is not mounted, is read-only or is full: the jobs stay untouched for other
// machines, and the machine continues once the share works.

import FaultServer
import Foundation
import PostgresServer
import TestSupport
import Testing

/// What is wrong with the share in the mount namespace of a machine.
struct BrokenShare: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// Shell commands that break the share, and that mend it; `$D` is the share.
  var (breaks, mends): (String, String)
  /// A part of the message.
  var message: String
  /// Whether jobs begin before the machine notices the fault.
  var beginsJobs = false

  static let all = [
    BrokenShare(
      testDescription: "not mounted", breaks: "mount -t tmpfs tmpfs $D", mends: "umount -l $D",
      message: "the share of this queue is not mounted here"),
    BrokenShare(
      testDescription: "another share", breaks: "mount -t tmpfs tmpfs $D; echo other > $D/.dray-share",
      mends: "umount -l $D", message: "another share is mounted here"),
    BrokenShare(
      testDescription: "read-only", breaks: "mount --bind $D $D; mount -o remount,bind,ro $D", mends: "umount -l $D",
      message: "the share is read-only here"),
    BrokenShare(
      testDescription: "full",
      breaks: """
        cp $D/.dray-share $T; mount -t tmpfs -o size=128k tmpfs $D; cp $T $D/.dray-share
        head -c 110k /dev/zero > $D/filler
        """, mends: "umount -l $D", message: "the share is full", beginsJobs: true),
  ]
}

extension Need {
  /// A mount namespace.
  fileprivate static let mounts = Need("namespaces", "a mount namespace takes root, unshare and nsenter") {
    geteuid() == 0 && (try? toolPath("nsenter")) != nil && system("unshare -m true 2>/dev/null") == 0
  }
}

@Suite("Fleet: shares", .needs(.postgres))
struct FleetShareTests {
  /// Starts a runner in a mount namespace of its own.
  private func runner(
    _ fleet: Fleet, _ fault: BrokenShare, _ arguments: [String] = []
  ) throws -> RunningProgram {
    let script = "set -e\nmount --make-rprivate /\n\(fault.breaks)\nexec \"$@\""
    let words = ["-m", "bash", "-c", script, "x", try programPath(), "run", "--name", "bad", "-j", "4"]
    return try fleet.sandbox.launch(toolPath("unshare"), words + ["--progress", "plain"] + arguments) { launch in
      launch.environment.merge(fleet.environment("bad")) { $1 }
      launch.environment.merge(["D": fleet.sandbox.downloads, "T": fleet.sandbox.root + "/mark"]) { $1 }
      launch.directory = fleet.sandbox.root
    }
  }

  @Test(
    "its jobs stay untouched, those of other places are transferred, and it goes on", .needs(.mounts),
    arguments: BrokenShare.all)
  func untouched(_ fault: BrokenShare) async throws {
    try await Fleet.use { fleet in
      let box = fleet.sandbox
      // Files of both sizes fail: when they are written, or earlier because they do not fit.
      let files = (0..<8).map { FleetFile("f\($0)", size: $0 % 2 == 0 ? 60_000 : 300_000, requests: 3) }
      try await fleet.add(files)
      let other = box.root + "/other"
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
      let bad = try runner(fleet, fault, ["--wait"])
      try await bad.wait(for: "the message", seconds: 60) { bad.errors.contains(fault.message) }
      // This machine was not told about this share; the share's mark proves it.
      let elsewhere = FleetFile("e", size: 1000)
      try await fleet.add([elsewhere], to: other, adding: ["DRAY_SHARED_DIR": other])
      try await bad.wait(for: "the job of another place", seconds: 60) { try fleet.complete == 1 }
      #expect(box.names(in: other) == ["e", ".dray-share"])
      #expect(try fleet.count("state = 'queued' AND attempts = 0 AND retries_used = 0") == files.count)
      #expect(try fleet.count("failure IS NOT NULL", in: "jobs") == 0)
      #expect(try fleet.count("true", in: "attempts") == 1)
      if !fault.beginsJobs { #expect(files.allSatisfy { box.server.requests($0.path).isEmpty }) }
      #expect(box.names() == [".dray-share"])
      expect(
        try await box.tool("nsenter", ["-t", "\(bad.pid)", "-m", "sh", "-c", "D=\(box.downloads); \(fault.mends)"]),
        exits: 0)
      try await bad.wait(for: "its jobs", seconds: 60) { try fleet.complete == files.count + 1 }
      bad.send(SIGTERM)
      let finished = try await bad.finish()
      #expect(finished.errors.components(separatedBy: fault.message).count == 2, "\(finished)")
      #expect(finished.errors.contains("the share works again"), "\(finished)")
      box.expectFiles(Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.final.content) }))
    }
  }

  @Test("a run that could only use a share that is not mounted says so, and ends with 3", .needs(.mounts))
  func nothingElse() async throws {
    try await Fleet.use { fleet in
      let file = FleetFile("f", size: 1000)
      try await fleet.add([file])
      let bad = try await runner(fleet, BrokenShare.all[0]).finish(seconds: 60)
      expect(bad, exits: 3)
      #expect(bad.errors.contains(BrokenShare.all[0].message), "\(bad)")
      #expect(try fleet.count("state = 'queued' AND attempts = 0") == 1)
      expect(try await fleet.runner("good").finish(seconds: 60), exits: 0)
      try await fleet.expectDone([file])
    }
  }

  @Test("a share without its mark is refused by all; the advice brings it back; jobs of older versions need none")
  func lostMark() async throws {
    try await Fleet.use { fleet in
      let (one, two, three) = (FleetFile("f", size: 1000), FleetFile("g", size: 1000), FleetFile("h", size: 1000))
      try await fleet.add([one])
      let mark = fleet.sandbox.path(".dray-share")
      try FileManager.default.removeItem(atPath: mark)
      fleet.sandbox.server[two.path] = two.resource
      let add = ["add", "-d", fleet.sandbox.downloads, fleet.sandbox.server.url(two.path)]
      let refused = try await fleet.dray(add)
      expect(refused, exits: 3)
      expect(try await fleet.runner("r").finish(seconds: 60), exits: 3)
      let doctor = try await fleet.dray(["doctor"])
      let advice = try #require(refused.errors.components(separatedBy: "`").dropFirst().first)
      #expect(doctor.output.contains(advice), "\(doctor)")
      expect(try await fleet.sandbox.shell(advice), exits: 0)
      expect(try await fleet.dray(add), exits: 0)
      expect(try await fleet.runner("r").finish(seconds: 60), exits: 0)
      try await fleet.expectDone([one, two])
      // As a store of an older version is.
      try FileManager.default.removeItem(atPath: mark)
      try fleet.sql("DELETE FROM settings WHERE name LIKE 'share %'")
      try await fleet.add([three])
      try FileManager.default.removeItem(atPath: mark)
      try fleet.sql("DELETE FROM settings WHERE name LIKE 'share %'")
      expect(try await fleet.runner("r").finish(seconds: 60), exits: 0)
      try await fleet.expectDone([one, two, three])
    }
  }
}
