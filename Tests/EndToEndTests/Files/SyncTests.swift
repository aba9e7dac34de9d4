// The syncs before a file counts as complete, observed with strace.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Syncing", .needs(.programs("strace")))
struct SyncTests {
  /// Runs `get` of some small files under strace, and returns the syncing calls with their paths.
  private func calls(_ sandbox: Sandbox, files: Int, _ options: [String]) async throws -> [Substring] {
    for index in 0..<files { sandbox.server["/s\(index)"] = .init(Version.named("v\(index)", size: 5000)) }
    let urls = (0..<files).map { sandbox.server.url("/s\($0)") }
    let trace = sandbox.root + "/trace"
    let program = try programPath()
    let finished = try await sandbox.tool(
      "strace",
      ["-f", "-y", "-e", "trace=fsync,fdatasync,syncfs", "-o", trace, program, "get", "-j", "16"] + options + urls)
    expect(finished, exits: 0)
    #expect(sandbox.names().count == files)
    let text = String(decoding: FileManager.default.contents(atPath: trace) ?? Data(), as: UTF8.self)
    return text.split(separator: "\n").filter { $0.contains(sandbox.downloads) }
  }

  @Test("each file is synced before its rename, and the directory after it")
  func synced() async throws {
    try await Sandbox.use { sandbox in
      let calls = try await calls(sandbox, files: 1, [])
      #expect(calls.contains { $0.contains("fdatasync") && $0.contains(".part") }, "\(calls)")
      #expect(calls.last { !$0.contains(".part") }?.contains("fsync") ?? false, "\(calls)")
    }
  }

  @Test("many small files share a sync of their file system, or are synced one by one")
  func shared() async throws {
    try await Sandbox.use { sandbox in
      let calls = try await calls(sandbox, files: 60, [])
      let whole = calls.count { $0.contains("syncfs") }
      let single = calls.count { $0.contains("fdatasync") }
      // A group of three or fewer is synced one by one. If the file system cannot be synced as a whole, all groups are.
      #expect(whole > 0 || single == 60, "\(calls)")
      #expect(single <= 60)
    }
  }

  @Test("--no-sync syncs neither files nor directories")
  func notSynced() async throws {
    try await Sandbox.use { sandbox in
      let calls = try await calls(sandbox, files: 60, ["--no-sync"])
      #expect(calls.isEmpty, "\(calls)")
    }
  }
}
