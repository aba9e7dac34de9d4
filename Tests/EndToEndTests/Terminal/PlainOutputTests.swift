// Output that is not a terminal: P8.

import FaultServer
import Foundation
import Testing

@Suite("Plain output")
struct PlainOutputTests {
  static let version = Version.named("v1", size: 1 << 20)

  private func hasControls(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" }
  }

  @Test("not a terminal: no control codes, few lines")
  func plain() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: [Answer { $0.rate = 1 << 20 }])
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      #expect(!hasControls(finished.text), "\(finished)")
      #expect(finished.text.split(separator: "\n").count <= 20, "\(finished)")
    }
  }

  @Test("a dumb terminal and CI get plain lines too", arguments: ["TERM=dumb", "CI=1"])
  func dumb(_ variable: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: [Answer { $0.rate = 1 << 20 }])
      let terminal = try PseudoTerminal()
      let parts = variable.split(separator: "=").map(String.init)
      let program = try sandbox.start(["get", sandbox.server.url("/f")]) {
        $0.terminal = terminal.path
        $0.environment[parts[0]] = parts[1]
      }
      #expect(try await program.finish(on: terminal) == .code(0))
      #expect(!hasControls(terminal.text.replacing("\r\n", with: "\n")), "\(terminal.text.debugDescription)")
    }
  }

  @Test("NO_COLOR: bars without colour")
  func noColor() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: [Answer { $0.rate = 1 << 20 }])
      let terminal = try PseudoTerminal()
      let program = try sandbox.start(["get", sandbox.server.url("/f")]) {
        $0.terminal = terminal.path
        $0.environment["NO_COLOR"] = "1"
      }
      #expect(try await program.finish(on: terminal) == .code(0))
      #expect(terminal.text.firstMatch(of: /\x1B\[[0-9;]*3[0-9][0-9;]*m/) == nil)
    }
  }

  @Test("-q prints nothing on success, but still prints errors")
  func quiet() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let finished = try await sandbox.dray("get", "-q", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      #expect(finished.errors.isEmpty, "\(finished)")
      let failed = try await sandbox.dray("get", "-q", sandbox.server.url("/missing"))
      expect(failed, exits: 8, saying: "404")
    }
  }

  @Test("P8 text of the server never reaches the output unescaped")
  func serverText() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(
        Self.version,
        script: [
          Answer(404) {
            $0.reason = "Gone\u{1B}]0;owned\u{7}\u{1B}[2J"
            $0.headers = ["ETag: \"\u{1B}[31m\"", "Content-Type: text/\u{1B}[5m"]
          }
        ])
      let url = sandbox.server.url("/f?%1b[31m\u{9B}31m")
      for arguments in [["get", "-v", url], ["info", url], ["list"], ["show", "1"], ["list", "--json"]] {
        let finished = try await sandbox.dray(arguments)
        #expect(
          !hasControls(finished.text.replacing("\r\n", with: "\n")), "\(finished.text.debugDescription)")
      }
    }
  }
}
