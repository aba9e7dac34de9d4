// The bars in a pseudo-terminal: visible, growing, narrow, and gone without a trace. Q1, Q7.

import FaultServer
import Foundation
import Testing

@Suite("Bars")
struct BarTests {
  private func percents(_ text: String) -> [Int] {
    text.matches(of: /(\d+)(?:\.\d+)?\s?%/).compactMap { Int($0.output.1) }
  }

  @Test("a retry is told by the bar, and leaves no line")
  func retry() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/file.bin"] = .init(.named("v1", size: 1000), script: [.status(503), .normal])
      let terminal = try PseudoTerminal()
      let url = sandbox.server.url("/file.bin")
      let program = try sandbox.start(["get", url, "--retry-wait", "2"], on: terminal)
      try await program.wait(for: "the retry") { terminal.screen.text.contains("503") }
      #expect(try await program.finish(on: terminal) == .code(0))
      let screen = terminal.screen.text
      #expect(screen.contains("file.bin") && !screen.contains("503"), "\(screen)")
    }
  }

  @Test("a bar is drawn, its percent grows and never shrinks, and the cursor comes back")
  func barGrows() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      // A gate after each MiB except the last.
      let version = Version.named("v1", size: 5 << 20)
      let gates = (0..<4).map { _ in Gate() }
      let answer = Answer {
        $0.holds = gates.enumerated().map { index, gate in .gate(gate, after: Int64(index + 1) << 20) }
      }
      sandbox.server["/file.bin"] = .init(version, script: [answer])
      let terminal = try PseudoTerminal()
      let program = try sandbox.start(["get", sandbox.server.url("/file.bin")], on: terminal)
      for (percent, gate) in zip([20, 40, 60, 80], gates) {
        try await program.wait(for: "a name and \(percent) percent") {
          let text = terminal.screen.text
          return text.contains("file.bin") && percents(text).contains(percent)
        }
        gate.open()
      }
      #expect(try await program.finish(on: terminal) == .code(0))
      let seen = percents(terminal.text)
      #expect(seen.count > 3 && seen.contains { $0 > 0 && $0 < 100 }, "\(seen)")
      #expect(seen == seen.sorted(), "\(seen)")
      #expect(seen.allSatisfy { $0 <= 100 })
      #expect(!terminal.screen.isCursorHidden)
      sandbox.expectFiles(["file.bin": version.content], terminal.screen.text)
    }
  }

  @Test("-o /dev/null has a bar without a job number, which disappears before the last line")
  func discarded() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/file.bin"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half)])
      let terminal = try PseudoTerminal()
      let program = try sandbox.start(["get", "-o", "/dev/null", sandbox.server.url("/file.bin")], on: terminal)
      try await program.wait(for: "half of it") {
        let text = terminal.screen.text
        return text.contains("file.bin") && percents(text).contains(50)
      }
      #expect(terminal.screen.text.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("file.bin"))
      gate.open()
      #expect(try await program.finish(on: terminal) == .code(0))
      #expect(terminal.screen.text.contains("received and discarded") && !terminal.screen.text.contains("50 %"))
      #expect(!terminal.screen.isCursorHidden)
    }
  }

  @Test("Q1 Ctrl-C typed into the terminal: 130, the cursor is back, the bytes are kept")
  func controlC() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let terminal = try PseudoTerminal()
      let program = try sandbox.start(["get", sandbox.server.url("/f")], on: terminal)
      try await program.wait(for: "half of it") { percents(terminal.screen.text).contains(50) }
      terminal.type("\u{3}")
      #expect(try await program.finish(on: terminal) == .code(130))
      #expect(!terminal.screen.isCursorHidden)
      sandbox.expectOnlyPartFile()
    }
  }

  @Test("Q7 narrow windows: the bars fit, whatever the width", arguments: [20, 10, 1])
  func narrow(width: Int) async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 2 << 20)
      let urls = (0..<4).map { index in
        // 日本語, with two columns for each character.
        let path = "/a-rather-long-name-\(index)-%E6%97%A5%E6%9C%AC%E8%AA%9E.bin"
        sandbox.server[path] = .init(version, script: [Answer { $0.rate = 2 << 20 }])
        return sandbox.server.url(path)
      }
      let terminal = try PseudoTerminal(width: width)
      let program = try sandbox.start(["get", "-j", "4"] + urls, on: terminal)
      #expect(try await program.finish(on: terminal) == .code(0), "\(terminal.screen.text)")
      #expect(!terminal.screen.isCursorHidden)
      #expect(sandbox.names().count == 4 && sandbox.names().allSatisfy { !sandbox.isPartFile($0) })
    }
  }

  @Test("Q7 the window is resized while bars are drawn")
  func resized() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 4 << 20)
      sandbox.server["/f"] = .init(version, script: [Answer { $0.rate = 2 << 20 }])
      let terminal = try PseudoTerminal(width: 100)
      let program = try sandbox.start(["get", sandbox.server.url("/f")], on: terminal)
      for width in [20, 150, 1, 300, 40] {
        try await program.wait(for: "bytes") { !terminal.bytes.isEmpty }
        terminal.resize(width: width)
        try await Task.sleep(for: .seconds(0.2))
      }
      #expect(try await program.finish(on: terminal) == .code(0))
      #expect(!terminal.screen.isCursorHidden)
      sandbox.expectFiles(["f": version.content])
    }
  }

  @Test("an error appears once, whole, above the bars")
  func errorAboveBars() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/slow"] = .init(ResumeCase.v1, script: [Answer { $0.rate = 1 << 20 }])
      let terminal = try PseudoTerminal(width: 120)
      let server = sandbox.server
      let program = try sandbox.start(["get", server.url("/slow"), server.url("/missing")], on: terminal)
      #expect(try await program.finish(on: terminal) == .code(8))
      let told = terminal.screen.lines.joined().matches(of: /404/)
      #expect(told.count >= 1, "\(terminal.screen.text)")
      let lines = terminal.screen.lines.filter { $0.contains("404") }
      #expect(Set(lines).count == lines.count, "\(terminal.screen.text)")
    }
  }

  @Test("`watch` shows what another process transfers, and ends on Ctrl-C with the cursor back")
  func watch() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/watched.bin"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half)])
      let runner = try sandbox.start(["get", sandbox.server.url("/watched.bin")])
      try await runner.wait(for: "the gate") { gate.arrivals > 0 }
      let terminal = try PseudoTerminal()
      let watch = try sandbox.start(["watch"], on: terminal)
      try await watch.wait(for: "the bar of the other process") {
        let text = terminal.screen.text
        return text.contains("watched.bin") && percents(text).contains(50)
      }
      terminal.type("\u{3}")
      let exit = try await watch.finish(on: terminal)
      #expect([.code(0), .code(130)].contains(exit))
      #expect(!terminal.screen.isCursorHidden)
      #expect(runner.exit == nil, "watching must not disturb the transfer")
      gate.open()
      expect(try await runner.finish(), exits: 0)
    }
  }
}
