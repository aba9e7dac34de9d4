// Changes to a part file between two runs: R27. Only durable and present bytes count.

import FaultServer
import Foundation
import Testing

@Suite("Part file")
struct PartFileTests {
  enum Damage: Sendable, CaseIterable {
    case truncated, emptied, deleted, grownPastTheTotal, replacedBySymlink
    case tailZeroed, tailFlipped

    func apply(to path: String) throws {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let tail = Int(ResumeCase.half) - 10_000..<Int(ResumeCase.half)
      switch self {
      case .truncated: bytes = bytes.prefix(100_000)
      case .emptied: bytes = Data()
      case .grownPastTheTotal: bytes += Data(repeating: 7, count: Int(ResumeCase.size) * 2)
      case .tailZeroed: bytes.replaceSubrange(tail, with: Data(count: tail.count))
      case .tailFlipped: bytes[tail.upperBound - 1] ^= 0xFF
      case .deleted:
        return try FileManager.default.removeItem(atPath: path)
      case .replacedBySymlink:
        try FileManager.default.removeItem(atPath: path)
        return try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: path + ".elsewhere")
      }
      // In place: the same file, like lost writes of a disk.
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: bytes)
      try file.close()
    }
  }

  @Test("R27 a part file that was changed between two runs", arguments: Damage.allCases)
  func damaged(_ damage: Damage) async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let version = ResumeCase.v1
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let get = ["get", sandbox.server.url("/f"), "--retry-wait", "0.05"]
      _ = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      let name = try #require(sandbox.names().first(where: sandbox.isPartFile))
      try damage.apply(to: sandbox.path(name))
      let second = try await sandbox.dray(get)
      expect(second, exits: 0)
      sandbox.expectFiles(["f": version.content], second)
    }
  }

  @Test("D6 the part file is removed while bytes come: noticed before the rename")
  func removedMeanwhile() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let version = ResumeCase.v1
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let program = try sandbox.start(["get", sandbox.server.url("/f"), "--retry-wait", "0.05"])
      // The server can send its half before the program has created the file.
      try await program.wait(for: "the part file") { sandbox.names().contains(where: sandbox.isPartFile) }
      let name = try #require(sandbox.names().first(where: sandbox.isPartFile))
      try FileManager.default.removeItem(atPath: sandbox.path(name))
      gate.open()
      let finished = try await program.finish()
      // Fetching the file again is as good as an error; success without the file is wrong.
      if finished.status == 0 {
        sandbox.expectFiles(["f": version.content], finished)
      } else {
        expect(finished, exits: 3)
        #expect(!sandbox.names().contains("f"), "\(finished)")
      }
    }
  }

  @Test("P10 a POST whose answer cannot be published is not repeated automatically")
  func answerThatCannotBePublished() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let program = try sandbox.start(["get", "--data", "a=b", sandbox.server.url("/f")])
      try await program.wait(for: "the gate") { gate.arrivals > 0 }
      try await program.wait(for: "a part file") { sandbox.names().contains(where: sandbox.isPartFile) }
      for name in sandbox.names() { try FileManager.default.removeItem(atPath: sandbox.path(name)) }
      gate.open()
      expect(try await program.finish(), exits: 3, saying: "may have taken effect")
      expect(try await sandbox.dray("run"), exits: 0)
      #expect(sandbox.server.requests("/f").count == 1)
      sandbox.expectNoFiles()
    }
  }

  @Test("D6 the target directory is removed while bytes come: 3")
  func directoryRemovedMeanwhile() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half)])
      try FileManager.default.createDirectory(
        atPath: sandbox.path("sub"), withIntermediateDirectories: false)
      let program = try sandbox.start(["get", sandbox.server.url("/f"), "-d", sandbox.path("sub")])
      try await program.wait(for: "the gate") { gate.arrivals > 0 }
      try await program.wait(for: "the part file") {
        sandbox.names(in: sandbox.path("sub")).contains(where: sandbox.isPartFile)
      }
      try FileManager.default.removeItem(atPath: sandbox.path("sub"))
      gate.open()
      expect(try await program.finish(), exits: 3)
      sandbox.expectNoFiles()
    }
  }

  @Test("a visible part file contains the file's name from the start, keeps it, and is removed at the end")
  func visible() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let version = ResumeCase.v1
      sandbox.server["/url-name.bin"] = .init(version, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let get = ["get", sandbox.server.url("/url-name.bin")]
      let half = try await sandbox.runHalf(
        get + ["--part-name", "visible"], gate: gate, bytes: ResumeCase.half, stop: .kill)
      let name = "url-name.bin.\(half.uuid).part"
      #expect(sandbox.names() == [name] && half.partFile == sandbox.path(name))
      #expect(sandbox.mode(of: sandbox.path(name)) == 0o600)
      expect(try await sandbox.dray("list", "--parts"), exits: 0, saying: sandbox.path(name))
      expect(try await sandbox.dray("path", "--part", "1"), exits: 0, saying: sandbox.path(name))
      // Its own store knows the owner, and so do other stores, by the label.
      expect(try await sandbox.dray("clean", sandbox.downloads), exits: 0, saying: "0 part files removed")
      try sandbox.age(name)
      let other = try await sandbox.start(["clean", sandbox.downloads]) {
        $0.environment["DRAY_HOME"] = sandbox.root + "/other"
      }.finish()
      // Without labels, a part file without a known owner stays, too.
      #if DRAY_PORTABLE
      expect(other, exits: 0, saying: "0 part files removed")
      #else
      expect(other, exits: 0, saying: "it belongs to the job store in")
      #endif
      #expect(sandbox.names() == [name])
      // The same command without the option continues it.
      let second = try await sandbox.dray(get)
      expect(second, exits: 0)
      sandbox.expectFiles(["url-name.bin": version.content], second)
      let last = try #require(sandbox.server.requests("/url-name.bin").last)
      #expect(last.fields.contains { $0.name.lowercased() == "range" })
    }
  }

  @Test("a visible part file goes with its job; a file of another program with such a name stays")
  func visibleIsRemoved() async throws {
    try await Sandbox.use { sandbox in
      let foreign = "notes.\(UUID().uuidString).part"
      try sandbox.write("not dray's", to: foreign)
      try sandbox.age(foreign)
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let configuration = try sandbox.write("part-name = \"visible\"\n", to: "../config.toml")
      let half = try await sandbox.runHalf(
        ["get", "--config", configuration, "-o", "mine", sandbox.server.url("/f")], gate: gate, bytes: ResumeCase.half,
        stop: .interrupt)
      #expect(sandbox.names() == [foreign, "mine.\(half.uuid).part"])
      expect(try await sandbox.dray("remove", "1"), exits: 0)
      #expect(sandbox.names() == [foreign])
      expect(try await sandbox.dray("clean", sandbox.downloads), exits: 0, saying: "0 part files removed")
      #expect(sandbox.names() == [foreign])
      expect(try await sandbox.dray("clean", sandbox.path(foreign)), exits: 0, saying: "1 part file removed")
      expect(try await sandbox.dray("get", "--part-name", "shown", sandbox.server.url("/f")), exits: 2)
    }
  }
}
