// `dray watch` in a pseudo-terminal: its display, its keys, and an unchanged terminal afterwards.

import FaultServer
import Foundation
import Testing

@Suite("Watch on a terminal")
struct WatchProgramTests {
  /// Starts `dray watch` and waits for its first frame with jobs.
  private func watch(
    _ sandbox: Sandbox, _ arguments: [String] = [], width: Int = 80, seeing text: String
  ) async throws -> (PseudoTerminal, RunningProgram) {
    let terminal = try PseudoTerminal(width: width)
    let program = try sandbox.start(["watch"] + arguments, on: terminal)
    try await program.wait(for: "the screen: \(terminal.screen.text)") { terminal.screen.text.contains(text) }
    return (terminal, program)
  }

  private func wait(
    _ program: RunningProgram, _ terminal: PseudoTerminal, for text: String, absent: Bool = false
  ) async throws {
    try await program.wait(for: "\(absent ? "no " : "")\(text) on the screen") {
      terminal.screen.text.contains(text) != absent
    }
  }

  private func expectRestored(_ terminal: PseudoTerminal, _ comment: Comment? = nil) {
    let screen = terminal.screen
    #expect(!screen.isCursorHidden && !screen.isAlternate && screen.modes.isEmpty && terminal.isCooked, comment)
  }

  @Test("keys act on the jobs of another process; q leaves, and the transfer continues")
  func work() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/one.bin"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      expect(try await sandbox.dray("add", sandbox.server.url("/two.bin"), sandbox.server.url("/three.bin")), exits: 0)
      let runner = try sandbox.start(["get", sandbox.server.url("/one.bin")])
      try await runner.wait(for: "the gate") { gate.arrivals > 0 }
      let (terminal, program) = try await watch(sandbox, seeing: "one.bin")
      #expect(terminal.screen.isAlternate && terminal.screen.modes.count == 3 && !terminal.isCooked)
      try await wait(program, terminal, for: "50 %")
      try await wait(program, terminal, for: "two.bin")

      // The second row is job 1: paused, resumed, moved after job 2.
      terminal.type("j ")
      try await wait(program, terminal, for: "job 1 paused")
      #expect(try await sandbox.jobs().first { $0.id == 1 }?.state == "paused")
      terminal.type(" ")
      try await wait(program, terminal, for: "job 1 queued")
      terminal.type("J")
      try await program.wait(for: "the other order") {
        try await sandbox.dray("list", "--sort", "queue").output.contains(/three.bin[\s\S]*two.bin/)
      }
      // Each step is taken back, the last one first.
      terminal.type("u")
      try await wait(program, terminal, for: "job 1 is where it was")
      #expect(try await sandbox.dray("list", "--sort", "queue").output.contains(/two.bin[\s\S]*three.bin/))
      terminal.type("u")
      try await wait(program, terminal, for: "job 1 paused again")
      terminal.type("u")
      try await wait(program, terminal, for: "job 1 queued again")

      // Removed only after y.
      terminal.type("x")
      try await wait(program, terminal, for: "Remove job 1, two.bin?")
      terminal.type("n")
      try await wait(program, terminal, for: "Remove job", absent: true)
      terminal.type("xy")
      try await wait(program, terminal, for: "job 1 removed")
      #expect(try await !sandbox.jobs().contains { $0.id == 1 })
      terminal.type("u")
      try await wait(program, terminal, for: "job 1 is back as job 4")
      let back = try await sandbox.jobs().last
      #expect(back?.id == 4 && back?.url == sandbox.server.url("/two.bin"))

      terminal.type("q")
      #expect(try await program.finish(on: terminal) == .code(0))
      expectRestored(terminal)
      #expect(runner.exit == nil)
      gate.open()
      expect(try await runner.finish(), exits: 0)
    }
  }

  @Test("several lines are pasted and queued; a paste with a line that is not a URL is refused, and nothing is queued")
  func add() async throws {
    try await Sandbox.use { sandbox in
      let (terminal, program) = try await watch(sandbox, seeing: "No jobs")
      let urls = ["/a", "/b", "/c"].map { sandbox.server.url($0) }
      terminal.type("\u{1B}[200~\(urls.joined(separator: "\r"))\r\u{1B}[201~")
      try await wait(program, terminal, for: "(3)")
      terminal.type("\r")
      try await wait(program, terminal, for: "3 jobs queued")
      try await wait(program, terminal, for: "no runner")
      #expect(try await sandbox.jobs().map(\.state) == ["queued", "queued", "queued"])
      terminal.type("agopher://x/\u{7F}\r")
      try await wait(program, terminal, for: "gopher")
      #expect(try await sandbox.jobs().count == 3)
      // The typed text stays, so that it can be corrected.
      terminal.type("\u{1B}")
      try await wait(program, terminal, for: "q quit")
      terminal.type("l500k\r")
      try await wait(program, terminal, for: "limit of all runners: 500k")
      #expect(try await sandbox.dray("limit").output.contains("500 KiB/s"))
      terminal.type("lnonsense\r")
      try await wait(program, terminal, for: "nonsense")
      terminal.type("\u{1B}")
      try await wait(program, terminal, for: "q quit")
      terminal.type("\u{3}")
      #expect(try await program.finish(on: terminal) == .code(130))
      expectRestored(terminal)
    }
  }

  @Test("details show the request and the attempts; only named jobs are listed")
  func details() async throws {
    try await Sandbox.use { sandbox in
      for name in ["first", "second"] { sandbox.server["/\(name).bin"] = .init(ResumeCase.v1) }
      expect(try await sandbox.dray("get", sandbox.server.url("/first.bin")), exits: 0)
      expect(try await sandbox.dray("add", sandbox.server.url("/second.bin")), exits: 0)
      let (terminal, program) = try await watch(sandbox, ["1"], seeing: "first.bin")
      #expect(!terminal.screen.text.contains("second.bin"))
      terminal.type("\r")
      try await wait(program, terminal, for: "Request")
      terminal.type("G")
      try await wait(program, terminal, for: "Attempts")
      terminal.type("\u{1B}")
      try await wait(program, terminal, for: "q quit")
      terminal.type("?")
      try await wait(program, terminal, for: "move the job down or up")
      terminal.type("qq")
      #expect(try await program.finish(on: terminal) == .code(0))
    }
  }

  @Test("no line is wider than the window, at any width, and a new size is painted at once", arguments: [40, 80, 200])
  func widths(width: Int) async throws {
    try await Sandbox.use { sandbox in
      let names = (1...30).map { "/a-rather-long-name-\($0)-%E6%97%A5%E6%9C%AC%E8%AA%9E.bin" }
      expect(try await sandbox.dray(["add"] + names.map { sandbox.server.url($0) }), exits: 0)
      let (terminal, program) = try await watch(sandbox, width: width, seeing: "queued")
      #expect(terminal.screen.lines.count <= 24)
      terminal.type("G")
      try await wait(program, terminal, for: "30/30")
      for newWidth in [20, 120, width] {
        let before = terminal.bytes.count
        terminal.resize(width: newWidth, height: 10)
        try await program.wait(for: "a new frame") {
          String(decoding: terminal.bytes.dropFirst(before), as: UTF8.self).contains("\u{1B}[2J")
        }
      }
      terminal.type("q")
      #expect(try await program.finish(on: terminal) == .code(0))
      expectRestored(terminal)
    }
  }

  @Test(
    "signals and a crash leave the terminal as it was", arguments: [SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGABRT, SIGQUIT])
  func signals(number: Int32) async throws {
    try await Sandbox.use { sandbox in
      let (terminal, program) = try await watch(sandbox, seeing: "No jobs")
      program.send(number)
      let exit = try await program.finish(on: terminal)
      let isCrash = [SIGSEGV, SIGABRT, SIGQUIT].contains(number)
      #expect(exit == (isCrash ? .signal(number) : .code(128 + number)))
      expectRestored(terminal, "\(number)")
    }
  }

  @Test("Ctrl-Z gives the terminal back, and fg takes it again")
  func suspend() async throws {
    try await Sandbox.use { sandbox in
      let (terminal, program) = try await watch(sandbox, seeing: "No jobs")
      program.send(SIGTSTP)
      try await waitUntil("the terminal to be given back") { !terminal.screen.isAlternate && terminal.isCooked }
      try await waitUntil("the process to stop") { program.isStopped }
      program.send(SIGCONT)
      try await program.wait(for: "the screen again") {
        terminal.screen.isAlternate && !terminal.isCooked && terminal.screen.text.contains("No jobs")
      }
      terminal.type("q")
      #expect(try await program.finish(on: terminal) == .code(0))
      expectRestored(terminal)
    }
  }

  @Test("bars on request, and plain lines without a terminal, are unchanged")
  func otherForms() async throws {
    try await Sandbox.use { sandbox in
      let terminal = try PseudoTerminal()
      let bars = try sandbox.start(["watch", "--progress", "bars"], on: terminal)
      #expect(try await bars.finish(on: terminal) == .code(0))
      #expect(terminal.screen.text.contains("nothing is active") && !terminal.text.contains("\u{1B}[?1049h"))
      let plain = try await sandbox.dray("watch")
      expect(plain, exits: 0, saying: "nothing is active")
      #expect(!plain.text.contains("\u{1B}"))
    }
  }

  @Test("NO_COLOR: no colours, and the selected row is marked")
  func noColor() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      let terminal = try PseudoTerminal()
      let program = try sandbox.start(["watch"]) {
        $0.terminal = terminal.path
        $0.environment["NO_COLOR"] = "1"
      }
      try await program.wait(for: "the row") { terminal.screen.text.contains("1  f") }
      terminal.type("q")
      #expect(try await program.finish(on: terminal) == .code(0))
      #expect(terminal.text.firstMatch(of: /\x1B\[(7|3\d|1|2)m/) == nil)
    }
  }

  @Test(
    "a get of a file that another process transfers shows its bar to the end, and ends with its result",
    arguments: [true, false])
  func joins(succeeds: Bool) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/joined.bin"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let first = try sandbox.start(["get", sandbox.server.url("/joined.bin")])
      try await first.wait(for: "the gate") { gate.arrivals > 0 }
      let terminal = try PseudoTerminal()
      let second = try sandbox.start(["get", sandbox.server.url("/joined.bin")], on: terminal)
      try await second.wait(for: "the bar of the other process") {
        terminal.screen.text.contains(/joined.bin .*50 %/)
      }
      if succeeds { gate.open() } else { expect(try await sandbox.dray("pause", "1"), exits: 0) }
      #expect(try await second.finish(on: terminal) == .code(succeeds ? 0 : 1))
      if succeeds { #expect(terminal.screen.text.contains(/✓ joined.bin|done: joined.bin/), "\(terminal.screen.text)") }
      gate.open()
      _ = try await first.finish()
      #expect(sandbox.server.requests("/joined.bin").count == 1)
    }
  }

  @Test("a run that waits for jobs reports it, on a terminal and without one")
  func idle() async throws {
    try await Sandbox.use { sandbox in
      let terminal = try PseudoTerminal()
      let run = try sandbox.start(["run", "--wait"], on: terminal)
      try await run.wait(for: "a word") { terminal.screen.text.contains("waiting for jobs: `dray add URL`") }
      terminal.type("\u{3}")
      #expect(try await run.finish(on: terminal) == .code(130))
      #expect(!terminal.screen.isCursorHidden)
      let plain = try sandbox.start(["run", "--wait"])
      try await plain.wait(for: "a word") { plain.errors.contains("waiting for jobs") }
      plain.send(SIGINT)
      expect(try await plain.finish(), exits: 130)
      let quiet = try sandbox.start(["run", "--wait", "-q"])
      expect(try await sandbox.dray("add", sandbox.server.url("/missing")), exits: 0)
      try await quiet.wait(for: "the failure") { quiet.errors.contains("404") }
      quiet.send(SIGINT)
      let finished = try await quiet.finish()
      #expect(!finished.errors.contains("waiting"), "\(finished)")
    }
  }
}
