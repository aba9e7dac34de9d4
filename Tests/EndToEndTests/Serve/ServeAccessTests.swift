// Permissions at aria2's interface, one per row.

import FaultServer
import Foundation
import Testing

@Suite("Service: access")
struct ServeAccessTests {
  private static let secret = "correct-horse-battery-staple"

  /// Forbidden options, in the form of `addUri`.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var url: String?
    var options: @Sendable (Sandbox) -> [String: String] = { _ in [:] }
    var says: String
  }

  static let rows = [
    Row(testDescription: "a file of this machine", url: "file:///etc/passwd", says: "file"),
    Row(testDescription: "the user's keys of ssh", url: "sftp://127.0.0.1/f", says: "sftp"),
    Row(testDescription: "the user's keys of S3", url: "s3://bucket/f", says: "s3"),
    Row(testDescription: "another directory", options: { ["dir": $0.root + "/user"] }, says: "not among those"),
    Row(testDescription: "above the root", options: { ["dir": $0.downloads + "/.."] }, says: "dir"),
    Row(testDescription: "a name that leads up", options: { _ in ["out": "../f"] }, says: "out"),
    Row(testDescription: "an absolute name", options: { _ in ["out": "/etc/f"] }, says: "out"),
    Row(testDescription: "through a link", options: { ["dir": $0.downloads + "/link/deep"] }, says: "link"),
    Row(testDescription: "a proxy", options: { _ in ["all-proxy": "http://127.0.0.1:9"] }, says: "not permitted"),
  ]

  @Test("forbidden requests of clients are refused with a reason, and nothing is queued", arguments: rows)
  func refused(row: Row) async throws {
    try await Sandbox.use { sandbox in
      try FileManager.default.createSymbolicLink(
        atPath: sandbox.path("link"), withDestinationPath: sandbox.root + "/user")
      let service = try await Service.start(in: sandbox)
      let url = row.url ?? sandbox.server.url("/f")
      let answer = try await service.call("aria2.addUri", [[url], row.options(sandbox)]) as? String
      #expect(answer?.hasPrefix("!") == true && answer?.contains(row.says) == true, "\(answer ?? "")")
      #expect(try await sandbox.jobs().isEmpty)
      try await service.stop()
      #expect(sandbox.server.requests.isEmpty)
      #expect(sandbox.names(in: sandbox.root + "/user").isEmpty)
    }
  }

  @Test("a setting that the user allows works: a proxy")
  func allowed() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox, ["--allow", "proxy"])
      let options = ["all-proxy": "http://127.0.0.1:9", "pause": "true"]
      #expect(try await service.add(sandbox.server.url("/f"), options).count == 16)
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: "http://127.0.0.1:9")
      try await service.stop()
    }
  }

  @Test("private networks are refused where the user says so, for jobs of clients only, also after a redirect")
  func privateNetworks() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 1000)
      sandbox.server["/f"] = .init(version)
      let service = try await Service.start(in: sandbox, ["--deny-private"])
      for host in ["127.0.0.1", "localhost", "0x7f.1"] {
        let gid = try await service.add("http://\(host):\(sandbox.server.port)/f")
        try await service.program.wait(for: "the failure") { try await service.status(of: gid) == "error" }
        let words = try await service.status(of: gid, "errorMessage") ?? ""
        #expect(words.contains("private networks"), "\(words)")
      }
      #expect(sandbox.server.requests.isEmpty)
      expect(try await sandbox.dray("add", "-o", "mine", sandbox.server.url("/f")), exits: 0)
      try await service.program.wait(for: "mine") { sandbox.names().contains("mine") }
      try await service.stop()
    }
  }

  @Test("a directory below the root may be chosen, and is created")
  func below() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 1000)
      sandbox.server["/f"] = .init(version)
      let service = try await Service.start(in: sandbox)
      let gid = try await service.add(sandbox.server.url("/f"), ["dir": sandbox.path("new/deep"), "out": "sub/name"])
      try await service.program.wait(for: "the end") { try await service.status(of: gid) == "complete" }
      #expect(version.content.difference(fromFileAt: sandbox.path("new/deep/sub/name")) == nil)
      try await service.stop()
    }
  }

  @Test("tokens, names, origins")
  func heads() async throws {
    try await Sandbox.use { sandbox in
      var service = try await Service.start(in: sandbox, ["--host-name", "dray.example"], secret: Self.secret)
      #expect(try await service.call("aria2.tellActive") as? [String] == [])
      #expect(try await service.status("/", ["-H", "Host: dray.example"]) == "200")
      #expect(try await service.status("/", ["-H", "Host: evil.example"]) == "421")
      #expect(try await service.status("/jsonrpc", ["-d", "{}", "-H", "Origin: http://evil.example"]) == "403")
      #expect(try await service.status("/jsonrpc", ["-H", "Sec-Fetch-Site: cross-site"]) == "403")
      #expect(try await service.status("/absent") == "401")
      #expect(try await service.status("/absent", ["-H", "Authorization: Bearer \(Self.secret)"]) == "404")
      for wrong in [nil, "wrong"] as [String?] {
        service.secret = wrong
        #expect(try await service.call("aria2.tellActive") as? String == "!Unauthorized")
        let nested = [[["methodName": "aria2.pauseAll", "params": []] as [String: Any]]]
        let answer = try await service.call("system.multicall", nested)
        #expect("\(answer)".contains("Unauthorized"))
      }
      // Many wrong secrets are answered late; the right one is still accepted.
      service.secret = "wrong"
      for _ in 0..<12 { try await service.call("aria2.tellActive") }
      service.secret = Self.secret
      #expect(try await service.call("aria2.tellActive") as? [String] == [])
      try await service.stop()
      #expect(service.program.errors.contains("POST /jsonrpc: a wrong secret"), "\(service.program.errors)")
      #expect(!service.program.errors.contains(Self.secret) && !service.program.errors.contains("token"))
    }
  }

  @Test("what the service does not speak is refused at once, and answers are never coded")
  func otherWords() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      let words = ["-sS", "-k", "--noproxy", "*", "--max-time", "60", "https://127.0.0.1:\(service.port)/"]
      // 35: the handshake failed. A service that waits for the end of a line would end in 28, a timeout.
      #expect(try await sandbox.tool("curl", words).status == 35)
      #expect(try await service.status("/jsonrpc", ["-d", "{}", "-H", "Content-Encoding: gzip"]) == "415")
      let page = try await service.curl(
        "/page/main.js", ["-H", "Accept-Encoding: identity, *;q=0", "-D", "-", "-o", "/dev/null"])
      #expect(page.output.contains(" 200 ") && !page.output.lowercased().contains("content-encoding"), "\(page)")
      try await service.stop()
    }
  }

  @Test("the log names the option that lets a refused page or name in")
  func hints() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      let post = ["-d", "{}", "-H"]
      #expect(try await service.status("/jsonrpc", post + ["Host: nas.example:6800"]) == "421")
      #expect(try await service.status("/jsonrpc", post + ["Origin: https://front.example"]) == "403")
      #expect(try await service.status("/jsonrpc", post + ["Origin: null"]) == "403")
      try await service.stop()
      for option in ["--host-name nas.example", "--allow-origin https://front.example", "--allow-file-pages"] {
        #expect(service.program.errors.contains("\(option) allows it"), "\(service.program.errors)")
      }
    }
  }

  @Test("pages from files may ask with the secret, if the user says so")
  func filePages() async throws {
    try await Sandbox.use { sandbox in
      let both = ["serve", "--root", sandbox.downloads, "--listen", "127.0.0.1:0", "--no-secret", "--allow-file-pages"]
      expect(try await sandbox.dray(both), exits: 2, saying: "omit --no-secret")
      let service = try await Service.start(in: sandbox, ["--allow-file-pages"], secret: Self.secret)
      let page = ["-d", "{}", "-H", "Origin: null", "-H", "Content-Type: application/json"]
      #expect(try await service.status("/api/v1/jobs/actions", page) == "401")
      let path = "/api/v1/service"
      let answer = try await service.curl(
        path, ["-H", "Origin: null", "-H", "Authorization: Bearer \(Self.secret)", "-D", "-"])
      #expect(answer.output.contains(" 200 "), "\(answer)")
      #expect(answer.output.lowercased().contains("access-control-allow-origin: null"), "\(answer)")
      try await service.stop()
    }
  }

  @Test("~ in a client's directory is the home of the service's user")
  func home() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Version.named("v1", size: 1000))
      let user = sandbox.root + "/user"
      let service = try await Service.start(in: sandbox, ["--root", user])
      let gid = try await service.add(sandbox.server.url("/f"), ["dir": "~/fetched"])
      try await service.program.wait(for: "the end") { try await service.status(of: gid) == "complete" }
      #expect(FileManager.default.fileExists(atPath: user + "/fetched/f"))
      try await service.stop()
    }
  }

  @Test("the secret is in no child's environment")
  func children() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Version.named("v1", size: 10))
      let hook = "env > \(sandbox.root)/user/env"
      let service = try await Service.start(
        in: sandbox, ["--on-complete", hook, "--hook-shell"], secret: Self.secret)
      _ = try await service.add(sandbox.server.url("/f"))
      let path = sandbox.root + "/user/env"
      try await service.program.wait(for: "the hook") {
        (FileManager.default.contents(atPath: path).map { $0.count > 100 }) ?? false
      }
      let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      #expect(text.contains("DRAY_JOB_") && !text.contains(Self.secret))
      try await service.stop()
    }
  }
}
