// Hooks: their input, no effect on the job, no endless wait.

import FaultServer
import Foundation
import Testing

@Suite("Hooks")
struct HookTests {
  /// A script that writes its input to `name`.out in the download directory. A shell reads the script: a file that any
  /// process has open for writing cannot be executed, and a concurrent fork of another test can hold it open.
  private func script(_ sandbox: Sandbox, _ name: String, _ body: String = "") throws -> String {
    let path = try sandbox.write(
      "#!/bin/sh\nd=\"\(sandbox.downloads)\"\n{ env | grep ^DRAY_; echo \"args: $*\"; cat; } >> \"$d/\(name).out\"\n\(body)\n",
      to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test("a hook gets the job on its standard input, in its environment, and by its arguments")
  func told() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      let hook = try script(sandbox, "hook")
      let finished = try await sandbox.dray(
        ["get", sandbox.server.url("/f?token=PLANTED"), "-o", "file", "--on-complete", "sh '\(hook)' 'a b' $\\$"],
        with: ["DRAY_PASSWORD": "PLANTED"])
      expect(finished, exits: 2)
      expect(
        try await sandbox.dray(
          ["get", sandbox.server.url("/f?token=PLANTED"), "-o", "file", "--on-complete", "sh '\(hook)' 'a b' \\$X"],
          with: ["DRAY_PASSWORD": "PLANTED"]), exits: 0)
      let out = try #require(sandbox.read("hook.out"))
      for line in [
        "args: a b $X", "DRAY_JOB_ID=1", "DRAY_JOB_STATE=complete", "DRAY_JOB_TARGET=\(sandbox.path("file"))",
        "DRAY_JOB_EXIT_STATUS=0", "DRAY_HOME=\(sandbox.home)", "\"state\":\"complete\"", "\"id\":1",
      ] { #expect(out.contains(line), "\(line) in \(out)") }
      #expect(!out.contains("PLANTED"), "\(out)")
    }
  }

  @Test("an error hook runs for a failure only; for a queued job, the process that transfers it runs the hook")
  func onError() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      let bad = try script(sandbox, "bad")
      expect(
        try await sandbox.dray(
          "add", sandbox.server.url("/f"), sandbox.server.url("/missing"), "--on-error", "sh \(bad)"),
        exits: 0)
      let run = try await sandbox.dray("run")
      expect(run, exits: 8)
      let out = try #require(sandbox.read("bad.out"), "\(run)")
      #expect(out.contains("DRAY_JOB_STATE=failed") && out.contains("DRAY_JOB_EXIT_STATUS=8"), "\(out)")
      #expect(out.contains("DRAY_JOB_ERROR=") && out.contains("404") && out.components(separatedBy: "args:").count == 2)
    }
  }

  struct Failing: Sendable, CustomTestStringConvertible {
    let command: String
    var options: [String] = []
    let said: String
    var testDescription: String { command }
  }

  static let failures: [Failing] = [
    .init(command: "false", said: "exit status 1"), .init(command: "/no/such/program", said: "no such program"),
    .init(command: "no-such-program-here", said: "no such program"),
    .init(command: "sh -c 'kill -9 $$'", said: "signal 9"),
    .init(command: "sleep 60", options: ["--hook-timeout", "0.3"], said: "it took more than"),
    .init(command: "echo oh | tr o 0; exit 3", options: ["--hook-shell"], said: "exit status 3: 0h"),
    .init(command: "sh -c 'printf \"\\033]0;x\\007\"; exit 4'", said: "exit status 4: \\u{1B}]0;x"),
  ]

  @Test("a hook's failure is reported, and changes neither file nor exit status", arguments: failures)
  func failing(_ failing: Failing) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      let finished = try await sandbox.dray(
        ["get", sandbox.server.url("/f"), "--on-complete", failing.command] + failing.options)
      expect(finished, exits: 0)
      #expect(finished.errors.contains(failing.said), "\(finished)")
      #expect(!finished.text.contains("\u{1B}]0"), "\(finished)")
      #expect(try await sandbox.dray("list").output.contains("complete"))
    }
  }

  @Test("errors in a hook's command are reported before anything is fetched", arguments: ["a | b", "a 'b", " "])
  func refused(_ command: String) async throws {
    try await Sandbox.use { sandbox in
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"), "--on-complete", command)
      expect(finished, exits: 2)
      #expect(finished.errors.contains("--on-complete"), "\(finished)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.home))
    }
  }

  /// Whether a process exists and is not a zombie: some containers do not reap zombies.
  private func lives(_ pid: pid_t) -> Bool {
    let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    return stat.map { !$0.contains(") Z") } ?? false
  }

  private func pid(_ sandbox: Sandbox, _ name: String) throws -> pid_t {
    try #require(sandbox.read(name).flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
  }

  @Test(
    "a hook's child processes end with it: at its time limit, and when the run is stopped, once or at once",
    arguments: [0, 1, 2])
  func group(interrupts: Int) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      // The child ignores SIGTERM, and its shell ends on it.
      let hook =
        "(trap '' TERM; exec sleep 600) & echo $! > \(sandbox.path("pid~")); mv \(sandbox.path("pid~")) "
        + "\(sandbox.path("pid")); wait"
      let limit = interrupts == 0 ? ["--hook-timeout", "1"] : []
      let program = try sandbox.start(
        ["get", sandbox.server.url("/f"), "--hook-shell", "--on-complete", hook] + limit)
      if interrupts > 0 {
        try await waitUntil("the hook") { FileManager.default.fileExists(atPath: sandbox.path("pid")) }
      }
      for _ in 0..<interrupts {
        program.send(SIGINT)
        // Two simultaneous signals count as one; the test then equals the test of one.
        try await Task.sleep(for: .milliseconds(100))
      }
      let finished = try await program.finish()
      expect(finished, exits: interrupts == 0 ? 0 : 130)
      if interrupts == 0 { #expect(finished.errors.contains("it took more than"), "\(finished)") }
      if interrupts == 1 { #expect(finished.errors.contains("signal"), "\(finished)") }
      // On a stalled machine the time limit passes before the child starts.
      guard let child = try? pid(sandbox, "pid") else { return #expect(interrupts == 0) }
      defer { kill(child, SIGKILL) }
      try await waitUntil("the end of the child") { !lives(child) }
    }
  }

  @Test("a hook with endless output uses no disk, and its last lines are reported")
  func endlessOutput() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      // The limit on file size would end the hook with a signal if its output went to a file.
      let hook = "ulimit -f 100; yes | head -c 20000000; echo the last; exit 3"
      let finished = try await sandbox.dray(
        "get", sandbox.server.url("/f"), "--hook-shell", "--on-complete", hook)
      expect(finished, exits: 0)
      #expect(finished.errors.contains("exit status 3") && finished.errors.contains("the last"), "\(finished)")
    }
  }

  @Test("a process that a hook leaves behind keeps neither the run nor its lease alive")
  func leftBehind() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      let hook = "sleep 600 & echo $! > \(sandbox.path("pid"))"
      let finished = try await sandbox.dray(
        "get", sandbox.server.url("/f"), "--hook-shell", "--on-complete", hook)
      expect(finished, exits: 0)
      let pid = try #require(sandbox.read("pid").flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
      defer { kill(pid, SIGKILL) }
      #expect(kill(pid, 0) == 0)
      let open = try await sandbox.tool("ls", ["-l", "/proc/\(pid)/fd"])
      #expect(!open.output.contains("runners") && !open.output.contains("sqlite"), "\(open)")
    }
  }

  @Test("a hook in the configuration applies to a run's jobs without their own hook")
  func configured() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/a"] = .init(AnswerCase.version)
      sandbox.server["/b"] = .init(AnswerCase.version)
      let (common, own) = (try script(sandbox, "common"), try script(sandbox, "own"))
      try sandbox.configure("on-complete = \"sh \(common)\"\n")
      expect(try await sandbox.dray("add", sandbox.server.url("/a")), exits: 0)
      expect(try await sandbox.dray("add", sandbox.server.url("/b"), "--on-complete", "sh \(own)"), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      #expect(sandbox.read("common.out")?.contains("DRAY_JOB_ID=1") == true)
      #expect(sandbox.read("common.out")?.contains("DRAY_JOB_ID=2") == false)
      #expect(sandbox.read("own.out")?.contains("DRAY_JOB_ID=2") == true)
    }
  }
}
