// Seeds: a new version of a file is put together from an old one and the changed blocks, with control files of zsyncmake.
// zsync itself is the judge of the number of bytes.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Seeds", .needs(.programs("zsync", "zsyncmake")))
struct SeedTests {
  private static let mib: Int64 = 1 << 20

  /// The new version: at six places bytes are changed, put in or taken out.
  private static func changed(_ old: [UInt8]) -> [UInt8] {
    var new = old
    let step = old.count / 7
    for place in 1...6 {
      let at = place * step
      switch place % 3 {
      case 0: new.insert(contentsOf: [UInt8](repeating: 7, count: 100), at: at)
      case 1: new.replaceSubrange(at..<at + 9, with: [1, 2, 3, 4, 5, 6, 7, 8, 9])
      default: new.removeSubrange(at..<at + 50)
      }
    }
    return new
  }

  private static func bytes(_ name: String, _ size: Int64) -> [UInt8] {
    Version.named(name, size: size).content.bytes(in: 0..<size)
  }

  private static let old = bytes("old", 6 * mib + 1234)
  private static let new = changed(old)

  /// The control file that zsyncmake writes for a file that was changed long ago.
  private func control(_ bytes: [UInt8], _ sandbox: Sandbox, _ options: [String] = ["-u", "f"]) async throws -> [UInt8]
  {
    let path = sandbox.temporary + "/f"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let time = Date(timeIntervalSince1970: RealServer.longAgo)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    let made = try await sandbox.tool("zsyncmake", options + ["-o", path + ".zsync", path])
    #expect(made.exit == .code(0), "\(made)")
    return Array(try Data(contentsOf: URL(fileURLWithPath: path + ".zsync")))
  }

  /// Serves the new version and its control file, and puts the old version into the directory of the program.
  private func prepare(
    _ sandbox: Sandbox, script: [FaultServer.Answer] = [.normal], control: [UInt8]? = nil
  ) async throws {
    let made = if let control { control } else { try await self.control(Self.new, sandbox) }
    sandbox.server["/f"] = .init(Version(.fixed(Self.new), etag: "\"new\""), script: script)
    sandbox.server["/f.zsync"] = .init(Version(.fixed(made)))
    try Data(Self.old).write(to: URL(fileURLWithPath: sandbox.path("old")))
  }

  @Test("only what the seed lacks is fetched", arguments: [1, 4])
  func reuses(connections: Int) async throws {
    try await Sandbox.use(connections: connections) { sandbox in
      try await prepare(sandbox)
      let finished = try await sandbox.dray("get", "--seed", "old", sandbox.server.url("/f"))
      expect(finished, exits: 0, saying: "reused 5.9 of 6.0 MiB")
      expect(finished, exits: 0, saying: "sha-1 verified")
      #expect(!finished.errors.contains("continues at"), "\(finished)")
      sandbox.expectFiles(["f": .fixed(Self.new), "old": .fixed(Self.old)], finished)
      #expect(sandbox.server.bytesSent("/f") < 100_000)
      #expect(sandbox.server.requests("/f").dropFirst().allSatisfy { $0["If-Range"] == "\"new\"" })
      let shown = try await sandbox.dray("show", "--json", "1")
      let again = try await sandbox.dray("get", "--seed", "f", sandbox.server.url("/f"))
      expect(again, exits: 0, saying: "the server was not asked, and --seed is not used; --if-changed asks it")
      #expect(shown.output.contains("\"seed\":{\"files\":[") && shown.output.contains("\"of\":\(Self.new.count)"))
    }
  }

  @Test("a URL of a control file, a local one, and one that is named, stand for the file")
  func documents() async throws {
    try await Sandbox.use { sandbox in
      try await prepare(sandbox)
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("get", "--seed", "old", url + ".zsync"), exits: 0, saying: "reused")
      let local = try await control(Self.new, sandbox, ["-u", url])
      try Data(local).write(to: URL(fileURLWithPath: sandbox.path("local")))
      expect(try await sandbox.dray("get", "--seed", "old", "-o", "g", "local"), exits: 0, saying: "reused")
      expect(
        try await sandbox.dray("get", "--seed", "old", "--zsync", "local", "-o", "h", url + "?h"), exits: 0,
        saying: "reused")
      let finished = try await sandbox.dray("get", "--seed", "old", "-i", "local", "-o", "i", "--on-conflict", "rename")
      expect(finished, exits: 0)
      for name in ["f", "g", "h"] { #expect(sandbox.content(name) == Self.new, "\(name)") }
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var script: [FaultServer.Answer] = [.normal]
    /// The control file to serve in place of the right one.
    var control: (@Sendable (SeedTests, Sandbox) async throws -> [UInt8])?
    var says: String
    var published = SeedTests.new
  }

  /// The answers before the request for the rest: to the query for the version, and to the sixteen comparisons if no time
  /// is known.
  private static let asked = [FaultServer.Answer](repeating: .normal, count: 17)
  /// The same if the times agree, with three comparisons.
  private static let askedLittle = [FaultServer.Answer](repeating: .normal, count: 4)
  private static let other = Version.named("other", size: 3 * mib)

  static let rows: [Row] = [
    Row(
      testDescription: "the server serves no parts", script: [.init { $0.ignoresRange = true }],
      says: "old: not reused, the server does not serve parts"),
    Row(
      testDescription: "the control file is of another length",
      control: { test, sandbox in try await test.control(Self.old, sandbox) },
      says: "old: not reused, the control file describes a file of"),
    Row(
      testDescription: "it is no control file", control: { _, _ in Array("<html>".utf8) },
      says: "old: not reused, its"),
    Row(
      testDescription: "the seed has nothing of the file",
      control: { test, sandbox in
        try await test.control(Self.bytes("third", Int64(Self.new.count)), sandbox)
      }, says: "old: not reused, no blocks in common"),
    Row(
      testDescription: "the server has another version while it is asked",
      script: [.normal, .changed(to: other), .normal], says: "old: not reused, during the comparison",
      published: other.content.bytes(in: 0..<3 * mib)),
    Row(
      testDescription: "the server has another version when the rest is asked for",
      script: asked + [.changed(to: other), .normal], says: "started over",
      published: other.content.bytes(in: 0..<3 * mib)),
  ]

  @Test("P2 what cannot be used is fetched as a whole, and told", arguments: rows)
  func refused(_ row: Row) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      try await prepare(sandbox, script: row.script, control: try await row.control?(self, sandbox))
      let finished = try await sandbox.dray("get", "--seed", "old", sandbox.server.url("/f"))
      expect(finished, exits: 0, saying: row.says)
      #expect(sandbox.content("f") == row.published)
    }
  }

  struct Stale: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The `Last-Modified` of the server's file.
    var file: String?
    /// The `Last-Modified` of the control file.
    var made: String?
    var options: [String] = []
    /// The byte in which the new version differs from the described one.
    var change = 5_000_000
    var says: String
    var isUsed = false
  }

  private static let (then, later) = ("Tue, 14 Nov 2023 22:13:20 GMT", "Tue, 14 Nov 2023 22:13:22 GMT")

  static let stale: [Stale] = [
    Stale(
      testDescription: "another time", file: later, says: "old: not reused, the control file describes the version"),
    Stale(
      testDescription: "another time, and a control file that was uploaded before", file: later, made: then,
      says: "old: not reused, the control file describes the version"),
    Stale(
      testDescription: "the times of the upload, and a change between the ends and the middle", file: later,
      made: later, change: 1_258_800, says: "old: not reused, the control file describes another"),
    Stale(
      testDescription: "no times, and a change between the ends and the middle", change: 1_258_800,
      says: "old: not reused, the control file describes another"),
    Stale(testDescription: "the start differs", change: 5, says: "old: not reused, the control file describes another"),
    Stale(
      testDescription: "the end differs, at the same time", file: then, change: old.count - 1,
      says: "old: not reused, the control file describes another"),
    Stale(
      testDescription: "the user wants it", file: later, options: ["--resume", "always"], says: "reused 6.0 of 6.0 MiB",
      isUsed: true),
    Stale(
      testDescription: "the start differs, and the user wants it", options: ["--resume", "always"], change: 5,
      says: "old: not reused, the control file describes another"),
  ]

  @Test("P2, P16 a control file of an earlier version of the same length is not used, and it is told", arguments: stale)
  func outdated(_ row: Stale) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      try await prepare(sandbox, control: try await control(Self.old, sandbox))
      sandbox.server.update("/f.zsync") { $0.version.lastModified = row.made }
      var new = Self.old
      new[row.change] ^= 1
      sandbox.server["/f"] = .init(Version(.fixed(new), etag: "\"new\"", lastModified: row.file))
      let finished = try await sandbox.dray(["get", "--seed", "old"] + row.options + [sandbox.server.url("/f")])
      expect(finished, exits: 0, saying: row.says)
      #expect(sandbox.content("f") == (row.isUsed ? Self.old : new))
    }
  }

  @Test("without a control file the whole is fetched, and told")
  func missing() async throws {
    try await Sandbox.use { sandbox in
      try await prepare(sandbox)
      sandbox.server["/f.zsync"] = nil
      let finished = try await sandbox.dray("get", "--seed", "old", sandbox.server.url("/f"))
      expect(finished, exits: 0, saying: "no control file at")
      #expect(sandbox.content("f") == Self.new)
    }
  }

  /// Changes the SHA-1 in a control file.
  private static func withWrongDigest(_ control: [UInt8]) throws -> [UInt8] {
    var control = control
    let digit = try #require(control.firstRange(of: Array("SHA-1: ".utf8))).upperBound
    control[digit] = control[digit] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    return control
  }

  @Test(
    "a control file with a wrong SHA-1 is named, and a retry does without it",
    arguments: ["f.zsync", "local", "in place of the file"])
  func wrongControl(_ place: String) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let made = try Self.withWrongDigest(try await control(Self.new, sandbox))
      try await prepare(sandbox, control: made)
      let isLocal = place == "local"
      if isLocal { try Data(made).write(to: URL(fileURLWithPath: sandbox.path("local"))) }
      let options = isLocal ? ["--seed", "old", "--zsync", "local"] : ["--seed", "old"]
      let name = isLocal ? sandbox.path("local") : sandbox.server.url("/f.zsync")
      let url = sandbox.server.url(place == "in place of the file" ? "/f.zsync" : "/f")
      let failed = try await sandbox.dray(["get"] + options + [url])
      expect(failed, exits: 9, saying: "by the control file \(name) it is")
      expect(failed, exits: 9, saying: "`dray retry 1` fetches the file without it")
      expect(try await sandbox.dray("retry", "1"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      #expect(sandbox.content("f") == Self.new)
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: "is of another file or version")
    }
  }

  @Test("a refuted control file does not count either when the clean fetch is interrupted and continued")
  func wrongControlAndCut() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      try await prepare(sandbox, control: try Self.withWrongDigest(try await control(Self.new, sandbox)))
      let version = Version(.fixed(Self.new), etag: "\"new\"")
      let field = OfferedDigestTests.field(version)
      sandbox.server["/f"] = .init(version)
      sandbox.server["/f"]?.decide = { request in
        (request["Range"] == nil ? FaultServer.Answer.cut(after: 5_500_000) : .normal).with { $0.headers = [field] }
      }
      let get = ["get", "--seed", "old", "--retry-wait", "0", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0, saying: "verified (Repr-Digest)")
      #expect(sandbox.content("f") == Self.new)
      // The clean fetch was cut, and only its rest was requested after that.
      let requests = sandbox.server.requests("/f")
      let whole = try #require(requests.lastIndex { $0["Range"] == nil })
      #expect(requests.filter { $0["Range"] == nil }.count == 1 && whole < requests.count - 1)
    }
  }

  @Test("P2, P16 bytes from seeds are not mixed with those of a mirror that has another version")
  func mirror() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let mirror = try FaultServer()
      defer { mirror.stop() }
      try await prepare(sandbox)
      sandbox.server["/f"] = .init(
        Version(.fixed(Self.new), lastModified: Self.then), script: Self.askedLittle + [.status(503)])
      // The difference is between the places that are compared.
      var other = Self.new
      other[Self.new.count / 14] ^= 1
      mirror["/f"] = .init(Version(.fixed(other), lastModified: Self.later))
      let get = ["get", "--seed", "old", "--retry-wait", "0", "--mirror", mirror.url("/f"), sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      #expect(sandbox.content("f") == other)
    }
  }

  @Test("P12 blocks that only look right are found by the SHA-1: the file is fetched as a whole")
  func collision() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      // The checksums of the old file, with the SHA-1 of the new one of the same length.
      var new = Self.old
      new[5_000_000] ^= 1
      let (mine, theirs) = (try await control(Self.old, sandbox), try await control(new, sandbox))
      let mark = Array("SHA-1: ".utf8)
      guard let place = mine.firstRange(of: mark)?.upperBound, let from = theirs.firstRange(of: mark)?.upperBound else {
        Issue.record("no SHA-1")
        return
      }
      var mixed = mine
      mixed.replaceSubrange(place..<place + 40, with: theirs[from..<from + 40])
      try await prepare(sandbox, control: mixed)
      sandbox.server["/f"] = .init(Version(.fixed(new), etag: "\"new\""))
      let finished = try await sandbox.dray("get", "--seed", "old", sandbox.server.url("/f"))
      expect(finished, exits: 0, saying: "digest")
      #expect(sandbox.content("f") == new)
      // Nothing of it is from the seed.
      #expect(!finished.output.contains("complete, reused") && !finished.errors.contains("complete, reused"))
      let shown = try await sandbox.dray("show", "--json", "1")
      #expect(shown.output.contains("\"reused\":0") && shown.output.contains("once more, as a whole"), "\(shown)")
    }
  }

  @Test("P4 killed while the rest comes: the seed is not needed any more")
  func killed() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      try await prepare(sandbox, script: Self.asked + [.normal, .held(by: gate, after: 100), .normal])
      let program = try sandbox.start(["get", "--seed", "old", sandbox.server.url("/f")])
      try await program.wait(for: "the gate") { gate.arrivals > 0 }
      try await program.kill9()
      gate.open()
      try FileManager.default.removeItem(atPath: sandbox.path("old"))
      let before = sandbox.server.bytesSent("/f")
      expect(try await sandbox.dray("run"), exits: 0)
      #expect(sandbox.content("f") == Self.new)
      #expect(sandbox.server.bytesSent("/f") - before < 400_000)
    }
  }

  @Test("an unchanged target is up to date, and a changed one takes what is left of it", arguments: [true, false])
  func ifChanged(isUnchanged: Bool) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      try await prepare(sandbox)
      if !isUnchanged { sandbox.server["/f"] = .init(Version(.fixed(Self.old), etag: "\"old\"")) }
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      sandbox.server["/f"] = .init(Version(.fixed(Self.new), etag: "\"new\""))
      let (before, asked) = (sandbox.server.bytesSent("/f"), sandbox.server.requests("/f.zsync").count)
      let finished = try await sandbox.dray("get", "--if-changed", "--seed", "f", sandbox.server.url("/f"))
      expect(finished, exits: 0, saying: isUnchanged ? "up to date" : "reused 5.9 of 6.0 MiB")
      #expect(sandbox.content("f") == Self.new)
      #expect(sandbox.server.bytesSent("/f") - before < 100_000)
      #expect(sandbox.server.requests("/f.zsync").count - asked == (isUnchanged ? 0 : 1))
    }
  }

  @Test("a damaged file is its own seed")
  func repairs() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      try await prepare(sandbox)
      expect(
        try await sandbox.dray("get", "--zsync", sandbox.server.url("/f.zsync"), sandbox.server.url("/f")), exits: 0)
      try Sandbox.flip(3_000_000, in: sandbox.path("f"))
      let before = sandbox.server.bytesSent("/f")
      let finished = try await sandbox.dray("verify", "--repair", "1")
      expect(finished, exits: 0, saying: "reused")
      #expect(sandbox.content("f") == Self.new)
      #expect(sandbox.server.bytesSent("/f") - before < 200_000)
    }
  }

  @Test("wrong arguments are refused before anything is queued")
  func arguments() async throws {
    try await Sandbox.use { sandbox in
      try sandbox.write("x", to: "old")
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("get", "--seed", "none", url), exits: 2, saying: "--seed none: no such file")
      expect(try await sandbox.dray("get", "--seed", ".", url), exits: 2, saying: "not a regular file")
      expect(try await sandbox.dray("get", "--seed", "old", "--zsync", "none", url), exits: 2, saying: "no such file")
      expect(try await sandbox.dray("get", "--seed", "old", "ftp://h/f"), exits: 2, saying: "over HTTP only")
      expect(
        try await sandbox.dray("get", "--seed", "old", "--resume", "never", url), exits: 2, saying: "--resume never")
      #expect(sandbox.server.requests.isEmpty)
    }
  }

  @Test("a 33 MB image with six changes costs at most 1.1 of what zsync fetches")
  func judge() async throws {
    try await Sandbox.use { sandbox in
      let old = Self.bytes("image", 33 * Self.mib)
      let new = Self.changed(old)
      let nginx = try await RealServer(.nginx, in: sandbox)
      try nginx.put("f", .fixed(new))
      try nginx.put("f.zsync", .fixed(try await control(new, sandbox)))
      try Data(old).write(to: URL(fileURLWithPath: sandbox.path("old")))
      expect(try await sandbox.dray("get", "--seed", "old", nginx.url("/f")), exits: 0, saying: "of 33.0 MiB")
      #expect(sandbox.content("f") == new)
      let mine = nginx.entries.reduce(0) { $0 + $1.sent }
      let judge = try await sandbox.tool("zsync", ["-q", "-i", "old", "-o", "z", nginx.url("/f.zsync")])
      #expect(judge.exit == .code(0), "\(judge)")
      #expect(sandbox.content("z") == new)
      let theirs = nginx.entries.reduce(0) { $0 + $1.sent } - mine
      print("seeds: dray fetched \(mine) bytes, zsync \(theirs)")
      #expect(mine > 0 && Double(mine) <= 1.1 * Double(theirs), "\(mine) and \(theirs)")
    }
  }
}

extension Sandbox {
  /// The bytes of a file in the directory of the program; empty if there is none.
  fileprivate func content(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: path(name)).map(Array.init) ?? []
  }
}
