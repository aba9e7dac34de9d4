// nginx: killed at 30 % and 70 %, resumed, file replaced; HTTP/2 over TLS.

import FaultServer
import Foundation
import Testing

@Suite("nginx")
struct NginxTests {
  private static let size: Int64 = 60 << 20
  private static let old = Content.generated(seed: 1, size: size)
  private static let new = Content.generated(seed: 2, size: size)

  /// Runs until `share` of the file has arrived and a checkpoint counts most of it, then kills. Returns the number of bytes
  /// from which the next run continues.
  private func kill(
    at share: Double, _ sandbox: Sandbox, _ relay: FaultServer.Relay, _ get: [String]
  ) async throws -> Int64 {
    let end = Int64(share * Double(Self.size))
    return try await sandbox.kill(get, relay, after: end - (try await sandbox.kept()), recorded: end * 9 / 10)
  }

  /// Waits until nginx has logged this many answers. It writes each line after the answer's last byte.
  private func waitForLog(of nginx: RealServer, _ count: Int) async throws {
    try await waitUntil("\(count) lines of nginx's log") { nginx.entries.count >= count }
  }

  @Test("killed at 30 % and at 70 %: the log shows 206 and only the missing bytes")
  func killedTwice() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let nginx = try await RealServer(.nginx, in: sandbox)
      let relay = try FaultServer.Relay(to: nginx.port)
      defer { relay.stop() }
      try Self.old.write(toFileAt: nginx.site + "/file")
      let get = ["get", Conformance.url(relay, "/file")]
      _ = try await kill(at: 0.3, sandbox, relay, get)
      let kept = try await kill(at: 0.7, sandbox, relay, get)
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      sandbox.expectFiles(["file": Self.old], finished)
      try await waitForLog(of: nginx, 3)
      let log = nginx.entries
      #expect(log.map(\.status) == [200, 206, 206], "\(log)")
      let last = try #require(log.last)
      #expect(
        last.range == "bytes=\(kept - Joint.overlap)-" && last.sent == Self.size - kept + Joint.overlap,
        "\(log)")
    }
  }

  @Test("replaced on the server during the download: the new file, whole, and a notice", arguments: [0.3, 0.7])
  func replaced(share: Double) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let nginx = try await RealServer(.nginx, in: sandbox)
      let relay = try FaultServer.Relay(to: nginx.port)
      defer { relay.stop() }
      try Self.old.write(toFileAt: nginx.site + "/file")
      let get = ["get", Conformance.url(relay, "/file")]
      _ = try await kill(at: share, sandbox, relay, get)
      try Self.new.write(toFileAt: nginx.site + "/file.new")
      let files = FileManager.default
      // The ETag depends on time and length: a different second is a different version.
      try files.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: nginx.site + "/file.new")
      try files.removeItem(atPath: nginx.site + "/file")
      try files.moveItem(atPath: nginx.site + "/file.new", toPath: nginx.site + "/file")
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0, saying: "started over")
      sandbox.expectFiles(["file": Self.new], finished)
    }
  }

  @Test("HTTP/2 over TLS with --cacert, stopped and resumed")
  func http2() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let certificates = try await Certificates(in: sandbox)
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates)
      let relay = try FaultServer.Relay(to: nginx.port)
      defer { relay.stop() }
      let content = Content.generated(seed: 3, size: 20 << 20)
      try content.write(toFileAt: nginx.site + "/file")
      let get = ["get", Conformance.url(relay, "/file", "https"), "--cacert", certificates.authority]
      let gate = relay.hold(after: content.size / 2)
      let program = try sandbox.start(get)
      try await program.wait(for: "half of it") { gate.arrivals > 0 }
      try await program.wait(for: "some bytes", every: 0.1) { try await sandbox.jobs().first?.received ?? 0 > 0 }
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
      gate.open()
      try await waitForLog(of: nginx, 1)
      let recorded = try await sandbox.onlyJob().received
      #expect(recorded > 0 && recorded < content.size)
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      sandbox.expectFiles(["file": content], finished)
      try await waitForLog(of: nginx, 2)
      let last = try #require(nginx.entries.last)
      #expect(last.version == "HTTP/2.0" && last.status == 206 && last.sent == content.size - recorded + Joint.overlap)
    }
  }

  /// Small files below nginx's root, and a list of their URLs in the sandbox.
  private func smallFiles(_ count: Int, of nginx: RealServer, _ sandbox: Sandbox) throws -> [String: Content] {
    var files: [String: Content] = [:]
    for index in 0..<count {
      let content = Content.generated(seed: UInt64(index), size: 10_240)
      try content.write(toFileAt: "\(nginx.site)/s\(index)")
      files["s\(index)"] = content
    }
    try sandbox.write(files.keys.sorted().map { nginx.url("/\($0)\n") }.joined(), to: "../list")
    return files
  }

  @Test("--http1.1, --http2 and --http3 choose the version; a version that libcurl lacks is replaced, with a message")
  func versions() async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox)
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates)
      _ = try smallFiles(4, of: nginx, sandbox)
      let hasHTTP3 = try await sandbox.dray("--version").output.contains("HTTP3")
      for (index, option) in ["--http1.1", "--http2", "--http3", "-q"].enumerated() {
        let finished = try await sandbox.dray(
          "get", option, "--cacert", certificates.authority, nginx.url("/s\(index)"))
        expect(finished, exits: 0)
        #expect(finished.errors.contains("does not have HTTP/3") == (option == "--http3" && !hasHTTP3), "\(finished)")
      }
      try await waitForLog(of: nginx, 4)
      #expect(nginx.entries.map(\.version) == ["HTTP/1.1", "HTTP/2.0", "HTTP/2.0", "HTTP/2.0"])
      expect(
        try await sandbox.dray("get", "--http1.1", "--http3", nginx.url("/s0")), exits: 2,
        saying: "--http1.1 and --http3")
    }
  }

  @Test(
    "many small files over TLS share one connection, in parallel",
    arguments: [["-j", "16"], ["--max-per-host", "1"]])
  func manySmall(options: [String]) async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox)
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates)
      let files = try smallFiles(300, of: nginx, sandbox)
      let finished = try await sandbox.dray(
        ["get", "--cacert", certificates.authority, "-i", "../list"] + options)
      expect(finished, exits: 0)
      sandbox.expectFiles(files, finished)
      try await waitForLog(of: nginx, 300)
      let log = nginx.entries
      #expect(log.count == 300 && log.allSatisfy { $0.version == "HTTP/2.0" })
      #expect(Set(log.map(\.connection)).count == 1)
    }
  }

  @Test("without multiplexing they use as many connections as jobs run at once", arguments: [1, 4])
  func keptAlive(jobs: Int) async throws {
    try await Sandbox.use { sandbox in
      let nginx = try await RealServer(.nginx, in: sandbox)
      let files = try smallFiles(300, of: nginx, sandbox)
      let finished = try await sandbox.dray(["get", "-j", "\(jobs)", "-i", "../list"])
      expect(finished, exits: 0)
      sandbox.expectFiles(files, finished)
      try await waitForLog(of: nginx, 300)
      let log = nginx.entries
      #expect(log.count == 300)
      #expect(Set(log.map(\.connection)).count <= jobs)
    }
  }

  @Test("killed repeatedly among small files: each is whole or missing, and all exist at the end")
  func killedAmongSmallFiles() async throws {
    try await killed([])
  }

  @Test("the same without syncs (--no-sync)")
  func killedWithoutSync() async throws {
    try await killed(["--no-sync"])
  }

  private func killed(_ options: [String]) async throws {
    try await Sandbox.use { sandbox in
      let nginx = try await RealServer(.nginx, in: sandbox)
      let files = try smallFiles(2000, of: nginx, sandbox)
      expect(try await sandbox.dray("add", "-i", "../list"), exits: 0)
      for share in 1...3 {
        let program = try sandbox.start(["run", "-j", "16"] + options)
        try await program.wait(for: "a quarter more of the files", seconds: 120, every: 0.001) {
          sandbox.names().count { !$0.hasPrefix(".") } >= share * 500
        }
        let killed = try await program.kill9()
        for name in sandbox.names() where !name.hasPrefix(".") {
          let difference = files[name]?.difference(fromFileAt: sandbox.path(name)) ?? "it is not one of our files"
          #expect(files[name] != nil && files[name]?.difference(fromFileAt: sandbox.path(name)) == nil, "\(difference)")
        }
        #expect(try await sandbox.jobs().count == 2000, "\(killed)")
      }
      let last = try await sandbox.dray(["run", "-j", "16"] + options, seconds: 180)
      expect(last, exits: 0)
      sandbox.expectFiles(files, last)
      #expect(try await sandbox.jobs().allSatisfy { $0.state == "complete" })
      // Published files are not fetched again; a few were in flight each time.
      #expect(nginx.entries.count < 2000 + 3 * 700)
    }
  }
}
