// The modes in the state directory, under the strictest umask.

import FaultServer
import Foundation
import Testing

@Suite("Umask")
struct UmaskTests {
  @Test("directories are 0700 and files 0600, even if the umask removes all permissions")
  func nothing() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = Resource(.named("v1", size: 1000), script: [Answer { $0.latency = 600 }])
      // During the run there are also the database's log and the runner's lock file.
      let line = "umask 777; exec \"$DRAY\" get \(sandbox.server.url("/f"))"
      let program = try sandbox.launch(try toolPath("bash"), ["-c", line])
      try await program.wait(for: "the request") { !sandbox.server.requests("/f").isEmpty }
      let state = sandbox.names(in: sandbox.home)
      #expect(state.isSuperset(of: ["dray.sqlite", "dray.sqlite-wal", "dray.sqlite-shm", "runners"]), "\(state)")
      let runners = sandbox.names(in: sandbox.home + "/runners")
      #expect(runners.count == 1, "\(runners)")
      #expect(sandbox.mode(of: sandbox.home) == 0o700)
      for name in state.union(runners.map { "runners/\($0)" }) {
        #expect(
          sandbox.mode(of: "\(sandbox.home)/\(name)") == (["runners", "journals"].contains(name) ? 0o700 : 0o600),
          "\(name)")
      }
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
      // The next program can use these files.
      #expect(try await sandbox.onlyJob().url == sandbox.server.url("/f"))
    }
  }
}
