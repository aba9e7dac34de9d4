// `-o -` in a terminal: text is printed, other files are refused before they are complete, and a stop is reported.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Standard output")
struct StandardOutputTests {
  private static let large = Version.named("v1", size: 4 << 20)

  @Test("a file that is not text is refused as soon as its first bytes are there", arguments: [[], ["--in-order"]])
  func binary(_ options: [String]) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      // The rest never comes.
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.large, script: [.held(by: gate, after: 1 << 20)])
      let terminal = try PseudoTerminal()
      let program = try sandbox.start(["get", "-o", "-"] + options + [sandbox.server.url("/f")], on: terminal)
      let exit = try await program.finish(on: terminal)
      gate.open()
      #expect(exit == .code(2))
      let screen = terminal.screen.text.replacing("\n", with: " ")
      #expect(screen.contains("it is not text") && screen.contains("/dev/stdout"), "\(screen)")
      sandbox.expectFiles([:], screen)
    }
  }

  @Test("a small one, too, but not if the terminal is named, or if another program reads it")
  func small() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Version(.fixed([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0])))
      let url = sandbox.server.url("/f")
      for (output, code) in [("-", Int32(2)), ("/dev/stdout", 0)] {
        let terminal = try PseudoTerminal()
        let program = try sandbox.start(["get", "-o", output, url], on: terminal)
        #expect(try await program.finish(on: terminal) == .code(code), "\(output): \(terminal.text)")
      }
      expect(try await sandbox.dray("get", "-o", "-", url), exits: 0)
    }
  }

  @Test("text is printed, also with colours")
  func text() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Version(.fixed("\u{1B}[1mgrüße\u{1B}[0m\tfrom the server\n".utf8)))
      let terminal = try PseudoTerminal()
      let program = try sandbox.start(["get", "-o", "-", sandbox.server.url("/f")], on: terminal)
      #expect(try await program.finish(on: terminal) == .code(0))
      #expect(terminal.screen.text.contains("from the server"))
    }
  }

  @Test("Ctrl-C is reported", arguments: ["-", "/dev/null"])
  func stopped(_ output: String) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.large, script: [.held(by: gate, after: 1 << 20)])
      let program = try sandbox.start(["get", "-o", output, sandbox.server.url("/f")])
      try await program.wait(for: "a request") { !sandbox.server.requests("/f").isEmpty }
      program.send(SIGINT)
      let finished = try await program.finish()
      gate.open()
      expect(finished, exits: 130, saying: "stopped: nothing is kept; run it again")
    }
  }
}
