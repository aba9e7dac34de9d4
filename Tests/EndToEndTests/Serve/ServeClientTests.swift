// What clients may do to jobs that the service's user added (P22), and how little strangers can take.

import FaultServer
import Foundation
import Testing

@Suite("dray serve: jobs of others", .timeLimit(.minutes(5)))
struct ServeClientTests {
  private static let secret = "correct-horse-battery-staple"
  private static let bearer = ["Authorization: Bearer \(secret)"]

  @Test("a client changes, begins and names no job with what its user alone was allowed")
  func privileges() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 3000)
      sandbox.server["/f"] = .init(version)
      sandbox.server["/evil"] = .init(Version.named("evil", size: 10))
      func id(_ words: String...) async throws -> String {
        let output = try await sandbox.dray(["add"] + words).output
        return String(try #require(output.split { $0.isWhitespace }.first))
      }
      let outside = sandbox.root + "/outside"
      let elsewhere = try await id("-d", outside, sandbox.server.url("/f"))
      let hooked = try await id("-o", "hooked", "--on-complete", "true", sandbox.server.url("/f"))
      let local = try await id("file:///etc/hostname")
      let plain = try await id("-o", "plain", "-u", "owner:pw", "http://127.0.0.1:1/x")
      let named = try await id(sandbox.server.url("/evil"))
      expect(try await sandbox.dray("pause", "--all"), exits: 0)
      let service = try await Service.start(in: sandbox, ["--deny-private"], secret: Self.secret)
      func patch(_ id: String, _ url: String) async throws -> String {
        try await service.api("PATCH", "/jobs/\(id)", #"{"url":"\#(url)"}"#, Self.bearer).status
      }
      for job in [elsewhere, hooked] { #expect(try await patch(job, sandbox.server.url("/evil")) == "403") }
      #expect(try await patch(local, "file:///etc/passwd") == "403")
      // Changes that only steer a job are allowed.
      let rate = try await service.api("PATCH", "/jobs/\(hooked)", #"{"limitRate":"1M","priority":3}"#, Self.bearer)
      #expect(rate.status == "200", "\(rate)")
      // Any other change makes the job a client's: without its user's password, and without access to private networks.
      #expect(try await patch(plain, "http://127.0.0.1:1/y") == "200")
      let shown = try await sandbox.dray("export", "--reveal").output
      let line = try #require(shown.split(separator: "\n").first { $0.contains("127.0.0.1:1/y") }, "\(shown)")
      #expect(!line.contains("owner"), "\(line)")
      _ = try await service.api("POST", "/jobs/\(plain)/resume", "{}", Self.bearer)
      try await service.program.wait(for: "the refusal", every: 0.1) {
        try await service.api("GET", "/jobs/\(plain)", nil, Self.bearer).body["error"] is [String: Any]
      }
      let error = try await service.api("GET", "/jobs/\(plain)", nil, Self.bearer).body["error"] as? [String: Any]
      #expect("\(error ?? [:])".contains("private networks"), "\(error ?? [:])")
      // A paused job of the user stays as it is, even if aria2's clients and the API add its URL again.
      _ = try await service.call("aria2.addUri", [[sandbox.server.url("/evil")], ["header": "X: y"]])
      let added = try await service.api("POST", "/jobs", service.adding("/evil"), Self.bearer)
      #expect(added.status == "201")
      let state = try await service.api("GET", "/jobs/\(named)", nil, Self.bearer).body["state"] as? String
      #expect(state == "paused")
      #expect(sandbox.server.requests.isEmpty)
      try await service.stop()
    }
  }

  @Test("strangers fill neither memory nor log, and who reads no log stops nobody")
  func strangers() async throws {
    try await Sandbox.use { sandbox in
      let log = sandbox.root + "/log"
      let service = try await Service.start(in: sandbox, ["--log-file", log], secret: Self.secret)
      let body = try sandbox.write(String(repeating: " ", count: 100_000), to: "../streams/body")
      #expect(try await service.status("/jsonrpc", ["--data-binary", "@\(body)"]) == "413")
      let call = #"{"jsonrpc":"2.0","id":1,"method":"aria2.getVersion","params":["token:\#(Self.secret)"]}"#
      let long = try sandbox.write(call + String(repeating: " ", count: 100_000), to: "../streams/long")
      #expect(try await service.status("/jsonrpc", ["--data-binary", "@\(long)"]) == "200")
      // One connection asks 200 times under a wrong name.
      let urls = Array(repeating: service.url + "/api/v1/jobs", count: 199)
      _ = try await service.curl("/api/v1/jobs", ["-H", "Host: evil.example", "-o", "/dev/null"] + urls)
      try await service.stop()
      let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      #expect(lines.count { $0.contains("421") } == 10, "\(lines.count)")
    }
  }

  @Test("links with secrets are shown to aria2's clients as to all others")
  func signed() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      let url = sandbox.server.url("/f?X-Amz-Signature=abcdef&part=1")
      let gid = try await service.add(url, ["pause": "true"])
      for method in ["aria2.tellStatus", "aria2.getUris", "aria2.getFiles"] {
        let text = "\(try await service.call(method, [gid]))"
        #expect(!text.contains("abcdef") && text.contains("part=1"), "\(method): \(text)")
      }
      let shown = url.replacing("abcdef", with: "…")
      #expect("\(try await service.call("aria2.addUri", [[shown]]))".contains("send the whole URL"))
      try await service.stop()
    }
  }
}
