// `dray serve`: calls of clients, simultaneous commands, its start and its end.

import FaultServer
import Foundation
import Testing

@Suite("Service")
struct ServeTests {
  @Test("jobs of clients and other commands are fetched at once; both see the same queue; SIGTERM ends it")
  func queue() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 200_000)
      for name in ["/a", "/b"] { sandbox.server[name] = .init(version) }
      let service = try await Service.start(in: sandbox)
      let gid = try await service.add(sandbox.server.url("/a"))
      try await service.program.wait(for: "a") { try await service.status(of: gid) == "complete" }
      expect(try await sandbox.dray("add", sandbox.server.url("/b")), exits: 0)
      try await service.program.wait(for: "b") { try await sandbox.jobs().allSatisfy { $0.state == "complete" } }
      let stopped = try #require(
        try await service.call("aria2.tellStopped", [0, 9, ["status"]]) as? [[String: String]])
      #expect(stopped == [["status": "complete"], ["status": "complete"]])
      try await service.stop()
      sandbox.expectFiles(["a": version.content, "b": version.content])
      #expect(service.program.errors.contains("[1] complete: "))
    }
  }

  @Test("pause, resume, remove of a running job, from the command line and from a client")
  func control() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let version = Version.named("v1", size: 300_000)
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: 200_000), .normal])
      let service = try await Service.start(in: sandbox)
      let gid = try await service.add(sandbox.server.url("/f"))
      try await service.program.wait(for: "bytes") { try await service.status(of: gid, "completedLength") == "200000" }
      expect(try await sandbox.dray("pause", "1"), exits: 0)
      try await service.program.wait(for: "pause") { try await service.status(of: gid) == "paused" }
      #expect(try await service.call("aria2.unpause", [gid]) as? String == gid)
      try await service.program.wait(for: "the end") { try await service.status(of: gid) == "complete" }
      #expect(sandbox.server.requests("/f").map { $0["Range"] } == [nil, "bytes=175000-"])
      try await service.stop()
      sandbox.expectFiles(["f": version.content])
    }
  }

  @Test("a client that ends the service is answered, and the status is 0")
  func shutdown() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      #expect(try await service.call("aria2.shutdown") as? String == "OK")
      expect(try await service.program.finish(), exits: 0)
    }
  }

  @Test("--detach returns once the service listens, --status prints the address, --stop waits for the end")
  func background() async throws {
    try await Sandbox.use { sandbox in
      let words = ["serve", "--detach", "--root", sandbox.downloads, "--listen"]
      expect(try await sandbox.dray("serve", "--status"), exits: 1, saying: "does not run")
      let started = try await sandbox.dray(words + ["127.0.0.1:0"])
      expect(started, exits: 0, saying: "listens at http://127.0.0.1:")
      let status = try await sandbox.dray("serve", "--status", "--json")
      expect(status, exits: 0)
      let json = try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any]
      let record = try #require(json)
      #expect(record["roots"] as? [String] == [sandbox.downloads])
      #expect(record["hasSecret"] as? Bool == true)
      let process = try #require(record["pid"] as? Int)
      let place = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
      #expect(place == "/")
      let log = try #require(record["log"] as? String)
      #expect(sandbox.mode(of: log) == 0o600)
      // A second one, in the foreground and in the background.
      expect(try await sandbox.dray(words + ["127.0.0.1:0"]), exits: 1, saying: "runs already")
      expect(
        try await sandbox.dray("serve", "--root", sandbox.downloads, "--listen", "127.0.0.1:0"), exits: 1,
        saying: "runs already")
      expect(try await sandbox.dray("serve", "--stop"), exits: 0, saying: "has ended")
      expect(try await sandbox.dray("serve", "--status"), exits: 1)
      expect(try await sandbox.dray("serve", "--stop"), exits: 0, saying: "does not run")
    }
  }

  @Test("a service that cannot start says why, in the background as in the foreground")
  func refusals() async throws {
    try await Sandbox.use { sandbox in
      let root = ["--root", sandbox.downloads]
      func refused(_ words: [String], _ status: Int32, _ text: String) async throws {
        for detach in [[], ["--detach"]] {
          expect(try await sandbox.dray(["serve"] + root + words + detach), exits: status, saying: text)
        }
      }
      let port = "127.0.0.1:\(sandbox.server.port)"
      try await refused(["--listen", port], 4, "another program listens there")
      try await refused(["--listen", "0.0.0.0:0", "--no-secret"], 2, "so it needs a secret; omit --no-secret")
      try await refused(["--no-secret", "--secret-file", "/absent"], 2, "omit one of them")
      try await refused(["--listen", "example.org:80"], 2, "not an address")
      try await refused(["--listen", "unix:relative"], 2, "is not an absolute path")
      try await refused(["--allow", "everything"], 2, "not one of")
      try await refused(["--allow-origin", "*"], 2, "is not an origin")
      try await refused(["--dir", "/elsewhere"], 2, "not below")
      let secret = try sandbox.write("0123456789abcdef0123456789abcdef\n", to: "../user/secret")
      try await refused(["--secret-file", secret], 2, "others can use this file")
      try await refused(["--secret-file", "/absent"], 3, "/absent")
      let file = try sandbox.write("", to: "../user/file")
      try await refused(["--listen", "unix:\(file)"], 3, "it exists and is not a socket")
      sandbox.expectNoFiles()
    }
  }

  @Test("the socket of a killed service is taken over; that of a live one is not")
  func staleSocket() async throws {
    try await Sandbox.use { sandbox in
      let socket = sandbox.root + "/s"
      let words = ["serve", "--root", sandbox.downloads, "--listen", "unix:\(socket)"]
      for round in 0..<2 {
        let program = try sandbox.start(words)
        try await program.wait(for: "the service") { program.errors.contains("serves at") }
        #expect(sandbox.mode(of: socket).map { $0 & 0o077 } == 0)
        let page = try await sandbox.tool(
          "curl", ["-sS", "--compressed", "--unix-socket", socket, "http://localhost/"])
        expect(page, exits: 0, saying: "<!doctype html>")
        let other = try await sandbox.start(words) { $0.environment["DRAY_HOME"] = sandbox.root + "/other" }.finish()
        expect(other, exits: 3, saying: "another program listens there")
        if round == 0 { _ = try await program.kill9() }
      }
    }
  }

  @Test("the page is there with its security; an unchanged file is not sent again")
  func page() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      let page = try await service.curl("/", ["-i"])
      expect(page, exits: 0, saying: "<!doctype html>")
      for line in [
        "content-type: text/html", "script-src 'self'", "x-content-type-options: nosniff", "cache-control: no-cache",
      ] {
        #expect(page.output.lowercased().contains(line), "\(line)")
      }
      let tag = try #require(page.output.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
      #expect(try await service.status("/", ["-H", "If-None-Match: \(tag)"]) == "304")
      #expect(try await service.status("/", ["-X", "POST"]) == "405")
      #expect(try await service.status("/page/main.js") == "200")
      #expect(try await service.status("/page/../../etc/passwd", ["--path-as-is"]) == "404")
      #expect(try await service.status("/absent") == "404")
      try await service.stop()
    }
  }
}
