// `dray --host`, against the real sshd from Debian: the same commands, for the queue of another machine.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Another host's queue", .needs(.root), .needs(.programs("ssh", "sshd")))
struct RemoteHostTests {
  /// A machine `nas` whose dray has a separate queue.
  private struct Nas {
    let sandbox: Sandbox
    let configuration: String

    /// The variables that lead to it.
    func variables() throws -> [String: String] {
      ["DRAY_SSH": "ssh -F '\(configuration)'", "DRAY_HOST_PROGRAM": try programPath()]
    }

    /// Runs `dray --host nas` to its end.
    func dray(_ words: String..., input: String? = nil) async throws -> Finished {
      let source = try input.map { try sandbox.write($0, to: "../streams/input-\(UUID().uuidString)") }
      let variables = try variables()
      return try await sandbox.start(["--host", "nas"] + words) { launch in
        launch.environment.merge(variables) { _, own in own }
        if let source { launch.input = .file(source) }
      }.finish()
    }
  }

  private func use(_ body: (Sandbox, Nas) async throws -> Void) async throws {
    try await Sandbox.use { sandbox in
      let user = "\(sandbox.root)/user"
      let there = ["DRAY_HOME": "\(user)/there", "HOME": user, "XDG_CONFIG_HOME": "\(user)/none"]
      let server = try await FileServer.sshd(in: sandbox, variables: there)
      let key = try String(contentsOfFile: "\(user)/.ssh/host.pub", encoding: .utf8)
      try sandbox.write("[127.0.0.1]:\(server.port) \(key)", to: "../user/.ssh/known_hosts")
      let lines = [
        "Host nas", "HostName 127.0.0.1", "Port \(server.port)", "User \(NSUserName())", "IdentitiesOnly yes",
        "IdentityFile \(user)/.ssh/id_ed25519", "UserKnownHostsFile \(user)/.ssh/known_hosts", "BatchMode yes",
        "StrictHostKeyChecking yes", "Host away", "HostName 127.0.0.1", "Port \(try LocalPort.free())", "BatchMode yes",
      ]
      let configuration = try sandbox.write(lines.joined(separator: "\n") + "\n", to: "../user/.ssh/config")
      try await body(sandbox, Nas(sandbox: sandbox, configuration: configuration))
    }
  }

  @Test("jobs are added, listed, run and removed there, with any characters in the words, and none is here")
  func queue() async throws {
    try await use { sandbox, nas in
      let version = Version.named("v1", size: 100_000)
      sandbox.server["/f"] = .init(version)
      let folder = sandbox.path("it's a \"folder\" $HOME `x`")
      let added = try await nas.dray("add", "-d", folder, sandbox.server.url("/f"))
      expect(added, exits: 0)
      #expect(added.output == "1\n")
      expect(try await nas.dray("list"), exits: 0, saying: "queued")
      expect(try await nas.dray("run", "-q"), exits: 0)
      #expect(FileManager.default.contents(atPath: folder + "/f")?.count == 100_000)
      expect(try await nas.dray("list", "--json"), exits: 0, saying: "\"complete\"")
      expect(try await sandbox.dray("list", "--json"), exits: 0, saying: "[]")
      expect(try await nas.dray("remove", "1"), exits: 0)
      expect(try await nas.dray("list", "--json"), exits: 0, saying: "[]")
    }
  }

  @Test("a list goes through standard input; other commands leave a loop its list")
  func input() async throws {
    try await use { sandbox, nas in
      let url = sandbox.server.url("/")
      expect(try await nas.dray("add", "-i", "-", input: "\(url)a\n\(url)b\n"), exits: 0)
      var variables = try nas.variables()
      variables["LIST"] = "\(url)c\n\(url)d\n\(url)e\n"
      let loop = #"printf %s "$LIST" | while read -r url; do "$DRAY" --host nas add "$url" || exit; done"#
      let looped = try await sandbox.launch(toolPath("bash"), ["-c", loop]) { launch in
        launch.environment.merge(variables) { _, own in own }
      }.finish()
      expect(looped, exits: 0)
      #expect(looped.output == "3\n4\n5\n")
    }
  }

  @Test("the exit status is that of the dray there; no connection is 4, and no dray 1")
  func status() async throws {
    try await use { sandbox, nas in
      expect(try await nas.dray("show", "99"), exits: 2, saying: "99")
      expect(try await nas.dray("--version"), exits: 0, saying: "libcurl")
      let variables = try nas.variables()
      func run(_ words: [String], _ more: [String: String] = [:]) async throws -> Finished {
        try await sandbox.start(words) { launch in
          launch.environment.merge(variables.merging(more) { _, own in own }) { _, own in own }
        }.finish()
      }
      expect(try await run(["--host", "away", "list"]), exits: 4, saying: "ssh away")
      let missing = ["DRAY_HOST_PROGRAM": "dray-that-is-nowhere"]
      expect(try await run(["list", "--host", "nas"], missing), exits: 1, saying: "not installed")
      expect(try await run(["--host", "-oProxyCommand=touch x", "list"]), exits: 2, saying: "--host")
      expect(try await run(["--host", "nas", "list"], ["DRAY_SSH": "/nonexistent/ssh"]), exits: 1, saying: "not found")
      sandbox.expectNoFiles()
    }
  }

  @Test("watch has its screen and its keys, and leaves the terminal as it was")
  func watch() async throws {
    try await use { sandbox, nas in
      expect(try await nas.dray("add", sandbox.server.url("/seen.bin")), exits: 0)
      let terminal = try PseudoTerminal()
      let variables = try nas.variables()
      let program = try sandbox.start(["--host", "nas", "watch"]) { launch in
        launch.terminal = terminal.path
        launch.environment.merge(variables) { _, own in own }
      }
      try await program.wait(for: "the screen") { terminal.screen.text.contains("seen.bin") }
      terminal.type(" ")
      try await program.wait(for: "the pause") { terminal.screen.text.contains("job 1 paused") }
      terminal.type("q")
      let end = try await program.finish(on: terminal)
      #expect(end == .code(0))
      #expect(!terminal.screen.isAlternate && terminal.isCooked)
    }
  }
}
