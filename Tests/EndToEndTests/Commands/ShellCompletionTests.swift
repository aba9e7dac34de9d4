// Completions in real shells, with jobs in each state: the offered words, and the unchanged store.

import FaultServer
import Foundation
import Testing

@Suite("Completion in shells")
struct ShellCompletionTests {
  /// A job of each state, by its number.
  private enum Job: Int, CaseIterable {
    case complete = 1, failed, queued, paused, interrupted, active

    var name: String { "\(self)-file" }
    var line: String { "\(rawValue)\t\(name) (\(self)" }
  }

  /// The completions of a command.
  private static let table: [(String, [Job])] = [
    ("pause", [.active, .interrupted, .queued]), ("resume", [.interrupted, .paused]),
    ("retry", [.interrupted, .failed]), ("open", [.complete]), ("path", [.complete]),
    ("show", [.active, .interrupted, .paused, .queued, .failed, .complete]),
  ]

  /// A sandbox with these jobs and a shell's script. The active job runs during `body`. Every URL has a secret.
  private func withJobs(_ shell: String, _ body: (Sandbox, _ script: String) async throws -> Void) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gates = [Gate(), Gate()]
      for job in Job.allCases {
        let answer: Answer =
          switch job {
          case .failed: .status(404)
          case .interrupted: .held(by: gates[0], after: 100_000)
          case .active: .held(by: gates[1], after: 100_000)
          default: .init()
          }
        sandbox.server["/\(job.name)"] = .init(AnswerCase.version, script: [answer])
      }
      func url(_ job: Job) -> String { sandbox.server.url("/\(job.name)") + "?token=s3cret" }
      expect(try await sandbox.dray("get", url(.complete)), exits: 0)
      expect(try await sandbox.dray("get", url(.failed)), exits: 8)
      expect(try await sandbox.dray("add", url(.queued), url(.paused)), exits: 0)
      expect(try await sandbox.dray("pause", "4"), exits: 0)
      let killed = try sandbox.start(["get", url(.interrupted)])
      try await waitUntil("bytes") { sandbox.server.bytesSent("/\(Job.interrupted.name)") >= 100_000 }
      _ = try await killed.kill9()
      let running = try sandbox.start(["get", url(.active)])
      try await waitUntil("bytes") { sandbox.server.bytesSent("/\(Job.active.name)") >= 100_000 }
      let script = try await sandbox.dray("--generate-completion-script", shell).output
      try FileManager.default.createDirectory(atPath: sandbox.root + "/bin", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: sandbox.root + "/bin/dray", withDestinationPath: try programPath())
      try await body(sandbox, try sandbox.write(script, to: "../user/dray.\(shell)"))
      for gate in gates { gate.open() }
      expect(try await running.finish(), exits: 0)
    }
  }

  /// Runs a shell in which `dray` is found.
  private func shell(_ sandbox: Sandbox, _ name: String, _ arguments: [String]) async throws -> Finished {
    try await sandbox.launch(try toolPath(name), arguments) { launch in
      launch.environment["PATH"] = sandbox.root + "/bin:" + (launch.environment["PATH"] ?? "")
    }.finish()
  }

  @Test("fish")
  func fish() async throws {
    try await withJobs("fish") { sandbox, script in
      func complete(_ line: String) async throws -> [String] {
        let asked = try await shell(
          sandbox, "fish", ["--no-config", "-c", "source '\(script)'; complete -C \"$argv[1]\"", line])
        #expect(asked.errors.isEmpty && !asked.output.contains("s3cret"), "\(asked)")
        return asked.output.split(separator: "\n").map(String.init)
      }
      for (command, jobs) in Self.table {
        let lines = try await complete("dray \(command) ")
        #expect(lines.count == jobs.count, "\(command): \(lines)")
        for (line, job) in zip(lines, jobs) { #expect(line.hasPrefix(job.line), "\(command): \(lines)") }
      }
      let conflict = try await complete("dray get --on-conflict=ov")
      #expect(conflict.count == 1 && conflict[0].hasPrefix("--on-conflict=overwrite\t"), "\(conflict)")
      #expect(try await complete("dray verify ").map { $0.prefix { $0 != "\t" } } == ["1", "complete-file"])
      #expect(try await complete("dray get --").first?.hasPrefix("--head\t") == true)
      #expect(try await complete("dray get -d ").isEmpty)
      #expect(try await complete("dray nonsense ").isEmpty)
    }
  }

  @Test("bash")
  func bash() async throws {
    try await withJobs("bash") { sandbox, script in
      /// The completions for a line that bash cuts into these words.
      func complete(_ line: String, _ words: String...) async throws -> [String] {
        let ask = """
          source "$1"; complete -p dray >/dev/null || exit; COMP_LINE=$2; COMP_POINT=${#2}; COMP_TYPE=9; shift 2
          COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COLUMNS=80; _dray
          for word in "${COMPREPLY[@]}"; do echo "$word"; done
          """
        let asked = try await shell(
          sandbox, "bash", ["--norc", "-c", ask, "bash", script, line] + words)
        #expect(asked.errors.isEmpty && !asked.output.contains("s3cret"), "\(asked)")
        return asked.output.split(separator: "\n").map(String.init)
      }
      for (command, jobs) in Self.table {
        let lines = try await complete("dray \(command) ", "dray", command, "")
        #expect(lines.count == jobs.count, "\(command): \(lines)")
        for (line, job) in zip(lines, jobs) {
          // A single match stands alone; several have their names beside them.
          let expected = jobs.count == 1 ? "\(job.rawValue)" : "\(job.rawValue)  \(job.name) (\(job)"
          #expect(jobs.count == 1 ? line == expected : line.hasPrefix(expected), "\(command): \(lines)")
        }
      }
      #expect(try await complete("dray pause 6", "dray", "pause", "6") == ["6"])
      #expect(
        try await complete("dray get --on-conflict=ov", "dray", "get", "--on-conflict", "=", "ov") == ["overwrite"])
      #expect(
        try await complete("dray get --on-conflict=", "dray", "get", "--on-conflict", "=").first
          == "fail       leave it: an error, unless it is the server's file already")
      #expect(
        try await complete("dray list --state failed,in", "dray", "list", "--state", "failed,in")
          == ["failed,interrupted"])
      // Part files are hidden, and stay so.
      #expect(try await complete("dray get -o ", "dray", "get", "-o", "") == ["complete-file"])
    }
  }

  @Test("zsh")
  func zsh() async throws {
    try await withJobs("zsh") { sandbox, script in
      let terminal = try PseudoTerminal(width: 100)
      let program = try sandbox.launch(try toolPath("zsh"), ["-f", "-i"]) { launch in
        launch.environment["PATH"] = sandbox.root + "/bin:" + (launch.environment["PATH"] ?? "")
        launch.terminal = terminal.path
      }
      func wait(_ text: String) async throws {
        try await program.wait(for: "\"\(text)\": \(terminal.screen.text)") { terminal.screen.text.contains(text) }
      }
      terminal.type("PROMPT='ready> '; autoload -Uz compinit; compinit -u -D; source \(script); echo begun\n")
      try await wait("\nbegun")
      terminal.type("dray resume \t")
      try await wait("5  -- interrupted-file (interrupted")
      try await wait("4  -- paused-file (paused")
      terminal.type("\u{15}dray open \t\n")
      // The only match is already typed; the job cannot be opened here.
      try await wait("ready> dray open 1")
      terminal.type("\u{15}dray get --on-conflict=\t")
      try await wait("overwrite  -- replace it once the new file is complete")
      #expect(!terminal.text.contains("s3cret"))
      terminal.type("\u{3}\u{15}exit\n")
      _ = try await program.finish(on: terminal)
    }
  }

  // MARK: Stores

  /// The files of the state directory, with their contents.
  private func state(_ sandbox: Sandbox) -> [String: Data] {
    Dictionary(
      uniqueKeysWithValues: sandbox.names(in: sandbox.home).map { name in
        (name, FileManager.default.contents(atPath: "\(sandbox.home)/\(name)") ?? Data())
      })
  }

  @Test("a store that is absent stays absent")
  func absent() async throws {
    try await Sandbox.use { sandbox in
      let asked = try await sandbox.dray("---complete", "pause", "")
      expect(asked, exits: 0)
      #expect(asked.output == ":group jobs\n" && asked.errors.isEmpty, "\(asked)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.home))
    }
  }

  @Test("a store at rest stays unchanged; a newer dray's store offers nothing and prints nothing")
  func untouched() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      let before = state(sandbox)
      let asked = try await sandbox.dray("---complete", "pause", "")
      #expect(asked.output.contains("1\tf (queued") && asked.errors.isEmpty, "\(asked)")
      #expect(state(sandbox) == before)
      let script = "import sqlite3,sys; sqlite3.connect(sys.argv[1]).executescript('PRAGMA user_version = 9999')"
      expect(try await sandbox.tool("python3", ["-c", script, sandbox.home + "/dray.sqlite"]), exits: 0)
      let newer = state(sandbox)
      let refused = try await sandbox.dray("---complete", "pause", "")
      expect(refused, exits: 0)
      #expect(refused.output == ":group jobs\n" && refused.errors.isEmpty, "\(refused)")
      #expect(state(sandbox) == newer)
    }
  }

  @Test("completion does not wait for a store that another program has locked")
  func locked() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      let script = """
        import sqlite3, sys, time
        store = sqlite3.connect(sys.argv[1], isolation_level=None)
        store.execute("PRAGMA locking_mode = EXCLUSIVE")
        store.execute("BEGIN EXCLUSIVE")
        print("locked", flush=True)
        time.sleep(600)
        """
      let locker = try sandbox.launch(try toolPath("python3"), ["-c", script, sandbox.home + "/dray.sqlite"])
      try await waitUntil("the lock") { locker.output.contains("locked") }
      // The store itself would wait for 40 s.
      let asked = try await sandbox.dray(["---complete", "pause", ""], seconds: 30)
      expect(asked, exits: 0)
      #expect(asked.output == ":group jobs\n" && asked.errors.isEmpty, "\(asked)")
      _ = try await locker.kill9()
    }
  }
}
