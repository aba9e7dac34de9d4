// Scenarios quick enough to be tried at every call in a soak: adding, small files, publishing, recovery.

import FaultServer
import Foundation

extension CrashScenario {
  /// All of these scenarios; each takes a fraction of a second.
  static let quick: [CrashScenario] = [
    add("first-add", count: 1, hasStore: false),
    add("add", count: 1),
    addList,
    get("small", ["-o", "f0"]),
    get("visible", ["--part-name", "visible"]),
    get("temp-dir", ["--temp-dir", "../temporary/unfinished", "--xattr"]),
    get("temp-dir-disk", ["--temp-dir", "/dev/shm"]),
    rule,
    get("publish-rename", ["--on-conflict", "rename"], target: "f0.1", present: ["f0": old]),
    get("publish-overwrite", ["--on-conflict", "overwrite"], target: "f0", present: ["f0": old]),
    group,
    proved,
    recovery("recovery-before-rename"),
    recovery("recovery-after-rename", isAfter: true),
    recovery("recovery-name-taken", ["--on-conflict", "rename"], target: "f0.1", planted: ["f0": old]),
    recovery("recovery-overwrite", ["--on-conflict", "overwrite"], call: "renameat", present: ["f0": old]),
    kept("remove", ["remove", "--all"], again: [["remove", "--all"]], wanted: [:]),
    kept("retry", ["retry", "--all"], again: [["run"]], wanted: small()),
  ]

  static let old = Content.generated(seed: 77, size: 3000)

  static func add(_ name: String, count: Int, hasStore: Bool = true) -> CrashScenario {
    let wanted = small(count)
    return CrashScenario(
      name: name,
      prepare: { sandbox, _ in
        serve(wanted, sandbox)
        if hasStore { try await plantStore(sandbox) }
      },
      command: { sandbox in ["add"] + wanted.keys.sorted().map { sandbox.server.url("/\($0)") } },
      again: { sandbox in [["add"] + wanted.keys.sorted().map { sandbox.server.url("/\($0)") }, ["run"]] },
      wanted: wanted)
  }

  /// A rule that depends on the answer: the file goes into a different directory from the requested one.
  private static let rule: CrashScenario = {
    let get: @Sendable (Sandbox) -> [String] = {
      ["get", "--config", $0.root + "/streams/rules.toml", $0.server.url("/f0")]
    }
    return CrashScenario(
      name: "rule",
      prepare: { sandbox, _ in
        serve(small(), sandbox)
        try await plantStore(sandbox)
        let rule = "[[rule]]\nmin-size = 1\ndir = \"\(sandbox.downloads)\"\n"
        try sandbox.write("dir = \"\(sandbox.temporary)/asked\"\n\n\(rule)", to: "../streams/rules.toml")
      },
      command: get, again: { [get($0)] }, wanted: small())
  }()

  /// Several jobs from one list: all or none.
  private static let addList: CrashScenario = {
    let wanted = small(3)
    let add: @Sendable (Sandbox) -> [String] = { ["add", "-i", $0.root + "/streams/list"] }
    return CrashScenario(
      name: "add-list",
      prepare: { sandbox, _ in
        serve(wanted, sandbox)
        try await plantStore(sandbox)
        let lines = wanted.keys.sorted().map { sandbox.server.url("/\($0)") + "\n" }
        try sandbox.write(lines.joined(), to: "../streams/list")
      },
      command: add, again: { [add($0), ["run"]] }, wanted: wanted)
  }()

  /// `get` of one small file; `target` is the name that it must get.
  static func get(
    _ name: String, _ options: [String] = [], target: String = "f0", present: [String: Content] = [:]
  ) -> CrashScenario {
    let version = Version.named("small 0", size: 5000)
    let get: @Sendable (Sandbox) -> [String] = { ["get"] + options + [$0.server.url("/f0")] }
    return CrashScenario(
      name: name,
      prepare: { sandbox, _ in
        try await offer(version, beside: present, sandbox)
      },
      command: get, again: { [get($0)] }, present: present, wanted: [target: [version]])
  }

  /// Serves one small file, with other files in its directory and an empty store.
  private static func offer(_ version: Version, beside present: [String: Content], _ sandbox: Sandbox) async throws {
    sandbox.server["/f0"] = Resource(version)
    for (name, content) in present { try content.write(toFileAt: sandbox.path(name)) }
    try await plantStore(sandbox)
  }

  /// Twenty small files at once, which are published in groups.
  static let group: CrashScenario = {
    let wanted = small(20)
    let get: @Sendable (Sandbox) -> [String] = { sandbox in
      ["get", "-j", "8"] + wanted.keys.sorted().map { sandbox.server.url("/\($0)") }
    }
    return CrashScenario(
      name: "group",
      prepare: { sandbox, _ in
        serve(wanted, sandbox)
        try await plantStore(sandbox)
      },
      command: get, again: { [get($0)] }, wanted: wanted)
  }()

  /// The same with digests that are known beforehand.
  private static let proved: CrashScenario = {
    let wanted = small(20)
    let get: @Sendable (Sandbox) -> [String] = { ["get", "-j", "8", "-i", $0.root + "/streams/list"] }
    return CrashScenario(
      name: "group-digests",
      prepare: { sandbox, _ in
        serve(wanted, sandbox)
        try await plantStore(sandbox)
        let lines = wanted.map { name, versions in
          "\(sandbox.server.url("/\(name)"))\n  checksum=sha-256=\(Sandbox.sha256(versions[0].content))\n"
        }
        try sandbox.write(lines.joined(), to: "../streams/list")
      },
      command: get, again: { [get($0)] }, wanted: wanted)
  }()

  /// `run` continues a publish that an earlier crash interrupted at its rename; `planted` appeared after that crash.
  static func recovery(
    _ name: String, _ options: [String] = [], call: String = Crash.naming("f0"), isAfter: Bool = false,
    target: String = "f0",
    present: [String: Content] = [:], planted: [String: Content] = [:]
  ) -> CrashScenario {
    let version = Version.named("small 0", size: 5000)
    return CrashScenario(
      name: name,
      prepare: { sandbox, _ in
        try await offer(version, beside: present, sandbox)
        let get = ["get"] + options + [sandbox.server.url("/f0")]
        let (finished, _) = try await sandbox.dray(get, until: Crash(call: call, isAfter: isAfter))
        guard finished.exit == .signal(SIGKILL) else { throw HarnessError("no crash at \(call): \(finished)") }
        for (name, content) in planted { try content.write(toFileAt: sandbox.path(name)) }
      },
      command: { _ in ["run"] }, again: { _ in [["run"]] },
      present: present.merging(planted) { $1 }, wanted: [target: [version]])
  }

  /// A command for a job with a complete part file from an earlier crash. Its runner had received the command
  /// `pending`.
  static func kept(
    _ name: String, _ command: [String], again: [[String]], wanted: [String: [Version]],
    pending: String? = nil, end: CrashEnd = CrashEnd()
  ) -> CrashScenario {
    CrashScenario(
      name: name,
      prepare: { sandbox, _ in
        serve(small(), sandbox)
        try await plantStore(sandbox)
        let (finished, _) = try await sandbox.dray(
          ["get", "-o", "f0", sandbox.server.url("/f0")], until: Crash(call: "fdatasync:.part"))
        guard finished.exit == .signal(SIGKILL) else { throw HarnessError("no crash at fdatasync: \(finished)") }
        guard let pending else { return }
        let script = """
          import sqlite3, sys
          store = sqlite3.connect(sys.argv[1])
          store.execute("UPDATE jobs SET command = ? WHERE runner IS NOT NULL", sys.argv[2:])
          sys.exit(store.total_changes != 1 or store.commit())
          """
        let written = try await sandbox.tool("python3", ["-c", script, sandbox.home + "/dray.sqlite", pending])
        guard written.status == 0 else { throw HarnessError("\(written)") }
      },
      command: { _ in command }, again: { _ in again }, wanted: wanted, end: end)
  }
}
