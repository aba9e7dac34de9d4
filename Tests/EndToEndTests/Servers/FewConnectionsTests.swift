// A server that allows four connections at once and answers 429 or 503 to more: fewer are used, and every file arrives.

import FaultServer
import Foundation
import Testing

@Suite("Servers that allow few connections")
struct FewConnectionsTests {
  /// nginx with four connections at once, each of 256 KiB a second.
  private static func limited(_ status: Int) -> ServerKind {
    ServerKind(
      name: "nginx", program: "nginx", tags: .seconds, secureVersion: "2", places: [],
      prepare: { setup in
        try Nginx.prepare(
          setup, http: "limit_conn_zone $server_port zone=all:1m;",
          locations: "location / { limit_conn all 4; limit_conn_status \(status); limit_rate 256k; }")
      })
  }

  @Test("P11 many files: refused connections are given up, and no file is missing", arguments: [429, 503])
  func manyFiles(_ status: Int) async throws {
    try await Sandbox.use { sandbox in
      let nginx = try await RealServer(Self.limited(status), in: sandbox)
      let content = (0..<40).map { Content.generated(seed: UInt64($0), size: 32 << 10) }
      for (n, content) in content.enumerated() { try content.write(toFileAt: "\(nginx.site)/f\(n)") }
      let finished = try await sandbox.dray(["get"] + content.indices.map { nginx.url("/f\($0)") })
      expect(finished, exits: 0)
      sandbox.expectFiles(Dictionary(uniqueKeysWithValues: content.enumerated().map { ("f\($0)", $1) }), finished)
      // There are fewer refusals than answers: no request is repeated endlessly.
      let refused = nginx.entries.count { $0.status == status }
      #expect(refused < content.count, "\(refused) of \(nginx.entries.count) answers were \(status)")
    }
  }

  @Test("P2 one file: refused segments do not affect the others, and the file is whole", arguments: [429, 503])
  func oneFile(_ status: Int) async throws {
    try await Sandbox.use { sandbox in
      let nginx = try await RealServer(Self.limited(status), in: sandbox)
      let content = Content.generated(seed: 1, size: 6 << 20)
      try content.write(toFileAt: nginx.site + "/f")
      let finished = try await sandbox.dray("get", "-x16", nginx.url("/f"))
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": content], finished)
      let refused = nginx.entries.count { $0.status == status }
      let served = nginx.entries.count - refused
      #expect(served > 1, "one connection alone is slower than the server allows: \(nginx.entries)")
      #expect(refused <= 16, "\(nginx.entries)")
    }
  }
}
