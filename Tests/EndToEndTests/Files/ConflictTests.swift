// A target that is there already: N5, N6 of CASES.md, and the same `get` again.

import FaultServer
import Foundation
import Testing

@Suite("Conflicts")
struct ConflictTests {
  static let version = AnswerCase.version
  static let old = Content.fixed("old".utf8)

  enum Obstacle: Sendable, CaseIterable {
    case file, directory, symlink, danglingSymlink, fifo

    func make(at path: String, in sandbox: Sandbox) throws {
      let files = FileManager.default
      switch self {
      case .file: try Data("old".utf8).write(to: URL(fileURLWithPath: path))
      case .directory: try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .symlink:
        try Data("old".utf8).write(to: URL(fileURLWithPath: sandbox.root + "/elsewhere"))
        try files.createSymbolicLink(atPath: path, withDestinationPath: sandbox.root + "/elsewhere")
      case .danglingSymlink:
        try files.createSymbolicLink(atPath: path, withDestinationPath: sandbox.root + "/elsewhere")
      case .fifo: try #require(mkfifo(path, 0o600) == 0)
      }
    }

    /// Whether what `make` made is still there as it was, and nothing was written through it.
    func isUntouched(at path: String, in sandbox: Sandbox) -> Bool {
      let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
      let elsewhere = FileManager.default.contents(atPath: sandbox.root + "/elsewhere")
      return switch self {
      case .file: FileManager.default.contents(atPath: path) == Data("old".utf8)
      case .directory: type == .typeDirectory
      case .symlink: type == .typeSymbolicLink && elsewhere == Data("old".utf8)
      case .danglingSymlink: type == .typeSymbolicLink && elsewhere == nil
      case .fifo: type != .typeRegular && type != .typeDirectory && type != .typeSymbolicLink && type != nil
      }
    }
  }

  @Test("N5 fail: exit 3, the message names the other ways", arguments: Obstacle.allCases)
  func fail(_ obstacle: Obstacle) async throws {
    try await Sandbox.use { sandbox in
      try obstacle.make(at: sandbox.path("f"), in: sandbox)
      sandbox.server["/f"] = .init(Self.version)
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"))
      expect(finished, exits: 3, saying: "--on-conflict")
      #expect(obstacle.isUntouched(at: sandbox.path("f"), in: sandbox), "\(finished)")
      #expect(sandbox.names() == ["f"], "\(finished)")
    }
  }

  @Test("N5 rename: beside it, under another name", arguments: Obstacle.allCases)
  func rename(_ obstacle: Obstacle) async throws {
    try await Sandbox.use { sandbox in
      try obstacle.make(at: sandbox.path("f.bin"), in: sandbox)
      sandbox.server["/f.bin"] = .init(Self.version)
      let finished = try await sandbox.dray("get", sandbox.server.url("/f.bin"), "--on-conflict", "rename")
      expect(finished, exits: 0)
      #expect(obstacle.isUntouched(at: sandbox.path("f.bin"), in: sandbox), "\(finished)")
      let others = sandbox.names().subtracting(["f.bin"])
      let other = try #require(others.first, "\(finished)")
      #expect(others.count == 1 && other.hasSuffix(".bin"))
      #expect(Self.version.content.difference(fromFileAt: sandbox.path(other)) == nil)
    }
  }

  @Test(
    "N5 overwrite: the name is taken over, a link is not followed",
    arguments: [Obstacle.file, .symlink, .danglingSymlink])
  func overwrite(_ obstacle: Obstacle) async throws {
    try await Sandbox.use { sandbox in
      try obstacle.make(at: sandbox.path("f"), in: sandbox)
      sandbox.server["/f"] = .init(Self.version)
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"), "--on-conflict", "overwrite")
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.version.content], finished)
      let elsewhere = FileManager.default.contents(atPath: sandbox.root + "/elsewhere")
      #expect(elsewhere == (obstacle == .symlink ? Data("old".utf8) : nil))
    }
  }

  @Test("N5 overwrite keeps the old file until the new one is whole")
  func overwriteFails() async throws {
    try await Sandbox.use { sandbox in
      try Obstacle.file.make(at: sandbox.path("f"), in: sandbox)
      sandbox.server["/f"] = .init(Self.version, script: [.cut(after: 1000), .status(404)])
      let finished = try await sandbox.dray(
        "get", sandbox.server.url("/f"), "--on-conflict", "overwrite", "--retry-wait", "0.05")
      expect(finished, exits: 8)
      #expect(sandbox.read("f") == "old")
    }
  }

  @Test("N5 overwrite does not remove a directory: 3")
  func overwriteDirectory() async throws {
    try await Sandbox.use { sandbox in
      try Obstacle.directory.make(at: sandbox.path("f"), in: sandbox)
      sandbox.server["/f"] = .init(Self.version)
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"), "--on-conflict", "overwrite")
      expect(finished, exits: 3)
      #expect(Obstacle.directory.isUntouched(at: sandbox.path("f"), in: sandbox))
      #expect(sandbox.names() == ["f"], "\(finished)")
    }
  }

  @Test("N5 skip: exit 0, nothing transferred")
  func skip() async throws {
    try await Sandbox.use { sandbox in
      try Obstacle.file.make(at: sandbox.path("f"), in: sandbox)
      sandbox.server["/f"] = .init(Self.version)
      let finished = try await sandbox.dray(
        "get", sandbox.server.url("/f"), "-o", "f", "--on-conflict", "skip")
      expect(finished, exits: 0)
      #expect(sandbox.server.requests.isEmpty, "\(finished)")
      #expect(sandbox.read("f") == "old" && sandbox.names() == ["f"])
    }
  }

  @Test("N5 a target that appears while bytes come is not replaced", arguments: Obstacle.allCases)
  func appearsMeanwhile(_ obstacle: Obstacle) async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.version, script: [.held(by: gate, after: 100_000)])
      let program = try sandbox.start(["get", sandbox.server.url("/f")])
      try await program.wait(for: "the gate") { gate.arrivals > 0 }
      try obstacle.make(at: sandbox.path("f"), in: sandbox)
      gate.open()
      let finished = try await program.finish()
      expect(finished, exits: 3)
      #expect(obstacle.isUntouched(at: sandbox.path("f"), in: sandbox), "\(finished)")
    }
  }

  @Test("N6 two jobs with one target: the second is refused, or renamed", arguments: ["fail", "rename"])
  func twoJobs(_ way: String) async throws {
    try await Sandbox.use { sandbox in
      let other = Version.named("other", size: 1000)
      sandbox.server["/a"] = .init(Self.version)
      sandbox.server["/b"] = .init(other)
      expect(try await sandbox.dray("add", sandbox.server.url("/a"), "-o", "same.bin"), exits: 0)
      let second = try await sandbox.dray(
        "add", sandbox.server.url("/b"), "-o", "same.bin", "--on-conflict", way)
      expect(second, exits: way == "fail" ? 3 : 0)
      let run = try await sandbox.dray("run")
      expect(run, exits: 0)
      #expect(sandbox.names().count == (way == "fail" ? 1 : 2), "\(run)")
      #expect(Self.version.content.difference(fromFileAt: sandbox.path("same.bin")) == nil)
    }
  }

  @Test("the same `get` again: already complete, and nobody is asked")
  func again() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = ["get", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      let second = try await sandbox.dray(get)
      expect(second, exits: 0, saying: "already complete")
      #expect(sandbox.server.requests.count == 1, "\(second)")
      #expect(try await sandbox.jobs().count == 1)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("the same `get` again after the target was removed: fetched anew")
  func againWhenGone() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = ["get", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      try FileManager.default.removeItem(atPath: sandbox.path("f"))
      let second = try await sandbox.dray(get)
      expect(second, exits: 0)
      #expect(sandbox.server.requests.count == 2, "\(second)")
      sandbox.expectFiles(["f": Self.version.content], second)
    }
  }

  @Test("the same `get` again after the target was changed by hand: a conflict, and it is left alone")
  func againWhenChanged() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = ["get", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      try sandbox.write("mine", to: "f")
      let second = try await sandbox.dray(get)
      expect(second, exits: 3)
      #expect(sandbox.read("f") == "mine")
    }
  }

  @Test("a URL given twice in one call is one job")
  func twiceInOneCall() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let url = sandbox.server.url("/f")
      let finished = try await sandbox.dray("get", url, url)
      expect(finished, exits: 0)
      #expect(sandbox.server.requests.count == 1, "\(finished)")
      #expect(try await sandbox.jobs().count == 1)
    }
  }
}
