// Secrets go to their own origin and are never shown: S2, S3, S5 of CASES.md, P7 of the promises.

import FaultServer
import Foundation
import Testing

@Suite("Secrets")
struct SecretTests {
  static let version = AnswerCase.version
  static let secret = "PLANTED-s3cret"

  /// Everything that dray shows or keeps world-readable must be free of the planted secret.
  private func expectNoSecret(_ sandbox: Sandbox, _ finished: Finished) async throws {
    #expect(!finished.text.contains(Self.secret), "\(finished)")
    for arguments in [
      ["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"], ["list", "-v"],
    ] {
      let shown = try await sandbox.dray(arguments)
      #expect(!shown.text.contains(Self.secret), "\(shown)")
    }
    let attributes = try await sandbox.tool(
      "python3",
      [
        "-c",
        "import os,sys\nfor n in os.listdir(sys.argv[1]):\n p=os.path.join(sys.argv[1],n)\n for a in os.listxattr(p): print(a, os.getxattr(p,a))",
        sandbox.downloads,
      ])
    #expect(!attributes.text.contains(Self.secret), "\(attributes)")
    for name in sandbox.names(in: sandbox.home) {
      let path = "\(sandbox.home)/\(name)"
      let mode = ((try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? NSNumber)?
        .intValue
      #expect((mode ?? 0o777) & 0o077 == 0, "\(name)")
    }
  }

  struct Planted: Sendable, CustomTestStringConvertible {
    let what: String
    var prefix = ""
    var suffix = ""
    var options: [String] = []
    var testDescription: String { what }
  }

  static let planted: [Planted] =
    [
      .init(what: "password in the URL", prefix: "ann:\(secret)@"),
      .init(what: "-u", options: ["-u", "ann:\(secret)"]),
      .init(what: "-H Authorization", options: ["-H", "Authorization: Bearer \(secret)"]),
      .init(what: "-H X-Api-Key", options: ["-H", "X-Api-Key: \(secret)"]),
      .init(what: "-H Cookie", options: ["-H", "Cookie: session=\(secret)"]),
    ]
    + [
      "token", "access_token", "key", "api_key", "sig", "signature", "password", "auth", "session",
      "X-Amz-Signature", "X-Amz-Credential",
    ].map {
      .init(what: "?\($0)=", suffix: "?a=1&\($0)=\(secret)&b=2")
    }

  @Test("S3 a planted secret is in no output, whether the job succeeds, fails or waits", arguments: planted)
  func neverShown(_ planted: Planted) async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/ok"] = .init(Self.version)
      server["/loop"] = .init(Self.version, script: [.redirect(to: "/loop\(planted.suffix)")])
      server["/busy"] = .init(Self.version, script: [.status(503)])
      for (path, status) in [("/ok", 0), ("/missing", 8), ("/loop", 7), ("/busy", 8)] as [(String, Int32)] {
        let url = "http://\(planted.prefix)127.0.0.1:\(server.port)\(path)\(planted.suffix)"
        let finished = try await sandbox.dray(
          ["get", "-v", url, "--retries", "1", "--retry-wait", "0.05"] + planted.options)
        expect(finished, exits: status)
        try await expectNoSecret(sandbox, finished)
        let json = try await sandbox.dray(
          ["get", "--progress", "json", url, "-o", "json" + path.dropFirst(), "--retries", "0"]
            + planted.options)
        #expect(!json.text.contains(Self.secret), "\(json)")
      }
      // They did reach the server.
      let request = try #require(server.requests("/ok").first)
      let seen = request.target + request.fields.map(\.value).joined(separator: "\n")
      let isBasic = planted.prefix.isEmpty == false || planted.options.first == "-u"
      let encoded = Data("ann:\(Self.secret)".utf8).base64EncodedString()
      #expect(seen.contains(isBasic ? encoded : Self.secret))
    }
  }

  static let carried: [Planted] = [
    .init(what: "-u", options: ["-u", "ann:\(secret)"]),
    .init(what: "password in the URL", prefix: "ann:\(secret)@"),
    .init(what: "-H Authorization", options: ["-H", "Authorization: Bearer \(secret)"]),
    .init(what: "-H X-Custom", options: ["-H", "X-Custom: \(secret)"]),
    .init(what: "-H Cookie", options: ["-H", "Cookie: session=\(secret)"]),
  ]

  private func carries(_ request: SeenRequest) -> Bool {
    let encoded = Data("ann:\(Self.secret)".utf8).base64EncodedString()
    return request.fields.contains { $0.value.contains(Self.secret) || $0.value.contains(encoded) }
  }

  @Test("S2 a redirect to another port carries no secret, and none in its referer", arguments: carried)
  func otherOrigin(_ planted: Planted) async throws {
    try await Sandbox.use { sandbox in
      let other = try FaultServer()
      defer { other.stop() }
      other["/f"] = .init(Self.version)
      sandbox.server["/f"] = .init(Self.version, script: [.redirect(to: other.url("/f"))])
      let url = "http://\(planted.prefix)127.0.0.1:\(sandbox.server.port)/f"
      let finished = try await sandbox.dray(["get", url] + planted.options)
      expect(finished, exits: 0)
      #expect(carries(try #require(sandbox.server.requests("/f").first)))
      #expect(!carries(try #require(other.requests("/f").first)), "\(other.requests)")
    }
  }

  @Test("S2 back at the first origin its secrets are sent again", arguments: carried)
  func backAtTheOrigin(_ planted: Planted) async throws {
    try await Sandbox.use { sandbox in
      let other = try FaultServer()
      defer { other.stop() }
      other["/hop"] = .init(Self.version, script: [.redirect(to: sandbox.server.url("/end"))])
      sandbox.server["/f"] = .init(Self.version, script: [.redirect(to: other.url("/hop"))])
      sandbox.server["/end"] = .init(Self.version)
      let url = "http://\(planted.prefix)127.0.0.1:\(sandbox.server.port)/f"
      expect(try await sandbox.dray(["get", url] + planted.options), exits: 0)
      #expect(!carries(try #require(other.requests("/hop").first)))
      #expect(carries(try #require(sandbox.server.requests("/end").first)))
    }
  }

  @Test("S2 S5 --netrc: the machine's password goes to that machine only, and is not shown")
  func netrc() async throws {
    try await Sandbox.use { sandbox in
      let other = try FaultServer()
      defer { other.stop() }
      other["/f"] = .init(Self.version)
      // netrc knows hosts, not ports: the other server is called by another name of this machine.
      let location = "http://localhost:\(other.port)/f"
      sandbox.server["/f"] = .init(Self.version, script: [.redirect(to: location)])
      try Data("machine 127.0.0.1 login ann password \(Self.secret)\n".utf8)
        .write(to: URL(fileURLWithPath: sandbox.root + "/user/.netrc"))
      let finished = try await sandbox.dray("get", "--netrc", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      #expect(carries(try #require(sandbox.server.requests("/f").first)))
      #expect(!carries(try #require(other.requests("/f").first)))
      try await expectNoSecret(sandbox, finished)
    }
  }

  @Test("P7 the secret survives a restart, and is used by the runner that takes the job over")
  func keptWithTheJob() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      sandbox.server.update("/f") { $0.required = ["X-Api-Key": Self.secret] }
      expect(
        try await sandbox.dray("add", sandbox.server.url("/f"), "-H", "X-Api-Key: \(Self.secret)"), exits: 0)
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 0)
      try await expectNoSecret(sandbox, finished)
    }
  }
}
