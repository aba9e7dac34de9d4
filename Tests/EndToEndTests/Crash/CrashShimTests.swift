// Tests of the tools: the shim kills at the given call, and the checks find faults.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Crash shim")
struct CrashShimTests {
  private static let version = Version.named("v1", size: 5000)
  private static let scenario = CrashScenario(
    name: "test", prepare: { _, _ in }, command: { _ in [] }, again: { _ in [] }, wanted: ["f": [version]])

  /// Runs `add` in a new sandbox until the call with that number; returns its end and the jobs.
  private func add(at number: UInt64) async throws -> (exit: Exit, record: CrashRecord, jobs: Int)? {
    _ = try await CrashScenario.emptyStore.value
    var result: (Exit, CrashRecord, Int)?
    try await Sandbox.use { sandbox in
      try await CrashScenario.plantStore(sandbox)
      let (finished, record) = try await sandbox.dray(["add", sandbox.server.url("/f")], until: Crash(at: number))
      result = (finished.exit, record, try await sandbox.jobs().count)
    }
    return result
  }

  @Test("it kills at the first call and at the last; past the last, the run is whole")
  func kills() async throws {
    let whole = try #require(try await add(at: 0))
    let calls = whole.record.count
    #expect(whole.exit == .code(0) && whole.record.call.isEmpty && whole.jobs == 1 && calls > 1)
    let first = try #require(try await add(at: 1))
    #expect(first.exit == .signal(SIGKILL) && !first.record.call.isEmpty && first.jobs == 0)
    let last = try #require(try await add(at: calls))
    #expect(last.exit == .signal(SIGKILL) && last.jobs == 1, "\(last)")
    let past = try #require(try await add(at: calls + 1))
    #expect(past.exit == .code(0) && past.record.count == calls && past.jobs == 1)
  }

  @Test("it kills at the call of a name, before it or after it; a torn write has half of its bytes")
  func names() async throws {
    _ = try await CrashScenario.emptyStore.value
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = Resource(Self.version)
      try await CrashScenario.plantStore(sandbox)
      let get = ["get", sandbox.server.url("/f")]
      let (torn, write) = try await sandbox.dray(get, until: Crash(call: "pwrite:.part", isTorn: true))
      #expect(torn.exit == .signal(SIGKILL) && write.path.hasSuffix(".part"), "\(write)")
      let half = Content.fixed(Self.version.content.bytes(in: 0..<2500))
      #expect(half.difference(fromFileAt: write.path) == nil)
      let (before, rename) = try await sandbox.dray(get, until: Crash(call: Crash.naming("f")))
      #expect(before.exit == .signal(SIGKILL) && rename.path == "f" && Crash.naming("f") == "\(rename.call):f")
      sandbox.expectOnlyWholePartFile(Self.version.content)
      expect(try await sandbox.dray("remove", "--all"), exits: 0)
      #if DRAY_PORTABLE
      let last = Crash(call: "unlinkat:.part", isAfter: true)
      #else
      let last = Crash(call: Crash.naming("f"), isAfter: true)
      #endif
      let (after, _) = try await sandbox.dray(get, until: last)
      #expect(after.exit == .signal(SIGKILL))
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  /// A forbidden state, made by hand, and the promise that the check must name.
  struct Wrong: Sendable, CustomStringConvertible {
    var rule: String
    var description: String
    var make: @Sendable (Sandbox, ListedJob) throws -> Void
  }

  static let wrongs: [Wrong] = [
    Wrong(rule: "P1", description: "half of the file as the target") { sandbox, _ in
      try Content.fixed(version.content.bytes(in: 0..<2500)).write(toFileAt: sandbox.path("f"))
    },
    Wrong(rule: "P1", description: "bytes of another version in the target") { sandbox, _ in
      let other = Version.named("v2", size: 5000).content
      try Content.fixed(version.content.bytes(in: 0..<2500) + other.bytes(in: 2500..<5000)).write(
        toFileAt: sandbox.path("f"))
    },
    Wrong(rule: "P3", description: "no store any more") { sandbox, _ in
      // An unmerged log contains all of a new store.
      for name in ["dray.sqlite", "dray.sqlite-wal"] {
        try? FileManager.default.removeItem(atPath: sandbox.home + "/" + name)
      }
      try "no store".write(toFile: sandbox.home + "/dray.sqlite", atomically: false, encoding: .utf8)
    },
    Wrong(rule: "P4", description: "other bytes than were recorded") { sandbox, job in
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: sandbox.path(".\(job.uuid).part")))
      try file.write(contentsOf: Data([version.content.bytes(in: 0..<1)[0] ^ 1]))
      try file.close()
    },
    Wrong(rule: "P4", description: "fewer bytes than were recorded") { sandbox, job in
      guard truncate(sandbox.path(".\(job.uuid).part"), 1000) == 0 else { throw HarnessError("truncate") }
    },
    Wrong(rule: "P5", description: "a part file of no job") { sandbox, _ in
      try sandbox.write("", to: ".\(UUID().uuidString).part")
    },
    Wrong(rule: "P5", description: "a part file that others may read") { sandbox, job in
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: sandbox.path(".\(job.uuid).part"))
    },
    Wrong(rule: "P6", description: "a file with another name") { sandbox, _ in try sandbox.write("", to: "g") },
    Wrong(rule: "P6", description: "a file elsewhere") { sandbox, _ in try sandbox.write("", to: "../g") },
  ]

  @Test("the check names the fault after a crash", arguments: wrongs)
  func checks(_ wrong: Wrong) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = Resource(Self.version, script: [.held(by: gate, after: 4000), .normal])
      let get = ["get", sandbox.server.url("/f")]
      let job = try await sandbox.runHalf(get, gate: gate, bytes: 4000, stop: .interrupt)
      let killed = Finished(command: "", exit: .signal(SIGKILL), output: "", errors: "")
      var right = CrashCheck(Self.scenario, sandbox, nil)
      try await right.afterCrash(killed)
      #expect(right.problems == [])
      try wrong.make(sandbox, job)
      var check = CrashCheck(Self.scenario, sandbox, nil)
      try await check.afterCrash(killed)
      #expect(check.problems.contains { $0.hasPrefix(wrong.rule) }, "\(check.problems)")
    }
  }

  @Test("the check names anything missing at the end")
  func ends() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = Resource(Self.version)
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      var unfinished = CrashCheck(Self.scenario, sandbox, nil)
      _ = try await unfinished.atEnd()
      #expect(
        unfinished.problems.contains { $0.hasPrefix("P3") } && unfinished.problems.contains { $0.hasPrefix("P5") })
      expect(try await sandbox.dray("run"), exits: 0)
      var right = CrashCheck(Self.scenario, sandbox, nil)
      _ = try await right.atEnd()
      #expect(right.problems == [])
      expect(try await sandbox.dray("get", "-o", "f2", sandbox.server.url("/f")), exits: 0)
      var twice = CrashCheck(Self.scenario, sandbox, nil)
      _ = try await twice.atEnd()
      #expect(twice.problems.contains { $0.hasPrefix("P3") })
    }
  }

  @Test(
    "a sample is spread over all calls, and a seed repeats it",
    .unlessChosen(by: "DRAY_SOAK"))
  func samples() {
    var scenario = Self.scenario
    scenario.sample = 60
    let crashes = CrashSweep(scenario).crashes(of: 400)
    #expect(crashes.count == 60 && crashes.map(\.at) == crashes.map(\.at).sorted())
    #expect(crashes.first.map { $0.at <= 7 } == true && crashes.last.map { $0.at > 393 } == true)
    #expect(crashes.map(\.description) == CrashSweep(scenario).crashes(of: 400).map(\.description))
    scenario.sample = 1000
    let all = CrashSweep(scenario).crashes(of: 20)
    #expect(all.map(\.at) == (1...20).flatMap { [$0, $0] } && all.count(where: \.isTorn) == 20)
  }
}

extension Sandbox {
  /// Expects one part file that is whole, and nothing else.
  func expectOnlyWholePartFile(_ content: Content, sourceLocation: SourceLocation = #_sourceLocation) {
    let names = names()
    let isWhole = names.allSatisfy { isPartFile($0) && content.difference(fromFileAt: path($0)) == nil }
    #expect(names.count == 1 && isWhole, "\(names)", sourceLocation: sourceLocation)
  }
}
