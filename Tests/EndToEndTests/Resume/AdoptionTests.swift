// Partial files of other programs: for any content, the published file is the server's, byte for byte (P2, P12).

import FaultServer
import Foundation
import Testing

@Suite("Adoption")
struct AdoptionTests {
  private static let mib: Int64 = 1 << 20
  private static let size = 10 * mib
  private static let half = 6 * mib + 12_345
  private static let v1 = Version.named("v1", size: size)
  private static let v2 = Version.named("v2", size: size)

  private static func bytes(_ range: Range<Int64>, of version: Version = v1) -> [UInt8] {
    version.content.bytes(in: range)
  }

  /// All of v1, with other bytes in a range.
  private static func changed(_ range: Range<Int64>, _ other: [UInt8]? = nil) -> [UInt8] {
    bytes(0..<range.lowerBound) + (other ?? bytes(range, of: v2)) + bytes(range.upperBound..<size)
  }

  private static func zeros(_ count: Int64) -> [UInt8] { [UInt8](repeating: 0, count: Int(count)) }

  /// A partial file, the server of the whole file, and the expected outcome.
  struct Row: Sendable, CustomTestStringConvertible {
    var what: String
    /// The file's content.
    var file: @Sendable () -> [UInt8]
    /// Whether the partial file has the target's name.
    var isTarget = true
    var options: [String] = []
    var script: [Answer] = []
    var exits: Int32 = 0
    var says: String
    /// The largest number of bytes from the server, without those behind splits.
    var most: Int64 = .max
    /// The published file.
    var published = AdoptionTests.v1

    var testDescription: String { what }
  }

  static let rows: [Row] = [
    Row(what: "half of it", file: { bytes(0..<half) }, says: "with 6.0 MiB; samples match", most: size - half + mib),
    Row(
      what: "half of it, under another name", file: { bytes(0..<half) }, isTarget: false, says: "; samples match",
      most: size - half + mib),
    Row(what: "all of it", file: { bytes(0..<size) }, says: "with 10.0 MiB; samples match", most: mib),
    Row(what: "one byte", file: { bytes(0..<1) }, says: "with 1 B; samples match", most: size + mib),
    Row(
      what: "another version of the same length", file: { bytes(0..<size, of: v2) }, isTarget: false,
      says: "x.part differs from the server's file; nothing"),
    Row(
      what: "another version, that may be replaced", file: { bytes(0..<half, of: v2) },
      options: ["--on-conflict", "overwrite"], says: "f differs from the server's file; nothing"),
    Row(
      what: "another version, that has the name of the target", file: { bytes(0..<half, of: v2) }, exits: 3,
      says: "the target already exists, and nothing of it can be used: its bytes differ", most: 2 * mib),
    Row(
      what: "other bytes in the middle only", file: { changed(5 * mib..<8 * mib) },
      says: "differ, and are fetched again",
      most: 8 * mib),
    Row(
      what: "other bytes at the end only: a page of an error", file: { bytes(0..<half) + Array("<html>sorry".utf8) },
      says: "differ, and are fetched again", most: 8 * mib),
    Row(what: "reserved, and nothing fetched", file: { zeros(size) }, says: "nothing of it was fetched yet"),
    Row(what: "empty", file: { [] }, says: "nothing of it was fetched yet"),
    Row(
      what: "reserved, and fetched in two places", file: { changed(2 * mib + 77..<5 * mib + 99, zeros(3 * mib + 22)) },
      says: "; samples match", most: 4 * mib + mib / 2),
    Row(
      what: "longer than the file", file: { bytes(0..<size) + [1] }, isTarget: false,
      says: "more than the server's file"),
    Row(
      what: "the server serves no parts", file: { bytes(0..<half) }, isTarget: false,
      script: [Answer { $0.ignoresRange = true }], says: "does not serve parts"),
    Row(
      what: "the server serves no parts, and the file has the name of the target", file: { bytes(0..<half) },
      script: [Answer { $0.ignoresRange = true }], exits: 3, says: "does not serve parts", most: size),
    Row(
      what: "nothing identifies the version", file: { bytes(0..<half) }, isTarget: false,
      script: [Answer { $0.without = ["ETag", "Last-Modified"] }], says: "no strong ETag or Last-Modified"),
    Row(
      what: "nothing identifies the version, and an overlap is to be enough", file: { bytes(0..<half) },
      options: ["--resume", "always"], script: [Answer { $0.without = ["ETag", "Last-Modified"] }],
      says: "; samples match", most: size - half + mib),
    Row(
      what: "the server has another version after the first sample", file: { bytes(0..<half) }, isTarget: false,
      script: [.normal, .normal, .changed(to: v2), .normal], says: "the file changed on the server", published: v2),
    Row(
      what: "the server has another version after the last sample", file: { bytes(0..<half) },
      script: [.normal, .normal, .normal, .normal, .normal, .normal, .changed(to: v2), .normal], says: "started over",
      published: v2),
    Row(
      what: "the server refuses If-Range", file: { bytes(0..<half) }, script: [Answer { $0.refusesIfRange = true }],
      says: "; samples match"),
    Row(
      what: "the server is busy at first", file: { bytes(0..<half) }, options: ["--retry-wait", "0.05"],
      script: [.status(503), .normal, .status(503), .normal], says: "; samples match", most: size - half + mib),
    Row(
      what: "a part ends early", file: { bytes(0..<half) }, options: ["--retry-wait", "0.05"],
      script: [.normal, .cut(after: 1000), .normal], says: "; samples match", most: size - half + mib),
    Row(
      what: "the server lies about a part", file: { bytes(0..<half) }, isTarget: false,
      script: [.normal, Answer { $0.start = .shifted(100) }, .normal], says: "is not used: "),
    Row(
      what: "a digest finds what no sample has", file: { changed(mib..<mib + 5) },
      options: ["--checksum", "sha-256=" + Sandbox.sha256(v1.content)],
      says: "the resumed file does not have the expected digest"),
  ]

  @Test("a habit takes over the file that is there", arguments: ["-c", "-C -", "--continue", "--adopt-target"])
  func habit(_ typed: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.v1)
      let words = ["get"] + typed.split(separator: " ").map(String.init) + [sandbox.server.url("/f")]
      try Data(Self.bytes(0..<Self.half)).write(to: URL(fileURLWithPath: sandbox.path("f")))
      let finished = try await sandbox.dray(words, seconds: 120)
      expect(finished, exits: 0, saying: "samples match the server's file")
      sandbox.expectFiles(["f": Self.v1.content], finished)
      #expect(sandbox.server.bytesKept("/f") <= Self.size - Self.half + Self.mib, "\(finished)")
      expect(try await sandbox.dray(words), exits: 0, saying: "already complete")
    }
  }

  @Test("a habit does not replace a file with other bytes")
  func habitWithAnotherFile() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.v1)
      let other = Self.bytes(0..<Self.half, of: Self.v2)
      try Data(other).write(to: URL(fileURLWithPath: sandbox.path("f")))
      let finished = try await sandbox.dray("get", "-c", sandbox.server.url("/f"))
      expect(finished, exits: 3, saying: "nothing of it can be used")
      sandbox.expectFiles(["f": .fixed(other)], finished)
    }
  }

  @Test("P2 the published file is the server's, and a file that is not the target stays", arguments: rows)
  func anyFile(_ row: Row) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.v1, script: row.script)
      let name = row.isTarget ? "f" : "x.part"
      let file = row.file()
      try Data(file).write(to: URL(fileURLWithPath: sandbox.path(name)))
      let finished = try await sandbox.dray(
        ["get", "--adopt", name, "-o", "f", sandbox.server.url("/f")] + row.options, seconds: 120)
      expect(finished, exits: row.exits, saying: row.says)
      var expected = row.exits == 0 ? ["f": row.published.content] : [:]
      if !row.isTarget || row.exits != 0 { expected[name] = .fixed(file) }
      sandbox.expectFiles(expected, finished)
      #expect(sandbox.server.bytesKept("/f") <= row.most, "\(finished)")
      let shown = try await sandbox.dray("show", "1")
      #expect(shown.output.contains("adopts:      \(sandbox.path(name))"), "\(shown)")
      #expect(try await sandbox.dray("show", "--json", "1").output.contains("\"adopted\":{\"file\":"))
    }
  }

  @Test(
    "a file is queued with its partial file, and ignores a changed one", arguments: [false, true])
  func queued(changes: Bool) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.v1)
      try Data(Self.bytes(0..<Self.half)).write(to: URL(fileURLWithPath: sandbox.path("x.crdownload")))
      expect(try await sandbox.dray("add", "--adopt", "x.crdownload", sandbox.server.url("/f")), exits: 0)
      #expect(sandbox.server.requests("/f").isEmpty && sandbox.names() == ["x.crdownload"])
      if changes { try sandbox.write("another", to: "x.crdownload") }
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 0, saying: changes ? "it was changed after it was named" : "; samples match")
      sandbox.expectFiles(
        ["f": Self.v1.content, "x.crdownload": .fixed(changes ? Array("another".utf8) : Self.bytes(0..<Self.half))])
    }
  }

  // MARK: Interruptions

  @Test(
    "P1 P4 stopped while samples are compared: the same command continues, and the file is whole",
    arguments: [SIGKILL, SIGINT])
  func stoppedMeanwhile(signal: Int32) async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let file = Self.bytes(0..<Self.half)
      sandbox.server["/f"] = .init(Self.v1, script: [.normal, .normal, .held(by: gate, after: 100), .normal])
      try Data(file).write(to: URL(fileURLWithPath: sandbox.path("f")))
      let program = try sandbox.start(["get", "--adopt", "f", "-o", "f", sandbox.server.url("/f")])
      try await program.wait(for: "the gate", seconds: 120) { gate.arrivals > 0 }
      program.send(signal)
      let stopped = try await program.finish()
      #expect(stopped.status == (signal == SIGINT ? 130 : nil), "\(stopped)")
      gate.open()
      #expect(Content.fixed(file).difference(fromFileAt: sandbox.path("f")) == nil)
      let job = try await sandbox.onlyJob()
      #expect(job.state == "interrupted" && job.received == 0)
      // Without the option: the job records the adopted file.
      let finished = try await sandbox.dray("get", "-o", "f", sandbox.server.url("/f"))
      expect(finished, exits: 0, saying: "; samples match")
      sandbox.expectFiles(["f": Self.v1.content], finished)
    }
  }

  @Test("P4 killed after bytes were taken over: they are not requested again, and the target is replaced")
  func killedLater() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(
        Self.v1, script: Array(repeating: .normal, count: 6) + [.held(by: gate, after: 100_000), .normal])
      try Data(Self.bytes(0..<Self.half)).write(to: URL(fileURLWithPath: sandbox.path("f")))
      let get = ["get", "-x", "1", "-o", "f", sandbox.server.url("/f")]
      let program = try sandbox.start(get + ["--adopt", "f"])
      try await program.wait(for: "the gate", seconds: 120) { gate.arrivals > 0 }
      try await program.kill9()
      gate.open()
      #expect(try await sandbox.onlyJob().received >= Self.half)
      let before = sandbox.server.bytesSent("/f")
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      #expect(!finished.errors.contains("adopted") && !finished.errors.contains("damaged"), "\(finished)")
      sandbox.expectFiles(["f": Self.v1.content], finished)
      #expect(sandbox.server.bytesSent("/f") - before <= Self.size - Self.half + Joint.overlap)
    }
  }

  @Test("P17 a target changed after its adoption is not replaced")
  func changedLater() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(
        Self.v1, script: Array(repeating: .normal, count: 6) + [.held(by: gate, after: 100_000), .normal])
      try Data(Self.bytes(0..<Self.half)).write(to: URL(fileURLWithPath: sandbox.path("f")))
      let program = try sandbox.start(["get", "-x", "1", "--adopt", "f", "-o", "f", sandbox.server.url("/f")])
      try await program.wait(for: "the gate", seconds: 120) { gate.arrivals > 0 }
      try sandbox.write("somebody else's", to: "f")
      gate.open()
      expect(try await program.finish(), exits: 3, saying: "the target already exists")
      #expect(sandbox.read("f") == "somebody else's")
    }
  }

  @Test("a job with its own bytes keeps them: another program's are refused before anything is changed")
  func jobWithBytes() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.v1, script: [.held(by: gate, after: Self.mib), .normal])
      let get = ["get", "-x", "1", "-o", "f", sandbox.server.url("/f")]
      _ = try await sandbox.runHalf(get, gate: gate, bytes: Self.mib, stop: .interrupt)
      try Data(Self.bytes(0..<Self.half)).write(to: URL(fileURLWithPath: sandbox.path("x.part")))
      expect(
        try await sandbox.dray(get + ["--adopt", "x.part"]), exits: 2, saying: "job 1 has 1.0 MiB of this file already")
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.v1.content, "x.part": .fixed(Self.bytes(0..<Self.half))], finished)
    }
  }

  // MARK: Real programs

  /// A download by another program, stopped half-way.
  struct Program: Sendable, CustomTestStringConvertible {
    var name: String
    var arguments: [String]

    var testDescription: String { ([name] + arguments).joined(separator: " ") }
  }

  static let programs = [
    Program(name: "curl", arguments: ["-s", "-o", "f", "URL"]), Program(name: "wget", arguments: ["-q", "URL"]),
    Program(name: "wget2", arguments: ["-q", "--chunk-size=0", "URL"]),
    Program(
      name: "aria2c",
      arguments: ["-q", "--no-conf", "-x4", "-s4", "-k1M", "--auto-save-interval=1", "--disk-cache=0", "URL"]),
    Program(
      name: "aria2c",
      arguments: ["-q", "--no-conf", "-x1", "--auto-save-interval=1", "--file-allocation=none", "URL"]),
  ]

  @Test("another program's download is continued", arguments: programs, [SIGTERM, SIGKILL])
  func realPrograms(program: Program, signal: Int32) async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.v1, script: [.held(by: gate, after: 3 * Self.mib / 2)])
      let url = sandbox.server.url("/f")
      let other = try sandbox.launch(toolPath(program.name), program.arguments.map { $0 == "URL" ? url : $0 })
      let control = sandbox.path("f.aria2")
      try await other.wait(for: "a MiB", seconds: 120, every: 0.1) {
        if program.name == "aria2c" { return Self.hasPieces(FileManager.default.contents(atPath: control)) }
        return FileManager.default.contents(atPath: sandbox.path("f"))?.count ?? 0 >= Self.mib
      }
      other.send(signal)
      _ = try await other.finish()
      // Its connection stays held, so that no byte for a program that has ended is counted.
      defer { gate.open() }
      sandbox.server["/f"] = .init(Self.v1)
      let before = sandbox.server.requests("/f").count
      let isOfAria2 = FileManager.default.fileExists(atPath: control)
      #expect(isOfAria2 == (program.name == "aria2c"))
      expect(try await sandbox.dray("get", "-o", "f", url), exits: 3, saying: "--adopt FILE continues")
      let finished = try await sandbox.dray("get", "--adopt", "f", url)
      expect(finished, exits: 0, saying: "; samples match")
      if isOfAria2 {
        expect(finished, exits: 0, saying: "f.aria2 is left over and can be removed")
        try FileManager.default.removeItem(atPath: control)
      }
      sandbox.expectFiles(["f": Self.v1.content], finished)
      #expect(sandbox.server.bytesKept("/f", after: before) < Self.size, "\(finished)")
    }
  }

  /// Whether a control file of aria2 marks a piece as done: its bit field follows 34 bytes.
  private static func hasPieces(_ control: Data?) -> Bool {
    guard let control, control.count > 36 else { return false }
    return control[34] != 0 || control[35] != 0
  }

  @Test("a control file that is unreadable, or belongs to another file: nothing is touched")
  func controlFiles() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.v1)
      let file = Self.bytes(0..<Self.half)
      try Data(file).write(to: URL(fileURLWithPath: sandbox.path("x")))
      try sandbox.write("no control file", to: "x.aria2")
      let get = ["get", "--adopt", "x", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 2, saying: "this is not a control file of aria2")
      #expect(sandbox.names() == ["x", "x.aria2"] && sandbox.server.requests("/f").isEmpty)
      #expect(try await sandbox.jobs().isEmpty)
      // One finished piece of 4 MiB, of a file of that length.
      let other: [UInt8] = [
        0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 1, 0x80, 0, 0, 0, 0,
      ]
      try Data(other).write(to: URL(fileURLWithPath: sandbox.path("x.aria2")))
      expect(try await sandbox.dray(get), exits: 0, saying: "is of a file of 4194304 bytes")
      sandbox.expectFiles(["f": Self.v1.content, "x": .fixed(file), "x.aria2": .fixed(other)])
    }
  }

  @Test(
    "other files are refused before anything is queued", arguments: ["fifo", "link", "dir", "missing", "f.aria2"])
  func refused(what: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/g"] = .init(Self.v1)
      expect(
        try await sandbox.shell("mkfifo fifo; mkdir dir; head -c 9 /dev/zero > f; touch f.aria2; ln -s f link"),
        exits: 0)
      let before = sandbox.names()
      expect(
        try await sandbox.dray("get", "--adopt", what, sandbox.server.url("/g")), exits: 2, saying: "cannot be adopted")
      #expect(sandbox.names() == before && sandbox.server.requests("/g").isEmpty)
      #expect(try await sandbox.jobs().isEmpty)
    }
  }
}
