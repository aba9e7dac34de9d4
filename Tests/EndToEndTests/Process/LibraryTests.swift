// libcurl is loaded when it is first needed: commands that work without it, and the error of the others.

import FaultServer
import Testing

@Suite("Without libcurl")
struct LibraryTests {
  @Test("commands that transfer nothing work; others name the missing library before they queue anything")
  func missing() async throws {
    try await Sandbox.use { sandbox in
      // A file that is not a library replaces it, so that the test needs no machine without libcurl.
      try sandbox.write("", to: "libcurl.so.4")
      func dray(_ arguments: String...) async throws -> Finished { try await run(arguments) }
      func run(_ arguments: [String]) async throws -> Finished {
        try await sandbox.start(arguments) { $0.environment["LD_LIBRARY_PATH"] = sandbox.downloads }.finish(seconds: 60)
      }
      let url = sandbox.server.url("/f")
      for command in [["get", url], ["run"], ["info", url]] {
        let refused = try await run(command)
        expect(refused, exits: 1)
        #expect(refused.errors.contains("libcurl: it cannot be loaded (") && refused.errors.contains("libcurl.so.4"))
        #expect(refused.errors.contains("apt install libcurl4"), "\(refused)")
      }
      expect(try await dray("add", url), exits: 0)
      let list = try await dray("list")
      expect(list, exits: 0)
      #expect(list.output.split(separator: "\n").count == 2, "what was refused is not in the queue: \(list)")
      let version = try await dray("--version")
      expect(version, exits: 0)
      #expect(version.output.contains("\nlibcurl cannot be loaded ("), "\(version)")
      let doctor = try await dray("doctor")
      expect(doctor, exits: 1)
      #expect(doctor.output.contains("bad      libcurl"), "\(doctor)")
    }
  }

  @Test("a command that transfers nothing does not load it")
  func unneeded() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      for command in [["list"], ["show", "1"], ["help", "get"], ["pause", "1"], ["remove", "1"]] {
        // The loader says on standard error what it loads.
        let traced = try await sandbox.start(command) { $0.environment["LD_DEBUG"] = "files" }.finish(seconds: 60)
        expect(traced, exits: 0)
        #expect(traced.errors.contains("libexpat.so.1") && !traced.errors.contains("libcurl"), "\(command)")
      }
    }
  }
}
