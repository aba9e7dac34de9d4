// `dray list` in use: on a terminal and into a pipe, with errors, part files and secrets.

import FaultServer
import Foundation
import Testing

@Suite("List")
struct ListTests {
  /// The output of `dray ARGUMENTS` on a terminal.
  private func shown(_ sandbox: Sandbox, _ arguments: String..., width: Int = 80) async throws -> String {
    let terminal = try PseudoTerminal(width: width)
    let program = try sandbox.start(arguments, on: terminal)
    #expect(try await program.finish(on: terminal) == .code(0))
    return terminal.text
  }

  @Test("an empty list says so, on standard error; as JSON it is an empty array and nothing else")
  func empty() async throws {
    try await Sandbox.use { sandbox in
      for arguments in [["list"], ["list", "--all"]] {
        let finished = try await sandbox.dray(arguments)
        expect(finished, exits: 0, saying: "no jobs")
        #expect(finished.output.isEmpty && finished.errors.contains("dray add URL"))
      }
      let json = try await sandbox.dray("list", "--json")
      #expect(json.output == "[]\n" && json.errors.isEmpty)
      expect(try await sandbox.dray("add", "http://127.0.0.1:1/f"), exits: 0)
      expect(try await sandbox.dray("list", "--state", "failed"), exits: 0, saying: "no such jobs")
      expect(try await sandbox.dray("list", "--parts"), exits: 0, saying: "no part files")
      expect(try await sandbox.dray("list", "--parts", "--json"), exits: 2, saying: "choose one")
      expect(try await sandbox.dray("list", "--keep-history", "soon"), exits: 2, saying: "30d, or off")
    }
  }

  @Test("a terminal shows the newest of many, and how many more there are; a pipe and --all show every job")
  func many() async throws {
    try await Sandbox.use { sandbox in
      let paths = (0..<25).map { "/f\($0)" }
      for path in paths { sandbox.server[path] = .init(Version.named(path, size: 100)) }
      let urls = paths.map(sandbox.server.url)
      // The first job ended first.
      expect(try await sandbox.dray("get", urls[0]), exits: 0)
      expect(
        try await sandbox.dray("get", urls[1], sandbox.server.url("/missing")), exits: 8, saying: "1 done, 1 failed")
      expect(try await sandbox.dray(["get"] + urls[2...]), exits: 0, saying: "23 done")
      expect(try await sandbox.dray("add", sandbox.server.url("/later")), exits: 0)

      let text = try await shown(sandbox, "list")
      #expect(text.contains("later") && !text.contains("missing") && text.contains("and 5 complete, 1 failed; "))
      #expect(text.matches(of: /100 %/).count == 20)
      let all = try await shown(sandbox, "list", "--all")
      #expect(
        all.contains("missing") && !all.contains("dray list --all")
          && all.matches(of: /100 %/).count == 25)
      let failed = try await shown(sandbox, "list", "--state", "failed", width: 200)
      #expect(failed.contains("404 Not Found"))
      let pipe = try await sandbox.dray("list")
      #expect(pipe.output.split(separator: "\n").count == 28 && pipe.output.contains("404 Not Found"))
      #expect(try await sandbox.jobs().count == 27)
      let narrow = try await shown(sandbox, "list", width: 40)
      #expect(narrow.contains("complete") && !narrow.contains("comple…") && narrow.contains("later"))
    }
  }

  @Test("a pipe on a terminal, as to head, has every job in rows that fit the window; whole rows with -v")
  func pipeOnTerminal() async throws {
    try await Sandbox.use { sandbox in
      let name = "a-name-that-grep-still-finds.tar.gz"
      let server = sandbox.server
      expect(try await sandbox.dray("get", server.url("/dir/\(name)?\(String(repeating: "x", count: 99))")), exits: 8)
      expect(try await sandbox.dray("add", server.url("/other")), exits: 0)
      func piped(_ line: String) async throws -> [Substring] {
        let terminal = try PseudoTerminal(width: 80)
        let program = try sandbox.launch(try toolPath("bash"), ["-c", line]) { $0.terminal = terminal.path }
        #expect(try await program.finish(on: terminal) == .code(0))
        return terminal.text.replacing("\r\n", with: "\n").split(separator: "\n")
      }
      let lines = try await piped("\"$DRAY\" list | head")
      #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 80 })
      #expect(lines.joined().contains(name) && !lines.joined().contains("\u{1B}"))
      let whole = try await piped("\"$DRAY\" list -v | head")
      #expect(whole.joined().contains("xxxxxxxx") && whole.joined().contains("404 Not Found"))
    }
  }

  @Test("jobs that a get completed are shown while history is kept; queued jobs stay")
  func history() async throws {
    try await Sandbox.use { sandbox in
      for path in ["/once", "/queued"] { sandbox.server[path] = .init(Version.named(path, size: 100)) }
      expect(try await sandbox.dray("get", sandbox.server.url("/once")), exits: 0)
      expect(try await sandbox.dray("add", sandbox.server.url("/queued")), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      let both = try await shown(sandbox, "list")
      #expect(both.contains("once") && both.contains("queued"))
      let one = try await shown(sandbox, "list", "--keep-history", "0")
      #expect(!one.contains("once") && one.contains("queued") && one.contains("and 1 complete; "))
      #expect(try await shown(sandbox, "list", "--keep-history", "0", "--all").contains("once"))
      #expect(try await shown(sandbox, "list", "--keep-history", "0", "--match", "once").contains("once"))
      let configuration = try sandbox.write("keep-history = \"0\"\n", to: "../config.toml")
      #expect(!(try await shown(sandbox, "--config", configuration, "list")).contains("once"))
      #expect(try await shown(sandbox, "--config", configuration, "list", "--keep-history", "off").contains("once"))
      #expect(try await sandbox.jobs().count == 2)
    }
  }

  @Test("part files, with their bytes")
  func parts() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let get = try sandbox.start(["get", sandbox.server.url("/f")])
      try await get.wait(for: "half of it") { try await sandbox.jobs().first?.received == ResumeCase.half }
      get.send(SIGINT)
      expect(try await get.finish(), exits: 130)
      let job = try await sandbox.onlyJob()
      let listed = try await sandbox.dray("list", "--parts")
      expect(listed, exits: 0)
      let words = try #require(listed.output.split(separator: "\n").last).split(separator: " ").map(String.init)
      #expect(words == ["1", "interrupted", "\(ResumeCase.half)", try #require(job.partFile)])
    }
  }

  @Test("secrets in URLs are shown on request only")
  func reveal() async throws {
    try await Sandbox.use { sandbox in
      let url = sandbox.server.url("/f") + "?token=hunter2&x=1"
      let mirror = sandbox.server.url("/g") + "?sig=hunter3"
      expect(try await sandbox.dray("get", url, "--mirror", mirror, "--retries", "0"), exits: 8)
      for command in [["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"]] {
        let hidden = try await sandbox.dray(command)
        #expect(!hidden.text.contains("hunter"), "\(hidden)")
        let whole = try await sandbox.dray(command + ["--reveal"])
        #expect(whole.output.contains(url), "\(whole)")
        #expect(command[0] == "list" || whole.output.contains(mirror), "\(whole)")
      }
    }
  }

  @Test("a runner says that dray limit overrides the rate it was given")
  func overridden() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Version.named("v1", size: 100))
      let table = "00:00,500k 12:00,500k"
      expect(try await sandbox.dray("limit", "off"), exits: 0)
      let get = try await sandbox.dray("get", "--max-overall-rate", table, sandbox.server.url("/f"))
      expect(get, exits: 0, saying: "`dray limit off` overrides --max-overall-rate \"\(table)\"")
      expect(try await sandbox.dray("add", sandbox.server.url("/f"), "-o", "g"), exits: 0)
      let run = try await sandbox.dray("run", "--max-overall-rate", table)
      expect(run, exits: 0, saying: "overrides")
      #expect(!(try await sandbox.dray("run", "-q", "--max-overall-rate", table)).text.contains("overrides"))
      #expect(!(try await sandbox.dray("run")).text.contains("overrides"))
      expect(try await sandbox.dray("limit", "auto"), exits: 0)
      #expect(!(try await sandbox.dray("run", "--max-overall-rate", table)).text.contains("overrides"))
    }
  }

  @Test("the line of a completed file names the compared digest, on a terminal too")
  func verified() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 1000)
      sandbox.server["/d/f"] = .init(version)
      let sums = Content.fixed("\(Sandbox.sha256(version.content))  f\n".utf8)
      sandbox.server["/d/SHA256SUMS"] = .init(Version(sums, etag: "\"s\""))
      let url = sandbox.server.url("/d/f")
      expect(
        try await sandbox.dray("get", "--verify", "auto", url), exits: 0,
        saying: "f: complete, sha-256 verified (SHA256SUMS), ")
      expect(try await sandbox.dray("get", "-o", "plain", url), exits: 0, saying: "plain: complete, 1000 B")
      let digest = "sha-256=\(Sandbox.sha256(version.content))"
      let terminal = try await shown(sandbox, "get", "--checksum", digest, "-o", "g", url)
      #expect(terminal.contains("sha-256 verified"))
    }
  }
}
