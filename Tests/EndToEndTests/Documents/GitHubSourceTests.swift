// `gh:` against a server that answers like GitHub's API.

import FaultServer
import Foundation
import Testing

@Suite("Releases on GitHub")
struct GitHubSourceTests {
  private static let api = "/api/v3/repos/o/r"
  private static let version = FaultServer.Version.named("tool", size: 40_000)

  /// Runs dray with this sandbox's server as GitHub.
  private func dray(_ sandbox: Sandbox, _ arguments: [String], token: String? = nil) async throws -> Finished {
    try await sandbox.start(arguments) { launch in
      launch.environment["GH_HOST"] = sandbox.server.url("").replacing("http://", with: "")
      launch.environment["GH_ENTERPRISE_TOKEN"] = token
    }.finish()
  }

  private func json(_ text: String) -> FaultServer.Resource {
    var resource = FaultServer.Resource(.init(.fixed(text.utf8)))
    resource.contentType = "application/json"
    return resource
  }

  private func plant(_ server: FaultServer, digest: String? = nil, size: Int = 40_000) {
    let digest = digest ?? "\"sha256:\(Sandbox.sha256(Self.version.content))\""
    server["\(Self.api)/releases/tags/v1"] = json(
      """
      {"id": 7, "tag_name": "v1", "assets": [
        {"id": 1, "name": "tool.bin", "state": "uploaded", "size": \(size), "digest": \(digest),
         "browser_download_url": "\(server.url("/o/r/releases/download/v1/tool.bin"))"},
        {"id": 2, "name": "notes.txt", "state": "uploaded", "size": 5, "digest": null,
         "browser_download_url": "\(server.url("/o/r/releases/download/v1/notes.txt"))"},
        {"id": 3, "name": "../evil", "state": "uploaded", "size": 5, "digest": null}]}
      """)
    server["/o/r/releases/download/v1/tool.bin"] = .init(Self.version)
    server["/o/r/releases/download/v1/notes.txt"] = .init(.init(.fixed("notes".utf8)))
  }

  @Test("a release: its files, what proves them, and nothing outside of the directory")
  func release() async throws {
    try await Sandbox.use { sandbox in
      plant(sandbox.server)
      let finished = try await dray(sandbox, ["get", "gh:o/r@v1"])
      expect(finished, exits: 0, saying: "nothing proves notes.txt")
      sandbox.expectFiles(["tool.bin": Self.version.content, "notes.txt": .fixed("notes".utf8)])
      expect(
        try await dray(sandbox, ["get", "gh:o/r@v1/tool.bim"]), exits: 2, saying: "did you mean tool.bin?")
    }
  }

  @Test("a file that is not the one of the digest or of the size is not published")
  func lies() async throws {
    for isSize in [false, true] {
      try await Sandbox.use { sandbox in
        if isSize {
          plant(sandbox.server, size: 41_000)
        } else {
          plant(sandbox.server, digest: "\"sha256:\(String(repeating: "ab", count: 32))\"")
        }
        expect(try await dray(sandbox, ["get", "gh:o/r@v1/tool.bin"]), exits: 9)
        #expect(sandbox.names().isDisjoint(with: ["tool.bin"]))
      }
    }
  }

  @Test("a private file: the token goes to the API, and not to where it redirects; it is in no output")
  func members() async throws {
    try await Sandbox.use { sandbox in
      let (server, storage) = (sandbox.server, try FaultServer())
      defer { storage.stop() }
      plant(server)
      server["\(Self.api)/releases/assets/1"] = .init(
        Self.version, script: [.redirect(to: storage.url("/signed?sig=abc"))])
      server["\(Self.api)/releases/assets/1"]?.required = [
        "Authorization": "Bearer geheim", "Accept": "application/octet-stream",
      ]
      storage["/signed"] = .init(Self.version)
      let finished = try await dray(sandbox, ["get", "gh:o/r@v1/tool.bin"], token: "geheim")
      expect(finished, exits: 0)
      sandbox.expectFiles(["tool.bin": Self.version.content])
      #expect(server.requests.allSatisfy { $0["authorization"] == "Bearer geheim" })
      #expect(!storage.requests.isEmpty && storage.requests.allSatisfy { $0["authorization"] == nil })
      let shown = try await sandbox.dray("show", "1")
      #expect(![finished.output, finished.errors, shown.output].contains { $0.contains("geheim") })
    }
  }

  @Test("a limit that is used up is named, with what helps")
  func limit() async throws {
    try await Sandbox.use { sandbox in
      let fields = ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(Int(Date().timeIntervalSince1970) + 3000)"]
      sandbox.server["\(Self.api)/releases/tags/v1"] = .init(
        .init(.fixed([])), script: [.status(403, headers: fields)])
      expect(
        try await dray(sandbox, ["add", "gh:o/r@v1"]), exits: 8, saying: "set GH_ENTERPRISE_TOKEN")
      #expect(try await sandbox.jobs().isEmpty)
    }
  }
}
