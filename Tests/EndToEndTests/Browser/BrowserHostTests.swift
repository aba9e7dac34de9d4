// Downloads that a browser hands over: the protocol, cookies, durability, and the run in the background.

import FaultServer
import Foundation
import Testing

@Suite("A browser hands over")
struct BrowserHostTests {
  private static let secret = "PLANTED-s3cret"
  private static let version = FaultServer.Version.named("v1", size: 200_000)

  private static func cookie(_ name: String, _ value: String, domain: String = "127.0.0.1") -> [String: Any] {
    ["name": name, "value": value, "domain": domain, "path": "/", "secure": false, "httpOnly": true, "hostOnly": true]
  }

  @Test("hello, then a file behind a login: it arrives, and its cookies go nowhere else")
  func login() async throws {
    try await Sandbox.use { sandbox in
      let (server, other) = (sandbox.server, try FaultServer())
      defer { other.stop() }
      server["/f"] = .init(Self.version)
      server.update("/f") { $0.required = ["Cookie": "sid=\(Self.secret)", "User-Agent": "Browser/7"] }
      server["/away"] = .init(Self.version, script: [.init(302) { $0.headers = ["Location: \(other.url("/g"))"] }])
      other["/g"] = .init(Self.version)
      let host = try BrowserHost.start(in: sandbox)
      let hello = try await host.ask(["type": "hello", "version": 1, "extension": "1.0.0"])
      #expect(hello["ok"] as? Bool == true && hello["directory"] as? String == sandbox.downloads, "\(hello)")
      #expect(hello["service"] as? Bool == false)
      let cookies = [Self.cookie("sid", Self.secret), Self.cookie("other", "x", domain: "a.example")]
      for (path, name) in [("/f", "one.bin"), ("/away", "two.bin")] {
        let answer = try await host.ask([
          "type": "add", "url": server.url(path), "name": name, "cookies": cookies, "userAgent": "Browser/7",
          "referrer": server.url("/page#x"), "origin": "download", "post": false, "size": 200_000,
        ])
        #expect(answer["ok"] as? Bool == true, "\(answer)")
        #expect(answer["output"] as? String == sandbox.path(name))
      }
      try await sandbox.waitForFiles(2)
      sandbox.expectFiles(["one.bin": Self.version.content, "two.bin": Self.version.content])
      #expect(server.requests("/f").last?["Referer"] == server.url("/page"))
      #expect(!other.requests.isEmpty && other.requests.allSatisfy { $0["Cookie"] == nil && $0["Referer"] == nil })
      let list = try await host.ask(["type": "list"])
      let jobs = try #require(list["jobs"] as? [[String: Any]])
      #expect(jobs.map { $0["state"] as? String } == ["complete", "complete"])
      #expect(jobs.first?["bytes"] as? Int == 200_000 && jobs.first?["size"] as? Int == 200_000)
      expect(try await host.finish(), exits: 0)
      for words in [["show", "1"], ["show", "1", "--json"], ["list", "--json"]] {
        #expect(!(try await sandbox.dray(words)).text.contains(Self.secret), "\(words)")
      }
    }
  }

  @Test("a POST, a path, a local file and a store that cannot be written are refused; the browser keeps its download")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      let url = sandbox.server.url("/f")
      let host = try BrowserHost.start(in: sandbox)
      for (message, code) in [
        (["url": url, "post": true], "refused"), (["url": url, "name": "../f"], "invalid"),
        (["url": "file:///etc/passwd"], "refused"), (["url": "data:,x"], "invalid"),
      ] as [([String: Any], String)] {
        let answer = try await host.ask(message.merging(["type": "add"]) { $1 })
        #expect(answer["ok"] as? Bool == false && answer["code"] as? String == code, "\(answer)")
      }
      #expect(sandbox.server.requests.isEmpty && sandbox.names().isEmpty)
      try "".write(toFile: sandbox.root + "/file", atomically: true, encoding: .utf8)
      let other = try BrowserHost.start(in: sandbox) { $0.environment["DRAY_HOME"] = sandbox.root + "/file/home" }
      let answer = try await other.ask(["type": "add", "url": url])
      #expect(answer["code"] as? String == "unavailable" && answer["message"] as? String != nil, "\(answer)")
    }
  }

  @Test("an invalid configuration is said in each answer")
  func configuration() async throws {
    try await Sandbox.use { sandbox in
      try sandbox.write("[get]\nnonsense = 1\n", to: "../user/config.toml")
      let host = try BrowserHost.start(in: sandbox) {
        $0.environment["DRAY_CONFIG"] = sandbox.root + "/user/config.toml"
      }
      let answer = try await host.ask(["type": "hello", "version": 1])
      #expect(answer["code"] as? String == "unavailable", "\(answer)")
      #expect((answer["message"] as? String)?.contains("nonsense") == true, "\(answer)")
    }
  }

  @Test("a host that is killed loses no job that it acknowledged")
  func killed() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/f"] = .init(Self.version)
      let block = try sandbox.blockBackground()
      let host = try BrowserHost.start(in: sandbox)
      let answer = try await host.ask(["type": "add", "url": server.url("/f")])
      try await host.program.kill9()
      close(block)
      #expect(answer["ok"] as? Bool == true)
      #expect(try await sandbox.jobs().map(\.uuid) == [try #require(answer["job"] as? String)])
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("100 at once, in pieces: all are acknowledged, and all arrive by one process in the background")
  func many() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      var files: [String: Content] = [:]
      var bytes: [UInt8] = []
      for index in 0..<100 {
        let version = FaultServer.Version.named("v\(index)", size: 1000)
        server["/f\(index)"] = .init(version)
        files["f\(index)"] = version.content
        let message: [String: Any] = ["id": index, "type": "add", "url": server.url("/f\(index)")]
        bytes += BrowserHost.frame(Array(try JSONSerialization.data(withJSONObject: message)))
      }
      let host = try BrowserHost.start(in: sandbox)
      for start in stride(from: 0, to: bytes.count, by: 777) {
        try host.send(bytes: Array(bytes[start..<min(start + 777, bytes.count)]))
      }
      let answers = try await host.answers(100)
      #expect(answers.allSatisfy { $0["ok"] as? Bool == true })
      #expect(Set(answers.compactMap { $0["id"] as? Int }) == Set(0..<100))
      try await sandbox.waitForFiles(100)
      sandbox.expectFiles(files)
    }
  }

  @Test("a message that is too long ends the host with an error; what is no message has an answer")
  func framing() async throws {
    try await Sandbox.use { sandbox in
      let host = try BrowserHost.start(in: sandbox)
      for message in [[0xFF], Array("{".utf8), Array("[]".utf8), []] as [[UInt8]] {
        try host.send(bytes: BrowserHost.frame(message))
      }
      for byte in BrowserHost.frame(Array(#"{"id":1,"type":"hello","version":1}"#.utf8)) {
        try host.send(bytes: [byte])
      }
      let answers = try await host.answers(5)
      #expect(answers.prefix(4).allSatisfy { $0["code"] as? String == "invalid" && $0["id"] is NSNull })
      #expect(answers.last?["ok"] as? Bool == true)
      try host.send(bytes: BrowserHost.frame([], length: 2 << 20))
      let last = try await host.answers(6).last
      #expect(last?["code"] as? String == "invalid", "\(last ?? [:])")
      #expect(try await host.program.finish().exit == .code(2))
    }
  }

  @Test("continue with this link: after a 403 the bytes stay, and only the rest is asked for")
  func relinked() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let (gate, server) = (Gate(), sandbox.server)
      server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .init(403)])
      server["/fresh/f"] = .init(ResumeCase.v1)
      server.update("/fresh/f") { $0.required = ["Cookie": "sid=\(Self.secret)"] }
      let stopped = try await sandbox.runHalf(
        ["get", server.url("/f")], gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      expect(try await sandbox.dray("run"), exits: 6)
      let host = try BrowserHost.start(in: sandbox)
      let link: [String: Any] = ["url": server.url("/fresh/f"), "size": ResumeCase.size]
      let matches = try await host.ask(link.merging(["type": "matches"]) { $1 })
      let match = try #require((matches["matches"] as? [[String: Any]])?.first, "\(matches)")
      #expect(match["job"] as? String == stopped.uuid && match["certain"] as? Bool == true, "\(match)")
      let answer = try await host.ask(
        link.merging(["type": "relink", "job": stopped.uuid, "cookies": [Self.cookie("sid", Self.secret)]]) { $1 })
      #expect(answer["ok"] as? Bool == true && answer["kept"] as? Int == Int(ResumeCase.half), "\(answer)")
      try await sandbox.waitForFiles(1)
      sandbox.expectFiles(["f": ResumeCase.v1.content])
      // Bytes that a server compares again count as well, so the ranges tell what was asked for.
      #expect(server.requests("/fresh/f").allSatisfy { $0["Range"] != nil }, "\(server.requests("/fresh/f"))")
    }
  }

  @Test("the run in the background continues jobs of the browser, and none that the user has stopped")
  func stopped() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let server = sandbox.server
      func stop(_ words: [String], at gate: Gate) async throws {
        let program = try sandbox.start(words)
        try await program.wait(for: "the gate") { gate.arrivals > 0 }
        program.send(SIGINT)
        expect(try await program.finish(), exits: 130)
        gate.open()
      }
      func states() async throws -> [String] {
        try await sandbox.jobs().sorted { $0.id < $1.id }.map(\.state)
      }
      let (first, second) = (Gate(), Gate())
      server["/mine"] = .init(ResumeCase.v1, script: [.held(by: first, after: ResumeCase.half)])
      server["/own"] = .init(ResumeCase.v1, script: [.held(by: second, after: ResumeCase.half)])
      server["/next"] = .init(Self.version)
      let block = try sandbox.blockBackground()
      let host = try BrowserHost.start(in: sandbox)
      #expect(try await host.ask(["type": "add", "url": server.url("/mine")])["ok"] as? Bool == true)
      try await stop(["run"], at: first)
      try await stop(["get", server.url("/own")], at: second)
      #expect(try await states() == ["interrupted", "interrupted"])
      let refused = try await host.ask(["type": "add", "url": server.url("/own")])
      #expect(refused["ok"] as? Bool == false && refused["code"] as? String == "refused", "\(refused)")
      #expect(refused["message"] as? String == "job 2 has this file, and is stopped")
      #expect(refused["advice"] as? String == "`dray resume 2` continues it")
      let again = try await host.ask(["type": "add", "url": server.url("/mine")])
      #expect(again["ok"] as? Bool == true && again["existing"] as? Bool == true, "\(again)")
      #expect(try await states() == ["queued", "interrupted"])
      close(block)
      #expect(try await host.ask(["type": "add", "url": server.url("/next")])["ok"] as? Bool == true)
      try await sandbox.waitForFiles(2)
      #expect(try await states() == ["complete", "interrupted", "complete"])
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(["mine": ResumeCase.v1.content, "own": ResumeCase.v1.content, "next": Self.version.content])
    }
  }

  @Test("a page for the login is not the file: its length is another one")
  func otherLength() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(.named("page", size: 3000))
      let host = try BrowserHost.start(in: sandbox)
      let answer = try await host.ask(["type": "add", "url": sandbox.server.url("/f"), "size": 200_000])
      #expect(answer["ok"] as? Bool == true, "\(answer)")
      try await waitUntil("the refusal", every: 0.1) { try await sandbox.jobs().map(\.state) == ["failed"] }
      try await sandbox.waitForBackground()
      #expect(sandbox.names().isEmpty)
    }
  }

  @Test("with a service, the service transfers")
  func service() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/f"] = .init(Self.version)
      let service = try await Service.start(in: sandbox)
      let host = try BrowserHost.start(in: sandbox)
      #expect(try await host.ask(["type": "hello", "version": 1])["service"] as? Bool == true)
      #expect(try await host.ask(["type": "add", "url": server.url("/f")])["ok"] as? Bool == true)
      try await sandbox.waitForFiles(1)
      #expect(!FileManager.default.fileExists(atPath: sandbox.home + "/browser.lock"))
      try await service.stop()
    }
  }
}
