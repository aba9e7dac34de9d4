// No password, token, key or cookie is visible: not in `ps`, in dray's output, or in files that others can read (P7).

import FaultServer
import Foundation
import Testing

@Suite("Secrets of authentication")
struct CredentialSecretTests {
  private static let secret = "PLANTED-s3cret"
  private static let base64 = Data("ann:\(secret)".utf8).base64EncodedString()

  struct Way: Sendable, CustomTestStringConvertible {
    let what: String
    var options: [String] = []
    var variables: [String: String] = [:]
    var input: String?
    /// Whether the server gets Basic credentials.
    var isBasic = true
    var testDescription: String { what }
  }

  private static let ways: [Way] = [
    .init(what: "--password-stdin", options: ["-u", "ann", "--password-stdin"], input: secret + "\n"),
    .init(what: "DRAY_PASSWORD", options: ["-u", "ann"], variables: ["DRAY_PASSWORD": secret]),
    .init(what: "--netrc", options: ["--netrc"]),
    .init(what: "--oauth2-bearer @FILE", options: ["--oauth2-bearer", "@../secret"], isBasic: false),
    .init(what: "DRAY_OAUTH2_BEARER", variables: ["DRAY_OAUTH2_BEARER": secret], isBasic: false),
    .init(what: "-b FILE", options: ["-b", "../cookies"], isBasic: false),
    .init(
      what: "DRAY_PROXY_PASSWORD", options: ["--proxy-user", "ann"], variables: ["DRAY_PROXY_PASSWORD": secret]),
  ]

  /// Whether a text contains the secret, in plain form or as Basic sends it.
  private func leaks(_ text: String) -> Bool { text.contains(Self.secret) || text.contains(Self.base64) }

  @Test("P7 secrets from files, the environment and pipes are visible nowhere", arguments: ways)
  func hidden(_ way: Way) async throws {
    try await Sandbox.use { sandbox in
      try sandbox.write(Self.secret + "\n", to: "../secret")
      try sandbox.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t\(Self.secret)\n", to: "../cookies")
      try sandbox.write("machine 127.0.0.1 login ann password \(Self.secret)\n", to: "../user/.netrc")
      let gate = FaultServer.Gate()
      sandbox.server["/f"] = .init(.named("v1", size: 200_000), script: [.held(by: gate, after: 100_000)])
      var options = way.options
      if way.what.contains("PROXY") {
        // The fault server also serves as its proxy, because it answers absolute URLs.
        options += ["--proxy", sandbox.server.url("")]
      }
      let input = try way.input.map { try sandbox.write($0, to: "../streams/given") }
      let running = try sandbox.start(["get", "-v", sandbox.server.url("/f")] + options) { launch in
        launch.environment.merge(way.variables) { $1 }
        if let input { launch.input = .file(input) }
      }
      #expect(await sandbox.server.waitForBytes("/f", count: 100_000))
      let words = FileManager.default.contents(atPath: "/proc/\(running.pid)/cmdline") ?? Data()
      #expect(!words.isEmpty)
      #expect(!leaks(String(decoding: words, as: UTF8.self)))
      gate.open()
      let finished = try await running.finish()
      expect(finished, exits: 0)
      #expect(!leaks(finished.text), "\(finished)")
      for arguments in [["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"], ["cookies", "list"]] {
        let shown = try await sandbox.dray(arguments)
        #expect(!leaks(shown.text), "\(shown)")
      }
      // The secret did reach its server.
      let seen = sandbox.server.requests("/f").last?.fields.map(\.value).joined(separator: "\n") ?? ""
      #expect(seen.contains(way.isBasic ? Self.base64 : Self.secret), "\(seen)")
      for name in sandbox.names(in: sandbox.home) {
        let mode = try #require(sandbox.mode(of: "\(sandbox.home)/\(name)"))
        #expect(mode & 0o077 == 0, "\(name)")
      }
    }
  }
}
