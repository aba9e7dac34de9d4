// Full disks under a service: the disk of the files, and the disk of its state.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Service: full disks", .needs(.root))
struct ServeDiskTests {
  /// Runs `body` with a small file system at a directory.
  private func use(_ size: String, at place: String, _ sandbox: Sandbox, _ body: () async throws -> Void) async throws {
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let words = ["-t", "tmpfs", "-o", "size=\(size),mode=700", "none", place]
    expect(try await sandbox.tool("mount", words), exits: 0)
    do {
      try await body()
    } catch {
      _ = try? await sandbox.tool("umount", ["-l", place])
      throw error
    }
    expect(try await sandbox.tool("umount", ["-l", place]), exits: 0)
  }

  /// Uses up the free space of the disk.
  private func fill(_ directory: String, _ sandbox: Sandbox) async throws {
    _ = try await sandbox.tool("dd", ["if=/dev/zero", "of=\(directory)/fill", "bs=4096", "status=none"])
  }

  @Test("the disk of the files is full: the job fails with a reason, others continue, with room a retry completes it")
  func files() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let (full, other) = (sandbox.root + "/full", sandbox.downloads)
      try await use("2m", at: full, sandbox) {
        let (big, small) = (Version.named("v1", size: 8 << 20), Version.named("v2", size: 50_000))
        // The length is unknown in advance.
        sandbox.server["/big"] = .init(big, script: [Answer { $0.framing = .chunked(.init()) }, .normal])
        sandbox.server["/small"] = .init(small)
        let log = sandbox.root + "/log"
        let service = try await Service.start(in: sandbox, ["--root", full, "--log-file", log])
        let failing = try await service.add(sandbox.server.url("/big"), ["dir": full])
        try await service.program.wait(for: "the failure") { try await service.status(of: failing) == "error" }
        #expect(try await service.status(of: failing, "errorMessage")?.contains("space") == true)
        // Not enough disk space.
        #expect(try await service.status(of: failing, "errorCode") == "9")
        let going = try await service.add(sandbox.server.url("/small"), ["dir": other])
        try await service.program.wait(for: "the other one") { try await service.status(of: going) == "complete" }
        expect(try await sandbox.tool("mount", ["-o", "remount,size=32m", full]), exits: 0)
        let id = try #require(try await sandbox.jobs().first { $0.url.hasSuffix("/big") }?.id)
        let retried = try await service.api("POST", "/jobs/\(id)/retry", "{}")
        #expect(retried.status == "200", "\(retried)")
        try await service.program.wait(for: "the end") { try await service.status(of: failing) == "complete" }
        try await service.stop()
        #expect(big.content.difference(fromFileAt: full + "/big") == nil)
        #expect(sandbox.names(in: full) == ["big"])
        sandbox.expectFiles(["small": small.content])
        let lines = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        #expect(lines.contains("space") && lines.contains("complete: \(full)/big"), "\(lines)")
      }
    }
  }

  @Test("the disk of the state is full: changes are refused as a whole; then everything continues, the log too")
  func state() async throws {
    try await Sandbox.use { sandbox in
      try await use("2m", at: sandbox.home, sandbox) {
        let log = sandbox.home + "/log"
        let service = try await Service.start(in: sandbox, ["--log-file", log, "--log-level", "debug"])
        let known = try await service.add(sandbox.server.url("/known"), ["pause": "true"])
        try await fill(sandbox.home, sandbox)
        var accepted = [known]
        var refusal = ""
        for number in 0..<200 where refusal.isEmpty {
          let call: [Any] = [[sandbox.server.url("/\(number)")], ["pause": "true"]]
          let answer = try #require(try await service.call("aria2.addUri", call) as? String)
          if answer.hasPrefix("!") { refusal = answer } else { accepted.append(answer) }
        }
        #expect(refusal.contains("the disk of the job store is full; make room"), "\(refusal)")
        let posted = try await service.api("POST", "/jobs", service.adding("/posted", paused: true))
        #expect(posted.status == "503" && "\(posted.body)".contains("the disk of the job store is full"), "\(posted)")
        // Existing jobs can be read.
        #expect(try await service.api("GET", "/jobs").status == "200")
        #expect(try await service.status(of: known) == "paused")
        try FileManager.default.removeItem(atPath: sandbox.home + "/fill")
        accepted.append(try await service.add(sandbox.server.url("/last"), ["pause": "true"]))
        let jobs = try await sandbox.jobs()
        let names = jobs.map { String($0.uuid.lowercased().replacing("-", with: "").prefix(16)) }
        #expect(names == accepted)
        try await service.stop()
        let lines = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        #expect(lines.hasSuffix("dray serve has ended\n"), "\(lines.suffix(300))")
      }
    }
  }

  @Test(
    "the disk of the state is full during a transfer: the queue waits, the service listens, and with room it continues")
  func transfer() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      try await use("2m", at: sandbox.home, sandbox) {
        let version = Version.named("v1", size: 60 << 20)
        sandbox.server["/f"] = .init(version, script: [Answer { $0.rate = 1 << 20 }, .normal])
        let service = try await Service.start(in: sandbox)
        let gid = try await service.add(sandbox.server.url("/f"))
        try await service.program.wait(for: "a checkpoint") { try await sandbox.recorded() > 0 }
        try await fill(sandbox.home, sandbox)
        try await service.program.wait(for: "a checkpoint that fails") {
          service.program.errors.contains("the disk of the job store is full")
        }
        #expect(try await service.call("aria2.getGlobalStat") is [String: String])
        #expect(try await service.status("/") == "200")
        try FileManager.default.removeItem(atPath: sandbox.home + "/fill")
        try await service.program.wait(for: "the end", seconds: 60) { try await service.status(of: gid) == "complete" }
        try await service.stop()
        sandbox.expectFiles(["f": version.content])
      }
    }
  }
}
