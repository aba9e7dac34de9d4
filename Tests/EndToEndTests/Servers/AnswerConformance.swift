// Files of all kinds, their header fields, and the answers for missing files.

import FaultServer
import Foundation
import Testing

extension Conformance {
  @Suite struct Answers {
    /// Names of files, and their form in URLs.
    static let names: [(name: String, path: String)] = [
      ("plain.bin", "/plain.bin"), ("a b.txt", "/a%20b.txt"), ("größe 例.bin", "/gr%C3%B6%C3%9Fe%20%E4%BE%8B.bin"),
      ("100%.txt", "/100%25.txt"), ("a+b&c=d;e.bin", "/a+b&c=d;e.bin"), ("q?x#y.bin", "/q%3Fx%23y.bin"),
    ]

    @Test("files whole and exact, of no byte, of one, of several MiB, by any name", arguments: ServerKind.http)
    func files(_ kind: ServerKind) async throws {
      try await serve(kind, connections: nil) { sandbox, server, relay, _ in
        var files: [String: Content] = [
          "empty": .fixed([]), "one": .fixed([7]), "large": .generated(seed: 21, size: 5 << 20),
        ]
        var paths = files.keys.map { "/\($0)" }
        for (index, entry) in Self.names.enumerated() {
          files[entry.name] = .generated(seed: UInt64(30 + index), size: 10_000)
          paths.append(entry.path)
        }
        for (name, content) in files { try server.put(name, content) }
        let finished = try await sandbox.dray(["get"] + paths.map { url(relay, $0) })
        expect(finished, exits: 0)
        sandbox.expectFiles(files, finished)
        // As users type it: with spaces and non-ASCII letters.
        let typed = try await sandbox.dray("get", "-o", "typed", url(relay, "/größe 例.bin"))
        expect(typed, exits: 0)
        #expect(files["größe 例.bin"]?.difference(fromFileAt: sandbox.path("typed")) == nil, "\(typed)")
      }
    }

    private struct Look: Decodable {
      struct Tags: Decodable {
        let etag: String?
        let lastModified: String?
        let strong: Bool
      }
      let size: Int64?
      let resumable: Bool
      let validators: Tags
    }

    @Test("info shows the server's facts about the file", arguments: ServerKind.http)
    func looked(_ kind: ServerKind) async throws {
      try await serve(kind) { sandbox, server, relay, _ in
        try server.put("f", .generated(seed: 1, size: 12_345))
        let told = try await sandbox.dray("info", "--json", url(relay, "/f"))
        expect(told, exits: 0)
        let look = try JSONDecoder().decode(Look.self, from: Data(told.output.utf8))
        #expect(look.size == 12_345 && look.validators.strong, "\(told)")
        #expect(look.validators.lastModified == "Tue, 14 Nov 2023 22:13:20 GMT", "\(told)")
        #expect((look.validators.etag == nil) == (kind.tags == .none), "\(told)")
        #expect(look.resumable == kind.servesRanges, "\(told)")
      }
    }

    @Test("--if-changed: nothing is transferred until the file changes, then the new file", arguments: ServerKind.http)
    func ifChanged(_ kind: ServerKind) async throws {
      try await serve(kind) { sandbox, server, relay, _ in
        try server.put("f", old)
        let get = ["get", "--if-changed", url(relay, "/f")]
        expect(try await sandbox.dray(get), exits: 0)
        let before = try await passed(relay)
        expect(try await sandbox.dray(get), exits: 0, saying: "up to date")
        let travelled = try await passed(relay) - before
        #expect(travelled < heads, "\(travelled)")
        try server.put("f", new, time: RealServer.longAgo + 3600)
        if kind.keeps {
          expect(try await sandbox.dray(get), exits: 0, saying: "up to date")
          sandbox.expectFiles(["f": old])
          // nginx follows its operator here, not its clients.
          guard kind.program == "squid" else { return }
        }
        let finished = try await sandbox.dray(get + (kind.keeps ? ["--no-cache"] : []))
        expect(finished, exits: 0)
        sandbox.expectFiles(["f": new], finished)
      }
    }

    @Test("missing, forbidden, and protected by a password", arguments: ServerKind.http)
    func refused(_ kind: ServerKind) async throws {
      try await serve(kind) { sandbox, server, relay, _ in
        let content = Content.generated(seed: 1, size: 10_000)
        for place in ["secret", "forbidden"] { try server.put("\(place)/f", content) }
        expect(try await sandbox.dray("get", url(relay, "/missing")), exits: 8, saying: "404")
        expect(try await sandbox.dray("info", url(relay, "/missing")), exits: 8, saying: "404")
        sandbox.expectNoFiles()
        guard kind.places.contains(.secret) else { return }
        expect(try await sandbox.dray("get", url(relay, "/forbidden/f")), exits: 6, saying: "403")
        let secret = url(relay, "/secret/f")
        expect(try await sandbox.dray("get", secret), exits: 6, saying: "401")
        expect(try await sandbox.dray("get", "-u", "ann:wrong", "-o", "a", secret), exits: 6, saying: "401")
        sandbox.expectNoFiles()
        let finished = try await sandbox.dray("get", "-u", "ann:\(ServerSetup.password)", "-o", "b", secret)
        expect(finished, exits: 0)
        sandbox.expectFiles(["b": content], finished)
      }
    }

    @Test(
      "redirects: a path, an absolute one, to https, to another server, and to a directory", arguments: ServerKind.http)
    func redirected(_ kind: ServerKind) async throws {
      try await Sandbox.use { sandbox in
        let certificates = kind.secureVersion == nil ? nil : try await Certificates(in: sandbox)
        let content = Content.generated(seed: 1, size: 100_000)
        sandbox.server["/file"] = .init(.init(content))
        let server = try await RealServer(
          kind, in: sandbox, certificates: certificates, elsewhere: sandbox.server.url(""))
        try server.put("file", content)
        try server.put("directory/index.html", content)
        let relay = try FaultServer.Relay(to: server.plainPort)
        defer { relay.stop() }
        let trust = certificates.map { ["--cacert", $0.authority] } ?? []
        var files: [String: Content] = [:]
        if kind.places.contains(.to) {
          for name in ["path", "absolute", "elsewhere"] + (certificates == nil ? [] : ["secure"]) {
            let finished = try await sandbox.dray(["get", "-o", name, url(relay, "/to/\(name)")] + trust)
            expect(finished, exits: 0)
            files[name] = content
          }
          #expect(sandbox.server.requests("/file").count == 1)
        }
        let finished = try await sandbox.dray("get", url(relay, "/directory"))
        expect(finished, exits: 0)
        files["index.html"] = content
        sandbox.expectFiles(files, finished)
      }
    }
  }
}
