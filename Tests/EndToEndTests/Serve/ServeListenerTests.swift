// The service against web pages, servers and other users of this machine (P19), and its own secret.

import FaultServer
import Foundation
import Testing

@Suite("Service: the listeners")
struct ServeListenerTests {
  private func secret(of sandbox: Sandbox) async throws -> String {
    let shown = try await sandbox.dray("serve", "--show-secret")
    expect(shown, exits: 0)
    return shown.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("the secret is made at the first start, kept, shown, and needed at the port but not at the socket")
  func ownSecret() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("serve", "--show-secret"), exits: 2, saying: "no secret yet")
      let words = ["serve", "--detach", "--root", sandbox.downloads, "--listen"]
      let path = sandbox.home + "/serve.secret"
      let socket = sandbox.root + "/s"
      var secrets: [String] = []
      for _ in 0..<2 {
        let port = try LocalPort.free()
        let started = try await sandbox.dray(words + ["127.0.0.1:\(port)", "--listen", "unix:\(socket)"])
        expect(started, exits: 0, saying: "in \(path)")
        #expect(sandbox.mode(of: path) == 0o600)
        secrets.append(try await secret(of: sandbox))
        #expect(secrets[0].count >= 32 && !started.text.contains(secrets[0]))
        func status(_ words: [String]) async throws -> String {
          let common = ["-sS", "--noproxy", "*", "-o", "/dev/null", "-w", "%{http_code}"]
          return try await sandbox.tool("curl", common + words).output
        }
        let url = "http://127.0.0.1:\(port)/api/v1/service"
        #expect(try await status([url]) == "401")
        #expect(try await status([url, "-H", "Authorization: Bearer \(secrets[0])"]) == "200")
        #expect(try await status(["--unix-socket", socket, "http://localhost/api/v1/service"]) == "200")
        expect(try await sandbox.dray("serve", "--status"), exits: 0, saying: path)
        expect(try await sandbox.dray("serve", "--stop"), exits: 0)
      }
      #expect(secrets[0] == secrets[1])
      let port = try LocalPort.free()
      expect(try await sandbox.dray(words + ["127.0.0.1:\(port)", "--no-secret"]), exits: 0)
      let shown = try await sandbox.dray("serve", "--show-secret")
      expect(shown, exits: 2, saying: "the running service needs no secret")
      #expect(!shown.text.contains(secrets[0]))
      expect(try await sandbox.dray("serve", "--stop"), exits: 0)
    }
  }

  @Test("a secret that others can read is refused")
  func openSecret() async throws {
    try await Sandbox.use { sandbox in
      let path = sandbox.home + "/serve.secret"
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      try Data("0123456789abcdef0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      let words = ["serve", "--root", sandbox.downloads, "--listen", "127.0.0.1:0"]
      expect(try await sandbox.dray(words), exits: 2, saying: "others can use this file")
      expect(try await sandbox.dray("serve", "--show-secret"), exits: 2, saying: "others can use this file")
    }
  }

  @Test("a printed link logs in once, and says so; --link prints another")
  func link() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox, secret: "correct-horse-battery-staple")
      let mark = "\(service.url)/#login="
      let made = try await sandbox.dray("serve", "--link")
      for text in [service.program.errors, made.output] {
        let line = try #require(text.split(separator: "\n").first { $0.contains(mark) }, "\(text)")
        let ticket = try #require(line.firstRange(of: mark).map { line[$0.upperBound...] })
        let body = #"{"secret":"\#(ticket)"}"#
        #expect(try await service.api("POST", "/session", body).status == "200")
        let again = try await service.api("POST", "/session", body)
        let error = again.body["error"] as? [String: Any]
        #expect(again.status == "401" && error?["message"] as? String == "This link was used before.")
      }
      try await service.stop()
      expect(try await sandbox.dray("serve", "--link"), exits: 1, saying: "does not run")
    }
  }

  @Test("GET requests from a page in a browser change nothing, under any name; also without a secret")
  func pages() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox, ["--host-name", "files.example"])
      let parameters = Data(#"[["\#(sandbox.server.url("/f"))"]]"#.utf8).base64EncodedString()
      let call = "/jsonrpc?method=aria2.addUri&id=1&params=" + parameters.replacing("=", with: "%3D")
      for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "files.example"] {
        let isMapped = host.contains("ffff")
        for words in [[], ["-I"], ["-H", "Sec-Fetch-Site: none"]] {
          let field = ["-H", "Host: \(host):\(service.port)"]
          #expect(try await service.status(call, field + words) == (isMapped ? "421" : "400"), "\(host)")
        }
        #expect(try await service.status("/", ["-H", "Host: \(host):\(service.port)"]) == (isMapped ? "421" : "200"))
      }
      #expect(try await sandbox.jobs().isEmpty)
      try await service.stop()
      #expect(sandbox.server.requests.isEmpty)
    }
  }

  @Test("no job, probe or command reaches the user's own service, unless requested")
  func ownDoor() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      let listener = "\(service.url)/api/v1/openapi.json"
      sandbox.server["/away"] = .init(
        .named("v1", size: 10), script: Array(repeating: .redirect(to: listener), count: 20))
      let ways = [
        listener, "http://localhost:\(service.port)/x", "http://[::ffff:127.0.0.1]:\(service.port)/x",
        "http://0.0.0.0:\(service.port)/x", sandbox.server.url("/away"),
      ]
      for way in ways {
        expect(try await sandbox.dray("get", "-o", "x", way), exits: 4, saying: "dray serve listens")
        expect(try await sandbox.dray("info", way), exits: 4, saying: "--own-service lets")
        let probe = try await service.api("POST", "/probes", #"{"url":"\#(way)"}"#)
        #expect(probe.status != "200", "\(probe.body)")
        let gid = try await service.add(way)
        try await service.program.wait(for: "the failure") { try await service.status(of: gid) == "error" }
      }
      let asked = try await service.api("POST", "/jobs", #"{"jobs":[{"url":"\#(listener)","own-service":true}]}"#)
      #expect(asked.status == "403", "\(asked.body)")
      #expect(!service.program.errors.contains("openapi.json: 200"))
      expect(try await sandbox.dray("get", "--own-service", "-o", "mine", listener), exits: 0)
      #expect(sandbox.names().contains("mine"))
      try await service.stop()
    }
  }

  @Test("with --deny-private no connection is made to a private address, an open port is reported like a closed one")
  func denied() async throws {
    try await Sandbox.use { sandbox in
      let other = try FaultServer()
      defer { other.stop() }
      let closed = try LocalPort.free()
      let service = try await Service.start(in: sandbox, ["--deny-private"])
      for scheme in ["http", "https", "ftp"] {
        var texts: [String] = []
        for port in [Int(other.port), closed] {
          for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
            let gid = try await service.add("\(scheme)://\(host):\(port)/f")
            try await service.program.wait(for: "the failure") { try await service.status(of: gid) == "error" }
            let said = try await service.status(of: gid, "errorMessage") ?? ""
            #expect(said.contains("private networks"), "\(said)")
            if host == "127.0.0.1" { texts.append(said.replacing("\(port)", with: "PORT")) }
          }
        }
        #expect(texts[0] == texts[1])
      }
      #expect(other.connections == 0)
      try await service.stop()
    }
  }

  @Test("control characters in ftp-user and DRAY_PASSWORD are refused before anything is touched")
  func lines() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      for (name, value) in [("ftp-user", "joe\r\nDELE x"), ("ftp-user", "joe\nDELE x"), ("ftp-passwd", "x\r\nDELE x")] {
        var options = ["ftp-user": "joe", "ftp-passwd": "x"]
        options[name] = value
        let url = "ftp://127.0.0.1:\(sandbox.server.port)/f"
        let answer = try await service.call("aria2.addUri", [[url], options]) as? String
        #expect(answer?.contains("control character") == true, "\(answer ?? "")")
      }
      try await service.stop()
      let got = try await sandbox.start(["get", "ftp://127.0.0.1:\(sandbox.server.port)/f", "-u", "joe"]) {
        $0.environment["DRAY_PASSWORD"] = "p\r\nDELE y"
      }.finish()
      expect(got, exits: 2, saying: "control character")
      #expect(try await sandbox.jobs().isEmpty && sandbox.server.connections == 0)
    }
  }
}
