// Caches between client and server: a copy of the old version, parts of several versions.

import FaultServer
import Foundation
import Testing

extension Conformance {
  @Suite struct Caches {
    private static let path = "/f"

    /// Runs `body` with squid as a forward proxy, and a relay in front of a server of `kind`.
    private func behindProxy(
      _ kind: ServerKind, _ body: (Sandbox, RealServer, FaultServer.Relay, [String: String]) async throws -> Void
    ) async throws {
      try await serve(kind) { sandbox, server, relay, _ in
        let proxy = try await RealServer(.squid, in: sandbox)
        try await body(sandbox, server, relay, ["http_proxy": "http://127.0.0.1:\(proxy.forwardPort)"])
      }
    }

    private func dray(_ sandbox: Sandbox, _ arguments: [String], _ proxy: [String: String]) async throws -> Finished {
      try await sandbox.start(arguments) { $0.environment.merge(proxy) { $1 } }.finish()
    }

    @Test("a forward proxy answers from its cache, ranges, too", arguments: [ServerKind.nginx, .apache])
    func kept(_ kind: ServerKind) async throws {
      try await behindProxy(kind) { sandbox, server, relay, proxy in
        try server.put("f", old)
        let get = ["get", url(relay, Self.path), "-o"]
        expect(try await dray(sandbox, get + ["a"], proxy), exits: 0)
        let asked = relay.requests.count
        expect(try await dray(sandbox, get + ["b"], proxy), exits: 0)
        #expect(relay.requests.count == asked)
        let fresh = try await dray(sandbox, get + ["c", "--no-cache"], proxy)
        expect(fresh, exits: 0)
        #expect(relay.requests.count > asked)
        sandbox.expectFiles(["a": old, "b": old, "c": old], fresh)
      }
    }

    @Test(
      "P2 the proxy has an older version than the kept half: fetched whole, never a mix",
      // With only a date, squid takes the older copy for the newer file, and serves the range.
      arguments: [ServerKind.nginx, .apache], ["/f", "/dated/f"])
    func stale(_ kind: ServerKind, path: String) async throws {
      try await behindProxy(kind) { sandbox, server, relay, proxy in
        let name = String(path.dropFirst())
        try server.put(name, old)
        let get = ["get", url(relay, path)]
        expect(try await dray(sandbox, get + ["-o", "kept"], proxy), exits: 0)
        try server.put(name, new, time: RealServer.longAgo + 3600)
        expect(try await sandbox.dray("clean"), exits: 0)
        try FileManager.default.removeItem(atPath: sandbox.path("kept"))
        let gate = relay.hold(after: half)
        let program = try sandbox.start(get)
        // The relay is between proxy and server, so bytes that it passed may still be in flight.
        try await program.wait(for: "some of the file", every: 0.1) {
          try await sandbox.jobs().last.map { $0.received > 0 } ?? false
        }
        program.send(SIGINT)
        expect(try await program.finish(), exits: 130)
        gate.open()
        let finished = try await dray(sandbox, get, proxy)
        expect(finished, exits: 0, saying: "started over: the file changed")
        sandbox.expectFiles(["f": old], finished)
      }
    }

    @Test("P2 a cache of slices of two versions: never a mix, an end, and the bytes of one version in the end")
    func slices() async throws {
      try await serve(.nginxCache) { sandbox, server, relay, _ in
        // Larger than the buffers on the way, so that most slices are missing when the server is killed.
        let (old, new) = (Content.generated(seed: 51, size: 24 << 20), Content.generated(seed: 52, size: 24 << 20))
        try server.put("f", old)
        let get = ["get", "--retries", "3", "--retry-wait", "0.05", url(relay, Self.path)]
        _ = try await sandbox.killHalf(get, relay)
        try server.put("f", new, time: RealServer.longAgo + 3600)
        // The cached first slices are of the old file, the others of the new one. nginx ends the answer where it notices,
        // so no client can get this file whole.
        let stuck = try await sandbox.dray(get)
        #expect(stuck.status == 4 || stuck.status == 7, "\(stuck)")
        #expect(!sandbox.names().contains("f"), "\(stuck)")
        // The server may still write to its cache until it is dead.
        try await server.kill()
        let cache = server.directory + "/cache"
        for name in sandbox.names(in: cache) { try FileManager.default.removeItem(atPath: "\(cache)/\(name)") }
        try await server.restart()
        let finished = try await sandbox.dray(get)
        expect(finished, exits: 0)
        sandbox.expectFiles(["f": new], finished)
      }
    }
  }
}
