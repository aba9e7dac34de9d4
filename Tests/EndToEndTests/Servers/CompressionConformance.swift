// Servers that compress: dray requests files without compression, and reports compressed answers.

import FaultServer
import Foundation
import Testing

extension Conformance {
  @Suite struct Compression {
    @Test("without a request for compression there is none, and resume works", arguments: ServerKind.with(.packed))
    func notAsked(_ kind: ServerKind) async throws {
      try await serve(kind) { sandbox, server, relay, _ in
        try server.put("packed/f.txt", Conformance.old)
        let get = ["get", url(relay, "/packed/f.txt")]
        let kept = try await sandbox.killHalf(get, relay)
        let before = try await passed(relay)
        let finished = try await sandbox.dray(get)
        expect(finished, exits: 0)
        sandbox.expectFiles(["f.txt": Conformance.old], finished)
        let travelled = try await passed(relay) - before
        #expect(travelled < Conformance.size - kept + Joint.overlap + heads, "\(travelled) after \(kept)")
      }
    }

    @Test("a body with unrequested compression is stored as sent, and reported", arguments: ServerKind.with(.forced))
    func forced(_ kind: ServerKind) async throws {
      try await serve(kind) { sandbox, server, relay, _ in
        try server.put("forced/f.txt", Conformance.old)
        expect(try await sandbox.shell("gzip -k '\(server.site)/forced/f.txt'"), exits: 0)
        let get = ["get", url(relay, "/forced/f.txt")]
        _ = try await sandbox.killHalf(get, relay)
        let finished = try await sandbox.dray(get)
        // No server serves ranges of the compressed body; both facts are reported.
        expect(finished, exits: 0, saying: "started over")
        #expect(finished.errors.contains("stored as sent"), "\(finished)")
        let expanded = try await sandbox.shell("gzip -dc <'\(sandbox.path("f.txt"))' >'\(sandbox.root)/expanded'")
        expect(expanded, exits: 0)
        let difference = Conformance.old.difference(fromFileAt: sandbox.root + "/expanded")
        #expect(difference == nil, "\(finished)")
      }
    }
  }
}
