// `-r` against real servers: their own listings, the same tree on this machine, and a repeated run.

import FaultServer
import Foundation
import TestSupport
import Testing

/// A tree of files for servers.
struct TreeSample: Sendable {
  /// The files by their paths on the server; their local names are the same.
  var files: [String: Content] = [
    "a.bin": Version.named("a", size: 200_000).content, "b & c.txt": .fixed("b".utf8), "d'e\"f.txt": .fixed("d".utf8),
    "p%20q.txt": .fixed("p".utf8), "ü<x>.txt": .fixed("u".utf8), "sub dir/s.txt": .fixed("s".utf8),
    "sub dir/deeper/x?y#z.bin": Version.named("z", size: 70_000).content, "empty.bin": .fixed([UInt8]()),
  ]

  /// Expects exactly these files below `directory` of the downloads.
  func expect(
    in sandbox: Sandbox, _ directory: String, _ context: some CustomStringConvertible,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let root = sandbox.path(directory)
    let paths = (FileManager.default.enumerator(atPath: root)?.allObjects as? [String]) ?? []
    let found = paths.filter { path in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }
    #expect(Set(found) == Set(files.keys), "\(context)", sourceLocation: sourceLocation)
    for (name, content) in files {
      let difference = content.difference(fromFileAt: "\(root)/\(name)")
      #expect(difference == nil, "\(name): \(context)", sourceLocation: sourceLocation)
    }
  }
}

@Suite("Directories of real servers")
struct TreeServerTests {
  /// A server, and the place of its index.
  struct Row: Sendable, CustomTestStringConvertible {
    let kind: ServerKind
    var path = "/tree/"
    /// Whether its listings are exact, so that unchanged files need no request.
    var isExact = false

    var testDescription: String { "\(kind.name) \(path)" }
  }

  static let rows = [
    Row(kind: .nginx), Row(kind: .nginx, path: "/json/", isExact: true), Row(kind: .apache),
    Row(kind: .apache, path: "/plain/"), Row(kind: .apache, path: "/dav/", isExact: true), Row(kind: .lighttpd),
    Row(kind: .caddy, isExact: true), Row(kind: .python),
  ]

  @Test("the local tree is the same, and the next run fetches only new and changed files", arguments: rows)
  func web(_ row: Row) async throws {
    try await Sandbox.use { sandbox in
      let server = try await RealServer(row.kind, in: sandbox)
      try await check(sandbox, server.url(row.path), isExact: row.isExact) { path, content, time in
        try server.put("tree/\(path)", content, time: time)
      } remove: {
        try FileManager.default.removeItem(atPath: "\(server.site)/tree/\($0)")
      }
    }
  }

  /// Fetches a tree, changes it on the server, and fetches it again.
  private func check(
    _ sandbox: Sandbox, _ url: String, _ more: [String] = [], isExact: Bool,
    put: (String, Content, Double) throws -> Void, remove: (String) throws -> Void
  ) async throws {
    var sample = TreeSample()
    for (path, content) in sample.files { try put(path, content, RealServer.longAgo) }
    let get = ["get", "-r", "-d", "out"] + more + [url]
    let first = try await sandbox.dray(get)
    expect(first, exits: 0, saying: "8 files in 3 directories: 8 queued")
    sample.expect(in: sandbox, "out", first)
    #expect(Set(first.output.split(separator: "\n").map(String.init)).count == 8, "\(first)")
    let jobs = try await sandbox.jobs()
    #expect(jobs.count == 8 && jobs.allSatisfy { $0.group?.id == 1 && $0.state == "complete" })

    let again = try await sandbox.dray(get)
    expect(again, exits: 0, saying: isExact ? "8 up to date" : "8 done")
    if isExact { #expect(!again.errors.contains("queued") && !again.errors.contains("done"), "\(again)") }
    sample.expect(in: sandbox, "out", again)
    #expect(try await sandbox.jobs().count == 8)

    // A file with the same length changes, one gets another length, one is new, and one is removed on the server but
    // stays here.
    sample.files["a.bin"] = Version.named("a2", size: 200_000).content
    sample.files["sub dir/s.txt"] = .fixed("longer".utf8)
    sample.files["sub dir/new/n.txt"] = .fixed("n".utf8)
    for name in ["a.bin", "sub dir/s.txt", "sub dir/new/n.txt"] {
      try put(name, try #require(sample.files[name]), RealServer.longAgo + 3600)
    }
    try remove("b & c.txt")
    let third = try await sandbox.dray(get)
    expect(third, exits: 0, saying: isExact ? "3 queued, 5 up to date" : "8 queued")
    sample.expect(in: sandbox, "out", third)
    #expect(try await sandbox.jobs().count == 9)
  }

  @Test("vsftpd, which has no MLSD", .needs(.root))
  func vsftpd() async throws {
    try await Sandbox.use { sandbox in
      let server = try await RealServer(.vsftpd, in: sandbox)
      try await check(sandbox, "ftp://127.0.0.1:\(server.port)/tree/", isExact: false) { path, content, time in
        try server.put("tree/\(path)", content, time: time)
      } remove: {
        try FileManager.default.removeItem(atPath: "\(server.site)/tree/\($0)")
      }
      expect(
        try await sandbox.dray("get", "-r", "-d", "no", "ftp://127.0.0.1:\(server.port)/missing/"), exits: 8,
        saying: "missing")
    }
  }

  @Test("an FTP server with MLSD, and one with Windows' listing", arguments: [true, false])
  func ftp(machine: Bool) async throws {
    try await Sandbox.use { sandbox in
      let server = try await FileServer.faulty(in: sandbox, machine ? [:] : ["lacks": ["MLSD"]])
      try await check(sandbox, "ftp://127.0.0.1:\(server.port)/tree/", isExact: machine) { path, content, time in
        let place = "\(server.site)/tree/\(path)"
        try FileManager.default.createDirectory(
          atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try server.put("tree/\(path)", content, time: time)
      } remove: {
        try FileManager.default.removeItem(atPath: "\(server.site)/tree/\($0)")
      }
      #expect(server.log.contains("MLSD") && server.log.contains("LIST") == !machine)
    }
  }

  @Test("sshd; links are left out", .needs(.root))
  func sftp() async throws {
    try await Sandbox.use { sandbox in
      let server = try await FileServer.sshd(in: sandbox)
      let root = "\(server.site)/tree"
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: root + "/loop", withDestinationPath: "..")
      try await check(sandbox, "sftp://127.0.0.1:\(server.port)\(root)", ["-k"], isExact: false) {
        path, content, time in
        try FileManager.default.createDirectory(
          atPath: ("\(root)/\(path)" as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try server.put("tree/\(path)", content, time: time)
      } remove: {
        try FileManager.default.removeItem(atPath: "\(root)/\($0)")
      }
      let again = try await sandbox.dray("add", "-r", "-k", "-d", "other", "sftp://127.0.0.1:\(server.port)\(root)/")
      expect(again, exits: 0, saying: "1 link or device was left out")
    }
  }
}

@Suite("Directories of S3", .needs(.moto))
struct TreeS3Tests {
  @Test("all keys below a prefix, over several parts, and again")
  func keys() async throws {
    try await Sandbox.use { sandbox in
      let content = Version.named("v1", size: 5000).content
      let many = (0..<1100).map { "many/\($0 % 7)/\($0)" }
      let odd = ["pub/a.bin", "pub/sub dir/b+c&d.txt", "pub/ü/<x>.txt", "pub/dir/", "pub/e//f", "public"]
      let moto = try await Moto(in: sandbox, content, odd + many)
      let options = [
        "-u", moto.user.joined(separator: ":"), "--endpoint-url", moto.endpoint, "--aws-region", "eu-central-1",
      ]
      let get = ["get", "-r", "-d", "out"] + options + ["s3://files/pub"]
      let first = try await sandbox.dray(get)
      // A key with an empty part has no place in a tree, nor has an object with bytes and the name of a directory.
      expect(first, exits: 1, saying: "3 files in 1 directory: 3 queued, 2 not read")
      TreeSample(files: ["a.bin": content, "sub dir/b+c&d.txt": content, "ü/<x>.txt": content]).expect(
        in: sandbox, "out", first)
      expect(try await sandbox.dray(get), exits: 1, saying: "3 up to date")
      let all = try await sandbox.dray(
        ["add", "-r", "-q", "-d", "many", "--include", "[0-9]*"] + options + ["s3://files/many/"])
      expect(all, exits: 0)
      #expect(all.output.isEmpty, "a bracket is not a wildcard")
      let added = try await sandbox.dray(["add", "-r", "-d", "many"] + options + ["s3://files/many/"])
      expect(added, exits: 0, saying: "1100 files")
      #expect(added.output.split(separator: "\n").count == 1100)
      let wrong = try await sandbox.dray(
        ["get", "-r", "-d", "no"] + options.map { $0.hasPrefix(moto.user[0]) ? "x:y" : $0 } + ["s3://files/"])
      expect(wrong, exits: 6)
    }
  }
}
