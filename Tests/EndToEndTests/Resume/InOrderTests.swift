// --in-order in the built program: a part file that can be read while it grows, and standard output that gets each byte
// once, whatever is fetched again.

import FaultServer
import Foundation
import Testing

@Suite("In order")
struct InOrderTests {
  private static let mib: Int64 = 1 << 20

  /// Returns how many bytes at the beginning of a file are right. Bytes behind them must be right too, or missing,
  /// which reads as zeros.
  private func front(of path: String, _ content: [UInt8]) -> Int {
    let found = FileManager.default.contents(atPath: path).map(Array.init) ?? []
    let front = zip(found, content).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? found.count
    #expect(found.count <= content.count)
    var wrong = 0
    for index in front..<max(front, min(found.count, content.count))
    where found[index] != content[index] && found[index] != 0 { wrong += 1 }
    #expect(wrong == 0, "\(wrong) bytes behind \(front)")
    return front
  }

  @Test("P1 a part file with a visible name grows from its start, and the target appears whole")
  func visible() async throws {
    try await Sandbox.use { sandbox in
      let version = FaultServer.Version.named("v1", size: 6 * Self.mib)
      let content = version.content.allBytes
      sandbox.server["/film.mkv"] = .init(version, script: [Answer { $0.rate = 256 << 10 }])
      let program = try sandbox.start(["get", "--in-order", "-x", "4", sandbox.server.url("/film.mkv")])
      try await program.wait(for: "the part file") { !sandbox.names().isEmpty }
      let name = try #require(sandbox.names().first)
      #expect(sandbox.isPartFile(name) && name.hasPrefix("film.mkv."))
      var fronts: [Int] = []
      while program.exit == nil {
        // The target is another name for the same file, once it is complete.
        let isWhole = sandbox.names().contains("film.mkv")
        fronts.append(front(of: sandbox.path(isWhole ? "film.mkv" : name), content))
        if isWhole { #expect(fronts.last == content.count) }
        try await Task.sleep(for: .milliseconds(50))
      }
      let finished = try await program.finish()
      expect(finished, exits: 0, saying: "readable while it arrives: \(sandbox.path(name))")
      sandbox.expectFiles(["film.mkv": version.content], finished)
      #expect(sandbox.server.requests("/film.mkv").count > 2)
    }
  }

  /// Starts `get -o - --in-order` into the file `out`.
  private func start(_ sandbox: Sandbox, _ arguments: String = "") throws -> RunningProgram {
    let url = sandbox.server.url("/f")
    let line = "exec \"$DRAY\" get -o - --in-order --retry-wait 0.05 \(arguments) '\(url)' >'\(sandbox.path("out"))'"
    return try sandbox.launch("/bin/sh", ["-c", line])
  }

  private func written(_ sandbox: Sandbox) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: sandbox.path("out"))
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }

  @Test("-o - writes what has arrived, while the rest is still missing")
  func early() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = FaultServer.Gate()
      let version = FaultServer.Version.named("v1", size: 4 * Self.mib)
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: 2 * Self.mib)])
      let program = try start(sandbox)
      try await program.wait(for: "the first bytes") { written(sandbox) > Self.mib }
      gate.open()
      expect(try await program.finish(), exits: 0)
      #expect(version.content.difference(fromFileAt: sandbox.path("out")) == nil)
    }
  }

  @Test("P2 connections that break off: each byte is written once", arguments: [1, 4])
  func drops(connections: Int) async throws {
    try await Sandbox.use { sandbox in
      let version = FaultServer.Version.named("v1", size: 6 * Self.mib)
      let cut = Answer { ($0.rate, $0.bodyCut, $0.ending) = (2 << 20, 700_000, .reset) }
      sandbox.server["/f"] = .init(
        version, script: Array(repeating: cut, count: 6) + [.normal.with { $0.rate = 1 << 20 }])
      let finished = try await start(sandbox, "-x \(connections)").finish()
      expect(finished, exits: 0)
      #expect(version.content.difference(fromFileAt: sandbox.path("out")) == nil, "\(finished)")
    }
  }

  @Test("P2 a server without ranges: the file is fetched again, and what was written is compared and not repeated")
  func again() async throws {
    try await Sandbox.use { sandbox in
      let version = FaultServer.Version(.generated(seed: 5, size: 3 * Self.mib))
      let cut = Answer {
        ($0.ignoresRange, $0.bodyCut, $0.ending, $0.headers) = (true, 2 * Self.mib, .reset, ["Accept-Ranges: none"])
      }
      sandbox.server["/f"] = .init(version, script: [cut, .normal.with { $0.ignoresRange = true }])
      let finished = try await start(sandbox).finish()
      expect(finished, exits: 0)
      #expect(version.content.difference(fromFileAt: sandbox.path("out")) == nil, "\(finished)")
    }
  }

  @Test("P2 another version in the middle is an error, and none of its bytes is written")
  func changed() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let old = FaultServer.Version.named("v1", size: 3 * Self.mib)
      let gate = FaultServer.Gate()
      let held = Answer {
        ($0.holds, $0.bodyCut, $0.ending) = ([.gate(gate, after: 2 * Self.mib)], 2 * Self.mib + 100, .reset)
      }
      sandbox.server["/f"] = .init(old, script: [held, .changed(to: .named("v2", size: 3 * Self.mib))])
      let program = try start(sandbox)
      try await program.wait(for: "the first bytes") { written(sandbox) > Self.mib }
      gate.open()
      let finished = try await program.finish()
      expect(finished, exits: 9, saying: "of it were written to standard output")
      let count = written(sandbox)
      #expect(count <= 2 * Self.mib + 100)
      let out = FileManager.default.contents(atPath: sandbox.path("out")).map(Array.init)
      #expect(out == old.content.bytes(in: 0..<count))
    }
  }

  @Test("a reader that leaves ends it")
  func left() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = FaultServer.Gate()
      sandbox.server["/f"] = .init(.named("v1", size: 8 * Self.mib), script: [.held(by: gate, after: 4 * Self.mib)])
      defer { gate.open() }
      let url = sandbox.server.url("/f")
      let finished = try await sandbox.shell("\"$DRAY\" get -o - --in-order '\(url)' | head -c 1000 | wc -c")
      expect(finished, exits: 0, saying: "1000")
    }
  }
}
