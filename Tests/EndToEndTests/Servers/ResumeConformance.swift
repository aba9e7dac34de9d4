// Killed half-way and run again: only missing bytes are transferred if the server supports it; and changed files.

import FaultServer
import Foundation
import Testing

extension Conformance {
  @Suite struct Resume {
    /// A file on a server.
    struct Row: Sendable, CustomTestStringConvertible {
      let kind: ServerKind
      var place: ServerKind.Place?
      var path: String { (place.map { "/\($0)" } ?? "") + "/f" }
      var servesRanges: Bool { kind.servesRanges && place != .whole }
      var testDescription: String { kind.name + path }
    }

    static let rows =
      (ServerKind.http + [.squidFilling]).map { Row(kind: $0) }
      + ServerKind.with(.dated).map { Row(kind: $0, place: .dated) }
      + ServerKind.with(.whole).map { Row(kind: $0, place: .whole) }

    @Test(
      "P4 kill -9 half-way: If-Range is sent, and the missing bytes travel, or all with one notice", arguments: rows)
    func killed(_ row: Row) async throws {
      try await serve(row.kind) { sandbox, server, relay, _ in
        try server.put(String(row.path.dropFirst()), old)
        let get = ["get", url(relay, row.path)]
        let kept = try await sandbox.killHalf(get, relay)
        let (before, asked) = (try await passed(relay), relay.requests.count)
        let validator = try await sandbox.recordedValidator()
        let finished = try await sandbox.dray(get)
        expect(finished, exits: 0)
        sandbox.expectFiles(["f": old], finished)

        let requests = relay.requests.dropFirst(asked)
        let first = try #require(requests.first)
        #expect(first["Range"] == "bytes=\(kept - Joint.overlap)-" && first["If-Range"] == validator, "\(first)")
        #expect(first["Accept-Encoding"] == "identity")
        let travelled = try await passed(relay) - before
        let notices = finished.errors.components(separatedBy: "started over").count - 1
        if row.servesRanges {
          #expect(requests.count == 1 && notices == 0, "\(requests) \(finished)")
          #expect(
            (size - kept + Joint.overlap..<size - kept + Joint.overlap + heads).contains(travelled),
            "\(travelled) after \(kept)")
        } else {
          #expect(notices == 1, "\(finished)")
          #expect(travelled >= size, "\(travelled)")
        }
      }
    }

    /// The modification time of the other file.
    enum Time: Double, Sendable, CaseIterable {
      case newer = 3600
      case older = -3600
      /// In the same second, but at a different instant.
      case sameSecond = 0.25
    }

    @Test(
      "P2 replaced by a file of the same length: the new file, whole, and a notice",
      // CacheConformance tests slices of a cache.
      arguments: (ServerKind.http + [.squidFilling]).filter { $0.name != ServerKind.nginxCache.name }, Time.allCases)
    func replaced(_ kind: ServerKind, _ time: Time) async throws {
      try await serve(kind) { sandbox, server, relay, _ in
        try server.put("f", old)
        // A cache serves its copy unless told otherwise; CacheConformance tests that.
        let get = ["get", url(relay, "/f")] + (kind.keeps ? ["--no-cache"] : [])
        _ = try await sandbox.killHalf(get, relay)
        try server.put("f", new, time: RealServer.longAgo + time.rawValue)
        // If the server says that the file is unchanged, only a digest reveals a change.
        let isToldApart = time != .sameSecond || kind.tags == .fine || !kind.servesRanges
        let proof = isToldApart ? [] : ["--checksum", "sha-256=" + Sandbox.sha256(new)]
        let finished = try await sandbox.dray(get + proof)
        expect(finished, exits: 0, saying: "started over")
        sandbox.expectFiles(["f": new], finished)
      }
    }

    @Test(
      "a shorter file with the old file's time, which is the only validator", arguments: ServerKind.with(.dated))
    func shorter(_ kind: ServerKind) async throws {
      try await serve(kind) { sandbox, server, relay, _ in
        try server.put("dated/f", old)
        let get = ["get", url(relay, "/dated/f")] + (kind.keeps ? ["--no-cache"] : [])
        _ = try await sandbox.killHalf(get, relay)
        let short = Content.generated(seed: 3, size: 100_000)
        try server.put("dated/f", short)
        let finished = try await sandbox.dray(get)
        expect(finished, exits: 0, saying: "started over")
        sandbox.expectFiles(["f": short], finished)
      }
    }

    @Test("over TLS, and HTTP/2 where the server has it: the missing bytes travel", arguments: ServerKind.secure)
    func secure(_ kind: ServerKind) async throws {
      try await serve(kind, isSecure: true) { sandbox, server, relay, certificates in
        try server.put("f", old)
        let trust = ["--cacert", try #require(certificates).authority]
        let get = ["get", url(relay, "/f", "https")] + trust
        let look = try await sandbox.dray(["info", "--json", url(relay, "/f", "https")] + trust)
        #expect(look.output.contains("\"httpVersion\":\"\(kind.secureVersion ?? "")\""), "\(look)")
        let kept = try await sandbox.killHalf(get, relay)
        let before = try await passed(relay)
        let finished = try await sandbox.dray(get)
        expect(finished, exits: 0)
        sandbox.expectFiles(["f": old], finished)
        #expect(!finished.errors.contains("started over"), "\(finished)")
        let travelled = try await passed(relay) - before
        // Records and frames add less than one percent.
        #expect(travelled < (size - kept + Joint.overlap) * 101 / 100 + heads, "\(travelled) after \(kept)")
      }
    }

    @Test(
      "P2 over TLS and HTTP/2: a changed file, an unchanged file, a missing file", arguments: ServerKind.secure)
    func secureReplaced(_ kind: ServerKind) async throws {
      try await serve(kind, isSecure: true) { sandbox, server, relay, certificates in
        let trust = ["--cacert", try #require(certificates).authority]
        try server.put("f", old)
        let get = ["get", url(relay, "/f", "https")] + trust
        _ = try await sandbox.killHalf(get, relay)
        try server.put("f", new, time: RealServer.longAgo + 3600)
        let finished = try await sandbox.dray(get)
        expect(finished, exits: 0, saying: "started over")
        sandbox.expectFiles(["f": new], finished)
        let before = try await passed(relay)
        expect(try await sandbox.dray(get + ["--if-changed"]), exits: 0, saying: "up to date")
        let travelled = try await passed(relay) - before
        #expect(travelled < 32 << 10, "\(travelled)")
        expect(try await sandbox.dray(["get", url(relay, "/none", "https")] + trust), exits: 8, saying: "404")
        guard kind.places.contains(.packed) else { return }
        try server.put("packed/f.txt", old)
        expect(try await sandbox.dray(["get", url(relay, "/packed/f.txt", "https")] + trust), exits: 0)
        #expect(old.difference(fromFileAt: sandbox.path("f.txt")) == nil)
      }
    }

    @Test("the server is killed in the middle, and returns a little later", arguments: ServerKind.http)
    func restarted(_ kind: ServerKind) async throws {
      try await Sandbox.use(connections: 1) { sandbox in
        let server = try await RealServer(kind, in: sandbox)
        // Larger than a connection's buffers, so that no bytes arrive after the end of the server.
        let content = Content.generated(seed: 5, size: 32 << 20)
        try server.put("f", content)
        // Two minutes at this rate: most bytes are missing whenever the test looks.
        let program = try sandbox.start(
          ["get", "--max-overall-rate", "256k", "--retries", "50", "--retry-wait", "0.2", server.url("/f")])
        try await program.wait(for: "a checkpoint", seconds: 60, every: 0.1) {
          try await sandbox.recorded() > 256 << 10
        }
        try await server.kill()
        expect(try await sandbox.dray("limit", "off"), exits: 0)
        try await program.wait(for: "a connection refused") { program.errors.contains("refused") }
        try await server.restart()
        let finished = try await program.finish()
        expect(finished, exits: 0)
        sandbox.expectFiles(["f": content], finished)
        #expect(finished.errors.contains("started over") == !kind.servesRanges, "\(finished)")
      }
    }
  }
}
