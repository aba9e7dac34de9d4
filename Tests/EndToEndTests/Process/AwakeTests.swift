// The machine stays awake while bytes move, and sleeps or stops when all is done. Test programs replace those of
// systemd.

import FaultServer
import Foundation
import Testing

@Suite("Awake")
struct AwakeTests {
  /// A file that takes long at the rate of ``slowly``.
  private static let large = Version.named("v1", size: 64 << 20)
  private static let slowly = ["-x", "1", "--limit-rate", "300k"]
  private static let log = "../temporary/awake.log"

  /// Makes a program that is found first. A shell writes it: the file must not be open for writing in this process,
  /// which forks.
  private func plant(_ sandbox: Sandbox, _ name: String, _ body: String) async throws {
    let path = "\(sandbox.temporary)/bin/\(name)"
    let line = """
      mkdir -p '\(sandbox.temporary)/bin'
      cat > '\(path)' <<'END'
      #!/bin/bash
      log='\(sandbox.path(Self.log))'
      \(body)
      END
      chmod 755 '\(path)'
      """
    expect(try await sandbox.shell(line), exits: 0)
  }

  private func plantInhibitor(_ sandbox: Sandbox, refusing kind: String = "none") async throws {
    try await plant(
      sandbox, "systemd-inhibit",
      """
      if [ "$1" = --what=\(kind) ]; then echo "refused $1" >> "$log"; exit 1; fi
      echo "begin $1$DRAY_PASSWORD" >> "$log"
      "${@: -1}"
      echo end >> "$log"
      """)
  }

  /// Starts dray with the planted programs, and with a system bus by its address; empty means none.
  private func start(
    _ sandbox: Sandbox, _ arguments: [String], bus: String = "unix:path=/nonexistent"
  ) throws -> RunningProgram {
    try sandbox.start(arguments) { launch in
      launch.environment["PATH"] = "\(sandbox.temporary)/bin:" + (launch.environment["PATH"] ?? "")
      launch.environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus
      launch.environment["DRAY_PASSWORD"] = "PLANTED"
    }
  }

  private func lines(_ sandbox: Sandbox) -> [String] {
    (sandbox.read(Self.log) ?? "").split(separator: "\n").map(String.init)
  }

  @Test(
    "the lock is taken while bytes move, and given back by a run that is stopped, or killed", arguments: [false, true])
  func lock(isKilled: Bool) async throws {
    try await Sandbox.use { sandbox in
      try await plantInhibitor(sandbox)
      sandbox.server["/f"] = .init(Self.large)
      let program = try start(sandbox, ["get", sandbox.server.url("/f")] + Self.slowly)
      try await program.wait(for: "the lock") { lines(sandbox).first == "begin --what=sleep" }
      if isKilled {
        _ = try await program.kill9()
        try await waitUntil("the end of the lock") { lines(sandbox).last == "end" }
      } else {
        program.send(SIGINT)
        expect(try await program.finish(), exits: 130)
      }
      #expect(lines(sandbox) == ["begin --what=sleep", "end"])
    }
  }

  @Test("who may not keep the machine from sleeping keeps it from sleeping when idle")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      try await plantInhibitor(sandbox, refusing: "sleep")
      sandbox.server["/f"] = .init(Self.large)
      let program = try start(sandbox, ["get", sandbox.server.url("/f")] + Self.slowly)
      try await program.wait(for: "the lock") { lines(sandbox).contains("begin --what=idle") }
      program.send(SIGINT)
      let finished = try await program.finish()
      expect(finished, exits: 130)
      #expect(!finished.text.contains("inhibit"))
      #expect(lines(sandbox) == ["refused --what=sleep", "begin --what=idle", "end"])
    }
  }

  @Test("there is no lock where none is wanted, and where there is no bus", arguments: [false, true])
  func none(isOff: Bool) async throws {
    try await Sandbox.use { sandbox in
      try await plantInhibitor(sandbox)
      sandbox.server["/f"] = .init(.named("v1", size: 700_000))
      let get = ["get", sandbox.server.url("/f")] + Self.slowly + (isOff ? ["--inhibit", "off"] : [])
      let bus = isOff ? "unix:path=/nonexistent" : ""
      expect(try await start(sandbox, get, bus: bus).finish(), exits: 0)
      #expect(lines(sandbox) == [])
    }
  }

  @Test("a command follows a run that has ended, with its exit status, and no run that was stopped")
  func command() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(.named("v1", size: 1_500_000))
      sandbox.server["/small"] = .init(ResumeCase.v1)
      let script = "echo \"$DRAY_RUN_EXIT_STATUS ${DRAY_PASSWORD:-none}\" >> '\(sandbox.path(Self.log))'"
      let path = try sandbox.write(script, to: "../temporary/done.sh")
      let done = ["--when-done", "sh \(path)"]
      expect(try await start(sandbox, ["get", sandbox.server.url("/small")] + done).finish(), exits: 0)
      #expect(lines(sandbox) == ["0 none"])
      expect(try await start(sandbox, ["get", sandbox.server.url("/missing")] + done).finish(), exits: 8)
      #expect(lines(sandbox) == ["0 none", "8 none"])
      let program = try start(sandbox, ["get", sandbox.server.url("/f")] + Self.slowly + done)
      try await program.wait(for: "its job") { try await sandbox.jobs().contains { $0.state == "active" } }
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
      #expect(lines(sandbox).count == 2)
      let failing = try await start(sandbox, ["run", "--when-done", "false"]).finish()
      expect(failing, exits: 0, saying: "--when-done false: it ended with exit status 1")
    }
  }

  @Test("sleep and poweroff are systemd's; while another dray transfers they are left out")
  func machine() async throws {
    try await Sandbox.use { sandbox in
      try await plant(sandbox, "systemctl", "echo \"$*\" >> \"$log\"")
      sandbox.server["/small"] = .init(ResumeCase.v1)
      for action in ["sleep", "poweroff"] {
        let finished = try await start(sandbox, ["get", sandbox.server.url("/small"), "--when-done", action]).finish()
        expect(finished, exits: 0)
      }
      #expect(lines(sandbox) == ["suspend", "poweroff"])
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let other = try sandbox.start(["get", sandbox.server.url("/f")])
      try await other.wait(for: "the other's job") { try await sandbox.jobs().contains { $0.state == "active" } }
      let left = try await start(sandbox, ["run", "--when-done", "poweroff"]).finish()
      expect(left, exits: 0, saying: "--when-done poweroff is left out: another dray is still transferring")
      #expect(lines(sandbox).count == 2)
      gate.open()
      expect(try await other.finish(), exits: 0)
    }
  }

  @Test(
    "what has no end has no action at it, and a shell's line is no command",
    arguments: [
      (["run", "--wait", "--when-done", "sleep"], "with --wait the run does not end"),
      (["serve", "--when-done", "sleep"], "a service does not end"), (["run", "--when-done", "a | b"], "--when-done"),
      (["run", "--inhibit", "never"], "--inhibit never: use "),
    ])
  func mistakes(arguments: [String], says: String) async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray(arguments), exits: 2, saying: says)
    }
  }
}
