// `-x/--max-connections` and `--mirror`: their places, their precedence, and their display in `show`.

import FaultServer
import Foundation
import Testing

@Suite("Options for connections")
struct ConnectionOptionTests {
  /// The connections of a job in `show --json`.
  private func shown(_ id: Int, _ sandbox: Sandbox) async throws -> Int? {
    let json = try await sandbox.dray("show", "\(id)", "--json")
    let job = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    return (job?["request"] as? [String: Any])?["maxConnections"] as? Int
  }

  @Test("precedence: typed, the environment, a host's section, the rest of the configuration")
  func places() async throws {
    try await Sandbox.use { sandbox in
      func add(_ arguments: String..., with variables: [String: String] = [:]) async throws -> Int? {
        let url = "http://127.0.0.1:1/\(UUID().uuidString)"
        let added = try await sandbox.dray(["add", url] + arguments, with: variables)
        expect(added, exits: 0)
        #expect(added.errors.isEmpty, "\(added)")
        return try await shown(Int(added.output.trimmingCharacters(in: .newlines)) ?? 0, sandbox)
      }
      #expect(try await add() == 16)
      #expect(try await add("-x", "1") == 1)
      // No warning for a number from the configuration: it is deliberate.
      try sandbox.configure("max-connections = 40\n")
      #expect(try await add() == 40)
      #expect(try await add(with: ["DRAY_MAX_CONNECTIONS": "5"]) == 5)
      try sandbox.configure("max-connections = 4\n[host.\"127.0.0.1\"]\nmax-connections = 3\n")
      #expect(try await add() == 3)
      #expect(try await add("--max-connections", "2", with: ["DRAY_MAX_CONNECTIONS": "5"]) == 2)
      try sandbox.write("http://127.0.0.1:1/list\n  max-connection-per-server=7\n", to: "list")
      let listed = try await sandbox.dray("add", "-i", "list")
      #expect(try await shown(Int(listed.output.trimmingCharacters(in: .newlines)) ?? 0, sandbox) == 7)
      try sandbox.configure("[host.\"127.0.0.1\"]\nmax-connections = 99\n")
      expect(try await sandbox.dray("list"), exits: 2, saying: "1 to 64")
    }
  }

  @Test("more connections than servers like are allowed, with a warning", arguments: ["add", "feed", "sync"])
  func warning(_ command: String) async throws {
    try await Sandbox.use { sandbox in
      try sandbox.write("[[file]]\nurl = \"http://127.0.0.1:1/f\"\n", to: "x.toml")
      let operands = [
        "add": ["http://127.0.0.1:1/f"], "feed": [sandbox.server.url("/no-feed")], "sync": ["x.toml", "--dry-run"],
      ]
      let many = try await sandbox.dray([command, "-x", "17"] + (operands[command] ?? []))
      #expect(many.errors.contains("--max-connections 17: many servers"), "\(many)")
      let few = try await sandbox.dray([command, "-x", "16"] + (operands[command] ?? []))
      #expect(!few.errors.contains("--max-connections 16"), "\(few)")
    }
  }

  @Test("--mirror is another URL of the file, and shown")
  func mirror() async throws {
    try await Sandbox.use { sandbox in
      let mirror = try FaultServer()
      defer { mirror.stop() }
      mirror["/g"] = .init(AnswerCase.version)
      let finished = try await sandbox.dray(
        "get", "-x", "3", sandbox.server.url("/f"), "--mirror", mirror.url("/g"), "-H", "X-Key: k")
      expect(finished, exits: 0)
      #expect(AnswerCase.version.content.difference(fromFileAt: sandbox.path("f")) == nil, "\(sandbox.names())")
      // If the first server lacks the file, the mirror is used, without the header field for the first.
      let gone = ["get", sandbox.server.url("/gone"), "--mirror", mirror.url("/g"), "-H", "X-Key: k"]
      expect(try await sandbox.dray(gone), exits: 0)
      #expect(!mirror.requests.isEmpty && mirror.requests.allSatisfy { $0["x-key"] == nil })
      #expect(sandbox.server.requests("/gone").first?["x-key"] == "k")
      let shown = try await sandbox.dray("show", "1").output
      #expect(shown.contains("at most 3") && shown.contains(mirror.url("/g")), "\(shown)")
      #expect(try await sandbox.dray("show", "1", "--json").output.contains("\"mirrors\":[\"\(mirror.url("/g"))\"]"))
      #expect(try await self.shown(1, sandbox) == 3)
    }
  }
}
