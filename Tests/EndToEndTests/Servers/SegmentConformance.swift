// Several connections to one file of a real server.

import FaultServer
import Foundation
import Testing

extension Conformance {
  @Suite struct Connections {
    static let size: Int64 = 8 << 20
    static let old = Content.generated(seed: 11, size: size)
    static let new = Content.generated(seed: 12, size: size)
    /// Bytes a second of each connection. The rate is low enough for more connections to help, and for little to arrive
    /// in the buffers of an unneeded connection while dray waits for a processor.
    static let rate = 256 << 10

    @Test("eight connections: as many as help, each for its part of one version; or one", arguments: ServerKind.http)
    func several(_ kind: ServerKind) async throws {
      // Whether more connections help is measured. A machine busy with other tests may spoil a measurement, but hardly
      // each time.
      for _ in 0..<3 where try await parts(kind) >= (kind.servesRanges ? 2 : 0) { return }
      Issue.record("no connection was added, three times")
    }

    /// Fetches a file over eight connections.
    /// - Returns: The number of requests for its parts.
    private func parts(_ kind: ServerKind) async throws -> Int {
      var count = 0
      try await serve(kind, connections: 8, rate: Self.rate) { sandbox, server, relay, _ in
        try server.put("f", Self.old)
        let finished = try await sandbox.dray("get", url(relay, "/f"), seconds: 120)
        expect(finished, exits: 0)
        sandbox.expectFiles(["f": Self.old], finished)
        #expect(!finished.errors.contains("started over"), "\(finished)")
        let parts = relay.requests.dropFirst()
        // squid answers 200 to an If-Range for a file that it is still fetching, and then gets If-Match.
        #expect(parts.allSatisfy { $0["Range"] != nil && ($0["If-Range"] ?? $0["If-Match"]) != nil }, "\(parts)")
        // Bytes taken over from a connection may be transferred twice.
        let travelled = try await passed(relay)
        #expect(travelled < Self.size * 3 / 2, "\(travelled)")
        count = parts.count
      }
      return count
    }

    // A cache answers with the old file; its own tests cover that.
    @Test(
      "P2 the file is replaced while several connections fetch it: the new one, whole",
      arguments: ServerKind.http.filter { !$0.keeps })
    func replaced(_ kind: ServerKind) async throws {
      try await serve(kind, connections: 8, rate: Self.rate) { sandbox, server, relay, _ in
        try server.put("f", Self.old)
        // The gate keeps the old file incomplete, however late the check is.
        let gate = relay.hold(after: Self.size * 3 / 4)
        let program = try sandbox.start(["get", "--retry-wait", "0.05", url(relay, "/f")])
        try await program.wait(for: "several connections", seconds: 120) {
          relay.requests.count >= (kind.servesRanges ? 3 : 1) && relay.bytesDown > 1 << 20
        }
        try server.put("f", Self.new, time: RealServer.longAgo + 3600)
        // Open connections would deliver the old file to its end, because the server has it open.
        relay.cut()
        gate.open()
        let finished = try await program.finish(seconds: 180)
        expect(finished, exits: 0, saying: "started over")
        sandbox.expectFiles(["f": Self.new], finished)
      }
    }

    @Test("eight connections over TLS", arguments: ServerKind.secure)
    func secure(_ kind: ServerKind) async throws {
      try await serve(kind, connections: 8, isSecure: true, rate: Self.rate) { sandbox, server, relay, certificates in
        try server.put("f", Self.old)
        // The gate keeps the file incomplete until there are several connections, however late.
        let gate = relay.hold(after: Self.size * 3 / 4)
        let trust = ["--cacert", try #require(certificates).authority]
        let program = try sandbox.start(["get"] + trust + [url(relay, "/f", "https")])
        try await program.wait(for: "several connections", seconds: 120) { relay.connections >= 3 }
        gate.open()
        let finished = try await program.finish(seconds: 120)
        expect(finished, exits: 0)
        sandbox.expectFiles(["f": Self.old], finished)
      }
    }
  }
}
