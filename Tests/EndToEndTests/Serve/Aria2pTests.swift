// aria2p, a client of aria2, against the service. `scripts/setup.sh test` installs it from PyPI in a separate place.

import FaultServer
import Foundation
import TestSupport
import Testing

/// aria2p's programs.
enum Aria2p {
  /// The directory of its programs: `DRAY_ARIA2P`, otherwise the place that `scripts/setup.sh` uses.
  static let programs: String? = {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/root") + "/.cache"
    let path = environment["DRAY_ARIA2P"] ?? cache + "/dray-aria2p/bin"
    return access(path + "/aria2p", X_OK) == 0 ? path : nil
  }()
}

extension Need {
  static let aria2p = Need("aria2p", "scripts/setup.sh test installs it from PyPI") { Aria2p.programs != nil }
}

@Suite("Service with aria2p", .needs(.aria2p))
struct Aria2pTests {
  private static let secret = "correct-horse-battery-staple"

  private func site(_ sandbox: Sandbox, _ gate: Gate) {
    sandbox.server["/small"] = .init(.named("v1", size: 1000))
    sandbox.server["/held"] = .init(
      .named("v2", size: 300_000), script: [.held(by: gate, after: 200_000), .held(by: gate, after: 50_000)])
  }

  @Test("its library adds, watches, pauses, resumes, removes, purges, and is notified")
  func library() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      site(sandbox, gate)
      let programs = try #require(Aria2p.programs)
      let service = try await Service.start(in: sandbox, secret: Self.secret)
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "aria2p_client.py")
      let words = [
        script.path, "\(service.port)", Self.secret, sandbox.server.url("/small"), sandbox.server.url("/held"),
      ]
      let client = try await sandbox.launch(programs + "/python", words).finish(seconds: 120)
      expect(client, exits: 0, saying: "done")
      try await service.stop()
      sandbox.expectFiles(["small": Version.named("v1", size: 1000).content])
    }
  }

  @Test("its command line adds, shows, pauses, resumes, removes, purges")
  func commandLine() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      site(sandbox, gate)
      let program = try #require(Aria2p.programs) + "/aria2p"
      let service = try await Service.start(in: sandbox, secret: Self.secret)
      func aria2p(_ words: String...) async throws -> Finished {
        let common = ["-p", "\(service.port)", "-s", Self.secret]
        let finished = try await sandbox.launch(program, common + words).finish()
        expect(finished, exits: 0)
        return finished
      }
      func shows(_ word: String) async throws {
        try await service.program.wait(for: word, every: 0.2) { try await aria2p("show").output.contains(word) }
      }
      expect(try await aria2p("add", sandbox.server.url("/held")), exits: 0, saying: "Created download")
      try await shows("active")
      _ = try await aria2p("pause", "--all")
      try await shows("paused")
      _ = try await aria2p("resume", "--all")
      try await shows("active")
      _ = try await aria2p("remove", "--all")
      _ = try await aria2p("add", sandbox.server.url("/small"))
      try await shows("complete")
      _ = try await aria2p("purge")
      #expect(try await aria2p("show").output.split(separator: "\n").count == 1)
      try await service.stop()
    }
  }
}
