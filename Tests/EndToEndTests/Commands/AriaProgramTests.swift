// The program under the name aria2c: files, exit statuses and the table of results as aria2 has them.

import FaultServer
import Foundation
import TestSupport
import Testing

/// yt-dlp, which fetches with aria2c. `scripts/setup.sh test` installs it from PyPI in a separate place.
enum YtDlp {
  /// The program: `DRAY_YT_DLP`, else where `scripts/setup.sh` puts it.
  static let program: String? = {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/root") + "/.cache"
    let path = environment["DRAY_YT_DLP"] ?? cache + "/dray-yt-dlp/bin/yt-dlp"
    return access(path, X_OK) == 0 ? path : nil
  }()
}

extension Need {
  static let ytDlp = Need("yt-dlp", "scripts/setup.sh test installs it from PyPI") { YtDlp.program != nil }
}

extension Sandbox {
  /// Makes a link to the program, named `aria2c`, and gives its path.
  fileprivate func linkAria() throws -> String {
    let path = root + "/user/aria2c"
    if !FileManager.default.fileExists(atPath: path) {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: programPath())
    }
    return path
  }

  /// Runs a line of aria2c, in which `URL` is the server's file f.
  fileprivate func aria2c(_ line: String) async throws -> Finished {
    let words = line.split(separator: " ").map { String($0.replacing("URL", with: server.url("/f"))) }
    return try await launch(try linkAria(), words).finish(seconds: patience)
  }
}

@Suite("aria2c")
struct AriaProgramTests {
  private static let version = Version.named("v1", size: 300_000)

  @Test("a line of aria2 fetches the file, and ends with aria2's table")
  func fetches() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let finished = try await sandbox.aria2c("--no-conf -c -x4 -s4 -k1M --file-allocation=none -d dir -o a/g URL")
      expect(finished, exits: 0)
      #expect(Self.version.content.difference(fromFileAt: sandbox.path("dir/a/g")) == nil)
      let lines = finished.output.split(separator: "\n", omittingEmptySubsequences: false)
      let hasHead = lines.contains("Download Results:") && lines.contains("gid   |stat|avg speed  |path/URI")
      #expect(hasHead, "\(finished)")
      #expect(
        lines.contains { $0.contains("|OK  |") && $0.contains("B/s|/") && $0.hasSuffix("/dir/a/g") }, "\(finished)")
      #expect(finished.output.hasSuffix("\nStatus Legend:\n(OK):download completed.\n"), "\(finished)")
    }
  }

  /// A line, aria2's exit status for it, and the part of the output that follows from it.
  struct Row: Sendable, CustomTestStringConvertible {
    let line: String
    let exits: Int32
    var says = ""
    var script: [Answer] = []

    var testDescription: String { line }
  }

  static let rows: [Row] = [
    Row(line: "--no-such-option URL", exits: 28, says: "--no-such-option"), Row(line: "-x16", exits: 1),
    Row(line: "-x zero URL", exits: 28), Row(line: "magnet:?xt=urn:btih:0", exits: 28, says: "BitTorrent"),
    Row(line: "URL", exits: 3, says: "|ERR |       0B/s|http", script: [.status(404)]),
    Row(line: "URL", exits: 24, script: [.status(401)]),
    Row(line: "-m1 URL", exits: 29, script: [.status(503)]),
    Row(line: "-m1 http://127.0.0.1:1/f", exits: 1, says: "(ERR):error occurred."),
    Row(line: "--checksum=md5=00000000000000000000000000000000 URL", exits: 32),
    Row(line: "--auto-file-renaming=false -o taken URL", exits: 13, says: "taken"),
    Row(line: "-i empty", exits: 0, says: "No files to download."),
    Row(line: "-v", exits: 0, says: "aria2 version 1.36.0\n"),
    Row(line: "--help=#all", exits: 0, says: "Usage: aria2c"),
  ]

  @Test("exit statuses are aria2's", arguments: rows)
  func statuses(_ row: Row) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: row.script)
      try sandbox.write("mine", to: "taken")
      try sandbox.write("# none\n", to: "empty")
      let finished = try await sandbox.aria2c("--no-conf " + row.line)
      expect(finished, exits: row.exits)
      #expect(row.says.isEmpty || finished.text.contains(row.says), "\(finished)")
      let names = sandbox.names().filter { !sandbox.isPartFile($0) }
      #expect(names == ["taken", "empty"], "\(finished)")
      #expect(sandbox.read("taken") == "mine")
    }
  }

  @Test("several URIs are one file, a list is several, and a hidden table prints nothing")
  func severalURIs() async throws {
    try await Sandbox.use { sandbox in
      for name in ["f", "g", "h"] { sandbox.server["/" + name] = .init(Self.version) }
      let line = "--no-conf --download-result=hide --show-console-readout=false URL \(sandbox.server.url("/g"))"
      let together = try await sandbox.aria2c(line)
      expect(together, exits: 0)
      #expect(together.output.isEmpty, "\(together)")
      sandbox.expectFiles(["f": Self.version.content], together)
      let list = "\(sandbox.server.url("/g"))\n  out=one\n\(sandbox.server.url("/h"))\n  out=two\n"
      try sandbox.write(list, to: "list")
      let listed = try await sandbox.aria2c("--no-conf -j2 -i list")
      expect(listed, exits: 0)
      #expect(listed.output.count(of: "|OK  |") == 2, "\(listed)")
      #expect(sandbox.names() == ["f", "list", "one", "two"], "\(listed)")
    }
  }

  @Test("a signal ends it with aria2's status, and the same line continues")
  func signals() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.version, script: [.held(by: gate, after: 200_000), .normal])
      let words = ["--no-conf", "-d", ".", sandbox.server.url("/f")]
      let program = try sandbox.launch(try sandbox.linkAria(), words)
      // aria2's line of progress.
      try await program.wait(for: "a line of progress") { program.output.contains("(66%) CN:1 DL:") }
      program.send(SIGINT)
      let stopped = try await program.finish()
      expect(stopped, exits: 7)
      #expect(stopped.output.contains("|INPR|"), "\(stopped)")
      sandbox.expectOnlyPartFile(stopped)
      let continued = try await sandbox.aria2c("--no-conf -d . URL")
      expect(continued, exits: 0)
      sandbox.expectFiles(["f": Self.version.content], continued)
    }
  }

  @Test("--save-session leaves what is not done in the list")
  func sessions() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let list = "\(sandbox.server.url("/f"))\n out=one\n\(sandbox.server.url("/none"))\n out=two\n"
      try sandbox.write(list, to: "list")
      let first = try await sandbox.aria2c("--no-conf -i list --save-session=list")
      expect(first, exits: 3)
      let rest = try #require(sandbox.read("list"))
      #expect(rest.hasPrefix("\(sandbox.server.url("/none"))\n") && rest.contains("\n out=two\n"), "\(rest)")
      #expect(!rest.contains("out=one"))
      sandbox.server["/none"] = .init(Self.version)
      let second = try await sandbox.aria2c("--no-conf -i list --save-session=list")
      expect(second, exits: 0)
      #expect(sandbox.read("list") == "")
      #expect(sandbox.names() == ["list", "one", "two"])
      let third = try await sandbox.aria2c("--no-conf -i list --save-session=list")
      expect(third, exits: 0, saying: "No files to download.")
    }
  }

  @Test("-c continues another program's partial file; without it the new file gets another name")
  func existingFiles() async throws {
    try await Sandbox.use { sandbox in
      let content = Self.version.content
      sandbox.server["/f"] = .init(Self.version)
      let half = Data(content.bytes(in: 0..<200_000))
      try half.write(to: URL(fileURLWithPath: sandbox.path("f")))
      let other = try await sandbox.aria2c("--no-conf URL")
      expect(other, exits: 0)
      #expect(sandbox.names().count == 2, "\(other)")
      #expect(FileManager.default.contents(atPath: sandbox.path("f")) == half)
    }
    try await Sandbox.use { sandbox in
      let content = Self.version.content
      sandbox.server["/f"] = .init(Self.version)
      try Data(content.bytes(in: 0..<200_000)).write(to: URL(fileURLWithPath: sandbox.path("f")))
      let continued = try await sandbox.aria2c("--no-conf -c URL")
      expect(continued, exits: 0)
      sandbox.expectFiles(["f": content], continued)
    }
  }

  @Test("a configuration of aria2 applies unless the line excludes it")
  func configuration() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      try FileManager.default.createDirectory(
        atPath: sandbox.root + "/user/.aria2", withIntermediateDirectories: true)
      try sandbox.write("dir=there\nallow-overwrite=true\n", to: "../user/.aria2/aria2.conf")
      let configured = try await sandbox.aria2c("URL")
      expect(configured, exits: 0)
      #expect(sandbox.names() == ["there"], "\(configured)")
      let plain = try await sandbox.aria2c("--no-conf URL")
      expect(plain, exits: 0)
      #expect(sandbox.names() == ["f", "there"], "\(plain)")
    }
  }

  @Test("--enable-rpc is a service, which has the downloads of the line")
  func service() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let port = try LocalPort.free()
      let secret = "correct-horse-battery-staple"
      let words = [
        "--no-conf", "--enable-rpc", "--rpc-listen-port=\(port)", "--rpc-secret=\(secret)", "-o", "g",
        sandbox.server.url("/f"),
      ]
      let program = try sandbox.launch(try sandbox.linkAria(), words)
      try await program.wait(for: "the service") { LocalPort.isListening(port) }
      try await program.wait(for: "the file") { sandbox.names().contains("g") }
      let service = Service(sandbox: sandbox, program: program, port: port, secret: secret)
      let version = try await service.call("aria2.getVersion") as? [String: Any]
      #expect(version?["version"] as? String == "1.36.0")
      program.send(SIGTERM)
      let finished = try await program.finish()
      expect(finished, exits: 0)
      sandbox.expectFiles(["g": Self.version.content], finished)
    }
  }

  @Test("yt-dlp fetches with it", .needs(.ytDlp))
  func ytDlp() async throws {
    try await Sandbox.use { sandbox in
      let program = try #require(YtDlp.program)
      var film = Resource(Self.version)
      film.contentType = "video/mp4"
      sandbox.server["/film.mp4"] = film
      let words = [
        "--ignore-config", "--no-cache-dir", "--downloader", try sandbox.linkAria(), sandbox.server.url("/film.mp4"),
      ]
      let finished = try await sandbox.launch(program, words).finish(seconds: 120)
      expect(finished, exits: 0)
      sandbox.expectFiles(["film [film].mp4": Self.version.content], finished)
      let listed = try await sandbox.dray("list", "--all", "--json")
      #expect(listed.output.contains("film [film].mp4.part"), "\(listed)")
    }
  }
}

extension String {
  /// Returns how often a text occurs.
  fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
