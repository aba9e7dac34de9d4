// Disks that are full, read-only or strange: D1, D5 of CASES.md. Small file systems in memory stand for disks,
// where the tests may mount them (root); elsewhere these tests say that they were skipped.

import FaultServer
import Foundation
import Testing

/// Whether file systems may be mounted here.
private let mayMount = geteuid() == 0 && (try? toolPath("mount")) != nil

@Suite("Disk", .enabled(if: mayMount, "mounting a tmpfs needs root"))
struct DiskTests {
  /// Runs `body` with a file system of `size` at a directory inside the download directory.
  private func onSmallDisk(
    _ size: String, options: String = "", _ body: (Sandbox, String) async throws -> Void
  ) async throws {
    try await Sandbox.use { sandbox in
      let disk = sandbox.root + "/disk"
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
      let mounted = try await sandbox.tool(
        "mount", ["-t", "tmpfs", "-o", "size=\(size)\(options)", "none", disk])
      expect(mounted, exits: 0)
      do {
        try await body(sandbox, disk)
      } catch {
        _ = try? await sandbox.tool("umount", ["-l", disk])
        throw error
      }
      expect(try await sandbox.tool("umount", ["-l", disk]), exits: 0)
    }
  }

  @Test("D1 too little space is known before a byte is fetched: 3, with numbers")
  func knownBefore() async throws {
    try await onSmallDisk("1m") { sandbox, disk in
      sandbox.server["/f"] = .init(.named("v1", size: 8 << 20))
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"), "-d", disk)
      expect(finished, exits: 3, saying: "space")
      #expect(!sandbox.names(in: disk).contains("f"))
      #expect(sandbox.names(in: disk).allSatisfy(sandbox.isPartFile))
    }
  }

  @Test("D1 space runs out at a write: 3, the bytes are kept, and it goes on once there is space")
  func atAWrite() async throws {
    try await onSmallDisk("2m") { sandbox, disk in
      let version = Version.named("v1", size: 8 << 20)
      // Chunked: the length is not known, so that only a write can tell.
      sandbox.server["/f"] = .init(version, script: [Answer { $0.framing = .chunked(.init()) }, .normal])
      let get = ["get", sandbox.server.url("/f"), "-d", disk]
      let full = try await sandbox.dray(get)
      expect(full, exits: 3, saying: "space")
      let job = try await sandbox.onlyJob()
      #expect(job.state == "interrupted" && job.received > 0, "\(full)")
      #expect(sandbox.names(in: disk).allSatisfy(sandbox.isPartFile))
      expect(try await sandbox.tool("mount", ["-o", "remount,size=32m", disk]), exits: 0)
      let second = try await sandbox.dray(get)
      expect(second, exits: 0)
      #expect(version.content.difference(fromFileAt: disk + "/f") == nil, "\(second)")
      #expect(sandbox.names(in: disk) == ["f"])
      #expect(sandbox.server.requests("/f").last?["Range"] != nil, "\(second)")
    }
  }

  @Test("D1 a full disk under the job store: 10")
  func storeOnAFullDisk() async throws {
    try await onSmallDisk("1m") { sandbox, disk in
      let home = disk + "/home"
      let fill = try await sandbox.tool("dd", ["if=/dev/zero", "of=\(disk)/fill", "bs=4096"])
      #expect(fill.status == 1, "\(fill)")
      let program = try sandbox.start(["add", sandbox.server.url("/f")]) {
        $0.environment["DRAY_HOME"] = home
      }
      expect(try await program.finish(), exits: 10)
      #expect(sandbox.server.requests.isEmpty)
    }
  }

  @Test("D5 a read-only directory is refused when the job is added: 3")
  func readOnly() async throws {
    try await onSmallDisk("1m", options: ",ro") { sandbox, disk in
      sandbox.server["/f"] = .init(AnswerCase.version)
      for command in ["add", "get"] {
        let finished = try await sandbox.dray(command, sandbox.server.url("/f"), "-d", disk)
        expect(finished, exits: 3)
        #expect(finished.text.contains(disk), "\(finished)")
      }
      #expect(sandbox.server.requests.isEmpty)
      #expect(try await sandbox.jobs().isEmpty)
    }
  }
}
