// Few descriptors, few threads: the program works within the limits, and reports limits that are too low for any work
// (D2, P11, P13).

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Limits of the system")
struct ResourceTests {
  @Test("D2 too few descriptors for any work are reported", arguments: [4, 6, 8, 10, 13, 31])
  func tooFewDescriptors(_ count: Int) async throws {
    try await Sandbox.use { sandbox in
      let url = sandbox.server.url("/f")
      let finished = try await sandbox.shell("ulimit -n \(count); exec \"$DRAY\" get \(url)")
      expect(finished, exits: 1, saying: "raise `ulimit -n`")
      #expect(!FileManager.default.fileExists(atPath: sandbox.home))
    }
  }

  @Test("D2 too little address space is reported, instead of a wait for threads that never start")
  func tooLittleSpace() async throws {
    try await Sandbox.use { sandbox in
      for arguments in ["get \(sandbox.server.url("/f"))", "list", "--version"] {
        let finished = try await sandbox.shell("ulimit -v 200000; exec \"$DRAY\" \(arguments)")
        expect(finished, exits: 1, saying: "too little address space (195 MiB")
      }
      #expect(!FileManager.default.fileExists(atPath: sandbox.home))
    }
  }

  /// Limits do not bind root, so another user runs the program and needs access to it.
  @Test("D2 too few threads for any work are reported", .needs(.root), arguments: [1, 3, 8])
  func tooFewThreads(_ count: Int) async throws {
    try await Sandbox.use { sandbox in
      let place = "/tmp/dray-\(UUID().uuidString)"
      try FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
      defer { try? FileManager.default.removeItem(atPath: place) }
      let line = "ulimit -u \(count); exec \(place)/dray get http://127.0.0.1:1/f"
      let finished = try await sandbox.shell(
        "install -m 755 \"$DRAY\" \(place)/dray; cd \(place); "
          + "exec setpriv --reuid 54321 --regid 54321 --clear-groups bash -c '\(line)'")
      expect(finished, exits: 1, saying: "no more threads can be created")
    }
  }

  @Test(
    "without /proc the runtime finds no arguments: a message says so, and nothing is done",
    .needs(.root))
  func noProcessFiles() async throws {
    try await Sandbox.use { sandbox in
      for arguments in ["get \(sandbox.server.url("/f"))", "list", "--version"] {
        let finished = try await sandbox.shell(
          "exec unshare -m bash -c 'mount -t tmpfs none /proc && exec \"$DRAY\" \(arguments)'")
        expect(finished, exits: 1, saying: "mount -t proc proc /proc")
        #expect(finished.output.isEmpty && sandbox.server.requests.isEmpty, "\(finished)")
      }
      #expect(!FileManager.default.fileExists(atPath: sandbox.home))
    }
  }

  @Test("the arguments are found after a preloaded library has moved the environment by setting a variable")
  func movedEnvironment() async throws {
    try await Sandbox.use { sandbox in
      let clock = try sandbox.write(String(repeating: "\0", count: 8), to: "../streams/clock")
      let library = try Crash.library()
      let finished = try await sandbox.start(["list", "--json"]) { launch in
        launch.environment.merge(["LD_PRELOAD": library, "DRAY_CLOCK": clock]) { $1 }
      }.finish()
      expect(finished, exits: 0)
      #expect(finished.output == "[]\n", "\(finished)")
    }
  }

  @Test("D2 many jobs and many connections fit into few descriptors")
  func manyJobs() async throws {
    try await Sandbox.use { sandbox in
      let names = (0..<40).map { "f\($0)" }
      let version = Version.named("v1", size: 1_500_000)
      for name in names { sandbox.server["/" + name] = .init(version) }
      let urls = names.map { sandbox.server.url("/" + $0) }.joined(separator: " ")
      let finished = try await sandbox.shell(
        "ulimit -n 64; exec \"$DRAY\" get --retries 0 -j 40 --max-per-host 40 -x 16 \(urls)")
      expect(finished, exits: 0)
      sandbox.expectFiles(Dictionary(uniqueKeysWithValues: names.map { ($0, version.content) }), finished)
    }
  }
}
