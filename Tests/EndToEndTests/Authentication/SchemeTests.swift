// Digest, NTLM and bearer against servers that really require them: P7.

import FaultServer
import Foundation
import Testing

@Suite("Authentication schemes")
struct SchemeTests {
  static let content = Content.generated(seed: 18, size: 300_000)
  static let user = ["-u", "ann:\(ChallengeServer.password)"]

  @Test(
    "each scheme works: the challenge is answered within one attempt",
    arguments: [
      ("/md5/f", ["--digest"]), ("/sha256/f", ["--digest"]), ("/stale/f", ["--digest"]), ("/both/f", ["--anyauth"]),
      ("/md5/f", ["--anyauth"]), ("/ntlm/f", ["--ntlm"]), ("/ntlm/f", ["--anyauth"]), ("/basic/f", []),
      ("/basic/f", ["--basic"]), ("/basic/f", ["--anyauth"]),
    ])
  func spoken(_ path: String, _ options: [String]) async throws {
    try await Sandbox.use { sandbox in
      let server = try await ChallengeServer(in: sandbox, Self.content)
      let finished = try await sandbox.dray(["get", "-v", server.url(path), "--retries", "0"] + Self.user + options)
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.content], finished)
      #expect(!finished.text.contains(ChallengeServer.password), "\(finished)")
      if !path.contains("basic") {
        #expect(server.requests.allSatisfy { !($0.fields["authorization"] ?? "").hasPrefix("Basic") })
      }
      let looked = try await sandbox.dray(["info", server.url(path)] + Self.user + options)
      expect(looked, exits: 0, saying: "200")
    }
  }

  private static let rejected = "the password for ann was rejected"

  @Test(
    "wrong credentials: 6 after one try, and the message says whose, or which scheme the server wants",
    arguments: [
      ("/md5/f", ["--digest"], rejected), ("/sha256/f", ["--anyauth"], rejected), ("/basic/f", [], rejected),
      ("/md5/f", [], "add --user NAME and --digest"), ("/both/f", ["--digest"], rejected),
    ])
  func wrong(_ path: String, _ options: [String], _ said: String) async throws {
    try await Sandbox.use { sandbox in
      let server = try await ChallengeServer(in: sandbox, Self.content)
      let finished = try await sandbox.dray(
        ["get", server.url(path), "-u", "ann:wrong", "--retry-wait", "600"] + options)
      expect(finished, exits: 6, saying: said)
      #expect(!finished.errors.contains("retrying in"), "\(finished)")
      #expect(finished.errors.contains(server.url(path)), "\(finished)")
      sandbox.expectNoFiles(finished)
      // One try: only the requests that the scheme itself needs.
      #expect(server.requests.count <= 2, "\(server.requests)")
    }
  }

  @Test("a download that was cut continues under Digest: only the rest is fetched")
  func resumed() async throws {
    try await Sandbox.use { sandbox in
      let server = try await ChallengeServer(in: sandbox, Self.content)
      let url = server.url("/md5/f?cut")
      let finished = try await sandbox.dray(["get", url, "--digest", "--retry-wait", "0.05"] + Self.user)
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.content], finished)
      #expect(server.requests.last?.status == 206, "\(server.requests)")
    }
  }

  @Test("P7 a connection that NTLM has authenticated is not used for another job")
  func boundConnection() async throws {
    try await Sandbox.use { sandbox in
      let server = try await ChallengeServer(in: sandbox, Self.content)
      let url = server.url("/ntlm/f")
      expect(try await sandbox.dray(["add", url, "--ntlm", "-o", "one", "--retries", "0"] + Self.user), exits: 0)
      expect(try await sandbox.dray(["add", url, "-o", "two"]), exits: 0)
      expect(try await sandbox.dray(["add", url, "--ntlm", "-o", "three", "-u", "bob:else"]), exits: 0)
      let finished = try await sandbox.dray("run", "-j", "1")
      expect(finished, exits: 6)
      sandbox.expectFiles(["one": Self.content], finished)
      let authenticated = Set(server.requests.filter { $0.status == 200 }.map(\.connection))
      let last = server.requests.last { authenticated.contains($0.connection) }
      #expect(last?.status == 200, "\(server.requests)")
    }
  }

  enum Source: String, CaseIterable {
    case option, file, environment
  }

  @Test(
    "P7 a bearer token goes to its own origin, from the option, a file or the environment",
    arguments: Source.allCases)
  func bearer(_ source: Source) async throws {
    try await Sandbox.use { sandbox in
      let token = ChallengeServer.password
      let other = try FaultServer()
      defer { other.stop() }
      other["/hop"] = .init(.named("v1", size: 10), script: [.redirect(to: sandbox.server.url("/end"))])
      sandbox.server["/f"] = .init(.named("v1", size: 10), script: [.redirect(to: other.url("/hop"))])
      sandbox.server["/end"] = .init(.named("v1", size: 10))
      try sandbox.write(token + "\n", to: "../token")
      let options =
        switch source {
        case .option: ["--oauth2-bearer", token]
        case .file: ["--oauth2-bearer", "@../token"]
        case .environment: [String]()
        }
      let finished = try await sandbox.start(["get", sandbox.server.url("/f")] + options) { launch in
        if source == .environment { launch.environment["DRAY_OAUTH2_BEARER"] = token }
      }.finish()
      expect(finished, exits: 0)
      #expect(sandbox.server.requests("/f").first?["Authorization"] == "Bearer \(token)")
      #expect(other.requests("/hop").first?["Authorization"] == nil)
      #expect(sandbox.server.requests("/end").first?["Authorization"] == "Bearer \(token)")
    }
  }

  @Test("--password-stdin and DRAY_PASSWORD give the password of --user")
  func passwordFromElsewhere() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(.named("v1", size: 10))
      sandbox.server.update("/f") { $0.credentials = "ann:\(ChallengeServer.password)" }
      let url = sandbox.server.url("/f")
      let piped = try await sandbox.dray(
        "get", url, "-o", "one", "-u", "ann", "--password-stdin", input: ChallengeServer.password + "\nmore\n")
      expect(piped, exits: 0)
      let told = try await sandbox.start(["get", url, "-o", "two", "-u", "ann"]) { launch in
        launch.environment["DRAY_PASSWORD"] = ChallengeServer.password
      }.finish()
      expect(told, exits: 0)
      expect(try await sandbox.dray("get", url, "-o", "three", "-u", "ann"), exits: 2, saying: "DRAY_PASSWORD")
    }
  }
}
