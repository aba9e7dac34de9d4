// The options of `dray get`: destination, rate, checks, and lists.

import FaultServer
import Foundation
import Testing

@Suite("Options of get")
struct GetOptionTests {
  static let version = AnswerCase.version

  @Test("-o names the file, -d the directory, which is made")
  func place() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let directory = sandbox.path("new/deep")
      let finished = try await sandbox.dray(
        "get", sandbox.server.url("/f"), "-o", "other.bin", "-d", directory)
      expect(finished, exits: 0)
      #expect(Self.version.content.difference(fromFileAt: directory + "/other.bin") == nil)
      #expect(sandbox.names(in: directory) == ["other.bin"])
    }
  }

  @Test("a directory with .. in its path, and a file in one, are the same target as without")
  func parents() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let url = sandbox.server.url("/f")
      expect(try await sandbox.shell("mkdir a b && cd a && $DRAY get -d ../b/new \(url)"), exits: 0)
      expect(
        try await sandbox.dray("get", "-d", sandbox.path("b/new"), url), exits: 0, saying: "already complete")
      expect(try await sandbox.shell("cd a && $DRAY get -o ../b/new/g \(url)"), exits: 0)
      expect(
        try await sandbox.dray("get", "-o", sandbox.path("b/new/g"), url), exits: 0, saying: "already complete")
      let verified = try await sandbox.shell("cd a && $DRAY verify ../b/new/f ../b/new/g")
      expect(verified, exits: 0)
      #expect(verified.output.contains("OK") && verified.output.contains(sandbox.path("b/new/f")), "\(verified)")
      #expect(try await sandbox.jobs().count == 2)
    }
  }

  @Test("-o - writes to standard output, and leaves nothing in the directory")
  func standardOutput() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let file = sandbox.root + "/stdout"
      let program = try sandbox.start(["get", "-o", "-", sandbox.server.url("/f")]) {
        $0.output = .file(file)
      }
      let finished = try await program.finish()
      expect(finished, exits: 0)
      #expect(Self.version.content.difference(fromFileAt: file) == nil)
      sandbox.expectNoFiles(finished)
    }
  }

  @Test("an option that -o /dev/null does not take is refused by its name")
  func nullRefused() async throws {
    try await Sandbox.use { sandbox in
      let url = sandbox.server.url("/f")
      let refused = { (words: [String], says: String) async throws in
        let finished = try await sandbox.dray(["get", "-o", "/dev/null"] + words)
        expect(finished, exits: 2, saying: says)
        #expect(!finished.errors.contains("standard output"), "\(finished)")
      }
      try await refused([url, "-o", "x"], "several for one URL")
      try await refused([url, "--progress", "json"], "-o /dev/null: --progress json")
      try await refused([url, "--if-changed"], "-o /dev/null has no file")
      try await refused([url, "--after", "1"], "-o /dev/null: --after")
      #expect(sandbox.server.requests("/f").isEmpty)
      for path in ["/f", "/g"] { sandbox.server[path] = .init(Self.version) }
      let discarded = try await sandbox.dray(["get", "-o", "/dev/null", url, sandbox.server.url("/g")])
      expect(discarded, exits: 0)
      sandbox.expectNoFiles(discarded)
    }
  }

  @Test("a reader that closes -o - early causes no error")
  func standardOutputThatNobodyReads() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("large", size: 4 << 20)
      sandbox.server["/f"] = .init(version)
      let finished = try await sandbox.shell("$DRAY get -o - \(sandbox.server.url("/f")) | head -c 5 | wc -c")
      #expect(finished.output.contains("5") && finished.errors.isEmpty, "\(finished)")
      let refused = try await sandbox.shell("$DRAY get -o - \(sandbox.server.url("/f")) > /dev/full")
      expect(refused, exits: 3, saying: "standard output")
    }
  }

  @Test("-o - of a file whose resumed bytes do not fit is fetched once more, from zero")
  func standardOutputOfAMix() async throws {
    try await Sandbox.use { sandbox in
      let version = ResumeCase.v1
      var bytes = version.content.bytes(in: 0..<version.content.size)
      bytes[10] ^= 1
      let spoiled = Version(.fixed(bytes), etag: version.etag)
      sandbox.server["/f"] = .init(
        version,
        script: [Answer.cut(after: ResumeCase.half).with { $0.version = spoiled }, Answer { $0.version = version }])
      let digest = "sha-256=" + Sandbox.sha256(version.content)
      let out = sandbox.root + "/stdout"
      let program = try sandbox.start(
        ["get", "-o", "-", "--retry-wait", "0.1", "--checksum", digest, sandbox.server.url("/f")]
      ) { $0.output = .file(out) }
      let finished = try await program.finish()
      expect(finished, exits: 0, saying: "started over")
      #expect(version.content.difference(fromFileAt: out) == nil)
      #expect(sandbox.server.requests("/f").map { $0["Range"] == nil } == [true, false, true])
    }
  }

  @Test("a pipe gets no path, and the user is told how to write into it; --print-path prints the path")
  func pipe() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let url = sandbox.server.url("/f")
      for says in ["saved as \(sandbox.path("f")); -o - writes", "already complete: \(sandbox.path("f"))"] {
        let piped = try await sandbox.shell("$DRAY get \(url) | cat")
        #expect(piped.output.isEmpty && piped.errors.contains(says), "\(piped)")
        #expect(piped.errors.contains("--print-path"), "\(piped)")
      }
      let path = sandbox.path("f") + "\n"
      #expect(try await sandbox.shell("$DRAY get --print-path \(url) | cat").output == path)
      #expect(try await sandbox.dray("get", url).output == path)
    }
  }

  @Test("-o - does not write the error page of a 404")
  func standardOutputOfAnError() async throws {
    try await Sandbox.use { sandbox in
      let finished = try await sandbox.dray("get", "-o", "-", sandbox.server.url("/missing"))
      expect(finished, exits: 8)
      #expect(finished.output.isEmpty, "\(finished)")
    }
  }

  @Test(
    "the target has the mode that the umask leaves",
    arguments: [("022", 0o644), ("077", 0o600), ("002", 0o664)])
  func umask(mask: String, mode: Int) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      expect(try await sandbox.shell("umask \(mask); $DRAY get \(sandbox.server.url("/f"))"), exits: 0)
      #expect(sandbox.mode(of: sandbox.path("f")) == mode)
    }
  }

  static let digests = [
    "md5sum": "md5", "sha1sum": "sha-1", "sha256sum": "sha-256", "sha384sum": "sha-384",
    "sha512sum": "sha-512",
  ]

  @Test("--checksum: every digest, in hex and Base64", arguments: Array(digests))
  func checksum(tool: String, name: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let copy = sandbox.root + "/copy"
      try Self.version.content.write(toFileAt: copy)
      let hex = String(try await sandbox.tool(tool, [copy]).output.prefix { $0 != " " })
      let base64 = try await sandbox.shell(
        "\(tool) \(copy) | cut -d' ' -f1 | python3 -c 'import base64,sys;print(base64.b64encode(bytes.fromhex(sys.stdin.read().strip())).decode())'"
      )
      .output.trimmingCharacters(in: .whitespacesAndNewlines)
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("get", url, "-o", "hex", "--checksum", "\(name)=\(hex)"), exits: 0)
      expect(
        try await sandbox.dray("get", url, "-o", "upper", "--checksum", "\(name)=\(hex.uppercased())"),
        exits: 0)
      expect(try await sandbox.dray("get", url, "-o", "base64", "--checksum", "\(name)=\(base64)"), exits: 0)
      let flipped = (hex.hasPrefix("0") ? "1" : "0") + hex.dropFirst()
      let wrong = try await sandbox.dray("get", url, "-o", "wrong", "--checksum", "\(name)=\(flipped)")
      expect(wrong, exits: 9)
      // The message shows both digests.
      #expect(wrong.text.contains(flipped) && wrong.text.contains(hex), "\(wrong)")
      let content = Self.version.content
      sandbox.expectFiles(["hex": content, "upper": content, "base64": content], wrong)
    }
  }

  @Test("--limit-rate holds, within reason", arguments: ["--limit-rate", "--max-overall-rate"])
  func limitRate(_ option: String) async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 1 << 20)
      sandbox.server["/f"] = .init(version)
      let start = ContinuousClock.now
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"), option, "400k")
      let duration = start.duration(to: .now)
      expect(finished, exits: 0)
      // 1 MiB at 400 KiB/s takes 2.56 s; a burst may save some of it. A machine may be slower.
      #expect(duration >= .seconds(1.5), "\(duration) \(finished)")
      sandbox.expectFiles(["f": version.content])
    }
  }

  @Test("-j limits the number of simultaneous transfers")
  func atOnce() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let server = sandbox.server
      let urls = (0..<6).map { index in
        server["/f\(index)"] = .init(Self.version, script: [.held(by: gate, after: 1000)])
        return server.url("/f\(index)")
      }
      let program = try sandbox.start(["get", "-j", "2"] + urls)
      try await program.wait(for: "two transfers") { gate.arrivals == 2 }
      try await Task.sleep(for: .seconds(0.7))
      #expect(gate.arrivals == 2)
      gate.open()
      expect(try await program.finish(), exits: 0)
      #expect(sandbox.names().count == 6)
    }
  }

  @Test("headers, user agent and referer are sent as given")
  func requestFields() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let finished = try await sandbox.dray(
        "get", sandbox.server.url("/f"), "-H", "X-One: 1", "-H", "X-Two: a: b", "-A", "Tester/1", "-e",
        "http://from.example/")
      expect(finished, exits: 0)
      let request = try #require(sandbox.server.requests("/f").first)
      #expect(request["X-One"] == "1" && request["X-Two"] == "a: b")
      #expect(request["User-Agent"] == "Tester/1" && request["Referer"] == "http://from.example/")
    }
  }

  @Test("without -A the program names itself")
  func userAgent() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      #expect(sandbox.server.requests("/f").first?["User-Agent"]?.hasPrefix("dray/") == true)
    }
  }

  @Test("a URL typed with blanks and non-ASCII letters works")
  func typedURL() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/my%20file%20%C3%A9.bin"] = .init(Self.version)
      let finished = try await sandbox.dray("get", sandbox.server.url("/my file é.bin"))
      expect(finished, exits: 0)
      sandbox.expectFiles(["my file é.bin": Self.version.content], finished)
    }
  }

  @Test("-i -: a list with options, as aria2 has it")
  func list() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for path in ["/a", "/b", "/c"] { server[path] = .init(Self.version) }
      server.update("/b") { $0.required = ["X-Key": "7"] }
      let sum = Sandbox.sha256(Self.version.content)
      let list = """
        # a comment
        \(server.url("/a"))
          out=first.bin
          checksum=sha-256=\(sum)

        \(server.url("/b"))
          dir=\(sandbox.path("sub"))
          header=X-Key: 7
        \(server.url("/c"))
        """
      let finished = try await sandbox.dray(["get", "-i", "-"], input: list)
      expect(finished, exits: 0)
      #expect(sandbox.names() == ["first.bin", "sub", "c"], "\(finished)")
      #expect(sandbox.names(in: sandbox.path("sub")) == ["b"])
    }
  }

  @Test("several failures: the lowest status except 1")
  func severalFailures() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/ok"] = .init(Self.version)
      server["/secret"] = .init(Self.version, script: [.status(401)])
      let finished = try await sandbox.dray(
        "get", server.url("/ok"), server.url("/secret"), server.url("/missing"))
      expect(finished, exits: 6)
      sandbox.expectFiles(["ok": Self.version.content], finished)
    }
  }

  @Test("every failure names the URL and the next step")
  func failuresExplain() async throws {
    try await Sandbox.use { sandbox in
      let finished = try await sandbox.dray("get", sandbox.server.url("/missing"))
      expect(finished, exits: 8)
      for part in ["/missing", "404", "check the URL"] { #expect(finished.errors.contains(part), "\(finished)") }
    }
  }
}
