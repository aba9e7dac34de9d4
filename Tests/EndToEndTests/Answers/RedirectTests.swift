// Redirects: followed by dray's own rules, bounded, and never out of http(s). H3–H5 of CASES.md.

import FaultServer
import Foundation
import Testing

@Suite("Redirects")
struct RedirectTests {
  static let version = AnswerCase.version

  @Test("every kind of redirect is followed", arguments: [301, 302, 303, 307, 308])
  func statuses(_ status: Int) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: [.redirect(to: "/g", status: status)])
      sandbox.server["/g"] = .init(Self.version)
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      // The name is that of the URL's last component after redirects.
      sandbox.expectFiles(["g": Self.version.content], finished)
      let job = try await sandbox.onlyJob()
      #expect(job.url.hasSuffix("/f") && job.finalURL?.hasSuffix("/g") == true)
    }
  }

  @Test(
    "H4 relative locations are resolved",
    arguments: [
      ("g", "/dir/g"), ("../g", "/g"), ("/g", "/g"), ("//HOST/g", "/g"), ("?q=1", "/dir/f"),
      ("./x/../g", "/dir/g"),
    ])
  func relative(location: String, path: String) async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      let location = location.replacing("HOST", with: "127.0.0.1:\(server.port)")
      let isSelf = path == "/dir/f"
      if !isSelf { server[path] = .init(Self.version) }
      server["/dir/f"] = .init(Self.version, script: [.redirect(to: location), .normal])
      let finished = try await sandbox.dray("get", server.url("/dir/f"))
      expect(finished, exits: 0)
      sandbox.expectFiles([isSelf ? "f" : "g": Self.version.content], finished)
      if isSelf { #expect(server.requests(path).last?.target == "/dir/f?q=1") }
    }
  }

  @Test("H3 a loop ends with 7, and its secrets are not shown")
  func loop() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/a"] = .init(Self.version, script: [.redirect(to: "/b?token=PLANTED-1")])
      sandbox.server["/b"] = .init(Self.version, script: [.redirect(to: "/a?token=PLANTED-2")])
      let finished = try await sandbox.dray("get", sandbox.server.url("/a"))
      expect(finished, exits: 7, saying: "redirect")
      #expect(finished.text.contains("/b"), "\(finished)")
      #expect(!finished.text.contains("PLANTED"), "\(finished)")
      #expect(sandbox.server.requests.count <= 25)
      sandbox.expectNoFiles()
    }
  }

  @Test("H3 twenty hops are followed, thirty are not", arguments: [20, 30])
  func hops(_ count: Int) async throws {
    try await Sandbox.use { sandbox in
      for hop in 0..<count {
        sandbox.server["/\(hop)"] = .init(Self.version, script: [.redirect(to: "/\(hop + 1)")])
      }
      sandbox.server["/\(count)"] = .init(Self.version)
      let finished = try await sandbox.dray("get", sandbox.server.url("/0"))
      expect(finished, exits: count == 20 ? 0 : 7)
      sandbox.expectFiles(count == 20 ? ["20": Self.version.content] : [:], finished)
    }
  }

  @Test(
    "H5 a redirect never leaves http(s)",
    arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/f", "data:text/plain,hello", "scp://127.0.0.1/f", "javascript:0",
      "http://",
      "http:///f", "http://127.0.0.1:99999/f",
    ])
  func otherSchemes(_ location: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: [.redirect(to: location)])
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"), "--retries", "0")
      expect(finished, exits: 7)
      sandbox.expectNoFiles(finished)
      #expect(sandbox.server.requests("/f").count == 1)
    }
  }
}
