// Sections for hosts: their settings reach only the named hosts.

import FaultServer
import Foundation
import Testing

@Suite("Host sections")
struct HostSectionTests {
  static let secret = "PLANTED-s3cret"

  private func carries(_ request: SeenRequest) -> Bool {
    let encoded = Data("ann:\(Self.secret)".utf8).base64EncodedString()
    return request.fields.contains { $0.value.contains(Self.secret) || $0.value.contains(encoded) }
  }

  static let kinds = [
    "user = \"ann:\(secret)\"", "user = \"ann\"\npassword = \"\(secret)\"", "header = [\"X-Key: \(secret)\"]",
    "cookie = \"a=\(secret)\"",
  ]

  @Test("secrets reach their own host, before and after a redirect, and no other", arguments: kinds)
  func redirect(_ line: String) async throws {
    try await Sandbox.use { sandbox in
      let other = try FaultServer()
      defer { other.stop() }
      other["/f"] = .init(AnswerCase.version)
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.redirect(to: other.url("/f"))])
      for (named, plain) in [(sandbox.server, other), (other, sandbox.server)] {
        try sandbox.configure("[host.\"http://127.0.0.1:\(named.port)\"]\n\(line)\n")
        let finished = try await sandbox.dray("get", "-v", sandbox.server.url("/f"), "-o", "f\(named.port)")
        expect(finished, exits: 0)
        #expect(carries(try #require(named.requests("/f").last)))
        #expect(!carries(try #require(plain.requests("/f").last)))
        for arguments in [["show", "1"], ["show", "1", "--json"], ["config", "show"], ["list", "--json"]] {
          #expect(!(try await sandbox.dray(arguments)).text.contains(Self.secret))
        }
        #expect(!finished.text.contains(Self.secret))
      }
      // Secrets are never part of the job: the store does not contain them.
      for name in sandbox.names(in: sandbox.home) {
        let bytes = FileManager.default.contents(atPath: "\(sandbox.home)/\(name)") ?? Data()
        #expect(bytes.range(of: Data(Self.secret.utf8)) == nil, "\(name)")
      }
    }
  }

  @Test("without http in the pattern no secret goes over http, but other settings apply")
  func plainHTTP() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      try sandbox.configure("[host.\"127.0.0.1\"]\nuser = \"ann:\(Self.secret)\"\nuser-agent = \"mine\"\n")
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      let request = try #require(sandbox.server.requests("/f").first)
      #expect(!carries(request))
      #expect(request.fields.contains { $0.name.lowercased() == "user-agent" && $0.value == "mine" })
    }
  }

  @Test("a host's setting overrides the general one, a flag overrides both; `run` and `info` apply them too")
  func precedence() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      try sandbox.configure(
        "user-agent = \"all\"\nretries = 3\n[host.\"127.0.0.1\"]\nuser-agent = \"host\"\nretries = 1\n")
      func agents() -> [String?] {
        sandbox.server.requests("/f").map { $0.fields.first { $0.name.lowercased() == "user-agent" }?.value }
      }
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("add", url, "-o", "a"), exits: 0)
      expect(try await sandbox.dray("add", url, "-o", "b", "-A", "flag", "--retries", "2"), exits: 0)
      expect(try await sandbox.dray("run", "-j", "1"), exits: 0)
      expect(try await sandbox.dray("info", url), exits: 0)
      #expect(agents() == ["host", "flag", "host"])
      for (id, retries) in [("1", "1"), ("2", "2")] {
        #expect(try await sandbox.dray("show", id, "--json").output.contains("\"retries\":\(retries)"))
      }
    }
  }
}
