// `dray get` with a new link for an interrupted job, asked on a terminal. `Tests/Cases/resume/R20` has --new-link.

import FaultServer
import Foundation
import Testing

@Suite("New links")
struct NewLinkTests {
  @Test("on a terminal get asks; yes continues the job, no leaves it its name", arguments: [true, false])
  func asked(isTaken: Bool) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let server = sandbox.server
      server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half)])
      server["/fresh/f"] = .init(ResumeCase.v1)
      let get = ["get", server.url("/f")]
      _ = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      let terminal = try PseudoTerminal(width: 120)
      let program = try sandbox.start(["get", server.url("/fresh/f")], on: terminal)
      try await program.wait(for: "the question") {
        terminal.screen.text.contains(/\[1\] f: .* are kept; continue with this link\? \(y\/n\)/)
      }
      terminal.type(isTaken ? "y\n" : "n\n")
      #expect(try await program.finish(on: terminal) == .code(isTaken ? 0 : 3))
      let jobs = try await sandbox.jobs()
      if isTaken {
        #expect(jobs.map(\.state) == ["complete"] && jobs[0].url == server.url("/fresh/f"))
        sandbox.expectFiles(["f": ResumeCase.v1.content])
      } else {
        #expect(jobs.first?.state == "interrupted" && jobs.first?.url == server.url("/f"))
      }
      #expect(server.requests("/f").count == 1)
    }
  }
}
