// Tests of the tools that drive programs: terminals, certificates, nginx, hanging programs.

import FaultServer
import Foundation
import Testing

@Suite("Harness")
struct HarnessTests {
  @Test("nginx speaks HTTP/2 over TLS by the test's authority, and its log has the ranges")
  func nginx() async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox, Certificates.Kind.allCases)
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates)
      let content = Content.generated(seed: 1, size: 5_000)
      try content.write(toFileAt: nginx.site + "/file")
      let curl = try await sandbox.tool(
        "curl", ["-sS", "--cacert", certificates.authority, "-r", "1000-", "-o", "part", nginx.url("/file")])
      expect(curl, exits: 0)
      sandbox.expectFiles(["part": .fixed(content.bytes(in: 1000..<5000))])
      // nginx writes a line after the last byte was sent.
      try await waitUntil("nginx's log") { !nginx.entries.isEmpty }
      let entry = try #require(nginx.entries.first)
      #expect(entry.status == 206 && entry.range == "bytes=1000-" && entry.sent == 4000)
      #expect(entry.version == "HTTP/2.0")
      for kind in [Certificates.Kind.expired, .wrongHost, .selfSigned] {
        let other = try await RealServer(.nginx, in: sandbox, certificates: certificates, certificate: kind)
        let refused = try await sandbox.tool(
          "curl", ["-sS", "--cacert", certificates.authority, other.url("/")])
        expect(refused, exits: 60)
      }
    }
  }

  @Test("a program in a pseudo-terminal knows its width, and Ctrl-C reaches it")
  func pseudoTerminal() async throws {
    try await Sandbox.use { sandbox in
      let terminal = try PseudoTerminal(width: 33)
      let line = "trap 'echo caught; exit 7' INT; stty size; while sleep 0.05; do :; done"
      let program = try sandbox.launch(try toolPath("bash"), ["-c", line]) { $0.terminal = terminal.path }
      try await program.wait(for: "the size") { terminal.screen.text.contains("24 33") }
      terminal.type("\u{3}")
      #expect(try await program.finish(on: terminal) == .code(7))
      #expect(terminal.screen.text.contains("caught"))
    }
  }

  @Test("the screen follows the cursor")
  func screen() {
    var screen = Screen(width: 10)
    screen.feed(
      "one\r\ntwo\r\n\u{1B}[?25l\u{1B}[2Aoh\u{1B}[K\u{1B}[1Bgo\u{1B}[31m!\u{1B}[0m\u{1B}]0;title\u{7}")
    #expect(screen.lines == ["oh", "twgo!", ""])
    #expect(screen.isCursorHidden)
    screen.feed("\r\u{1B}[J\u{1B}[?25h0123456789ab")
    #expect(screen.lines == ["oh", "0123456789", "ab"])
    #expect(!screen.isCursorHidden)
  }

  @Test("a program that does not end is killed, and the error shows its output")
  func timeOut() async throws {
    try await Sandbox.use { sandbox in
      let program = try sandbox.launch(try toolPath("bash"), ["-c", "echo hello; exec sleep 60"])
      try await program.wait(for: "hello") { program.output.contains("hello") }
      let error = await #expect(throws: HarnessError.self) { try await program.finish(seconds: 0.2) }
      #expect(error?.description.contains("hello") == true)
      #expect(try await program.finish().exit == .signal(SIGKILL))
    }
  }

  @Test("streams can be closed or full, and arguments arrive unchanged")
  func streams() async throws {
    try await Sandbox.use { sandbox in
      let full = try sandbox.launch(try toolPath("bash"), ["-c", "echo x"]) { $0.output = .file("/dev/full") }
      expect(try await full.finish(), exits: 1, saying: "No space")
      let closed = try sandbox.launch(try toolPath("bash"), ["-c", "[ -e /dev/fd/1 ]"]) {
        $0.output = .closed
      }
      expect(try await closed.finish(), exits: 1)
      let echo = try await sandbox.tool("printf", ["%s|", "a b", "c=d", "é"])
      #expect(echo.output == "a b|c=d|é|")
    }
  }
}
