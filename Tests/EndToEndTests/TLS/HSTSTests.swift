// HSTS: a host that required https never gets a request without it again (RFC 6797, P15).

import FaultServer
import Foundation
import Testing

@Suite("HSTS")
struct HSTSTests {
  private static let content = Content.generated(seed: 3, size: 10_000)

  @Test("the policy is kept in the store, followed by get, info and -o -, and cancelled by max-age=0")
  func kept() async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox)
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates)
      for directory in ["hsts", "hsts-off"] {
        try FileManager.default.createDirectory(
          atPath: nginx.site + "/\(directory)", withIntermediateDirectories: true)
        try Self.content.write(toFileAt: nginx.site + "/\(directory)/file")
      }
      try Self.content.write(toFileAt: nginx.site + "/plain")
      let trust = ["--cacert", certificates.authority]
      func get(_ path: String, _ scheme: String, _ more: String...) async throws -> Finished {
        try await sandbox.dray(["get", nginx.namedURL(path, scheme: scheme)] + trust + more)
      }

      // nginx answers plain HTTP on a TLS port with 400.
      expect(try await get("/plain", "http"), exits: 8)
      expect(try await get("/hsts/file", "https"), exits: 0)
      expect(try await get("/plain", "http"), exits: 0)
      let job = try #require(try await sandbox.jobs().first { $0.url.hasSuffix("/plain") && $0.state == "complete" })
      #expect(job.url.hasPrefix("http://") && job.finalURL?.hasPrefix("https://") == true)
      expect(try await sandbox.dray(["info", nginx.namedURL("/plain", scheme: "http")] + trust), exits: 0)
      expect(try await get("/plain", "http", "-o", "-"), exits: 0)

      expect(try await get("/hsts-off/file", "https", "-o", "again"), exits: 0)
      expect(try await get("/plain", "http", "-o", "other"), exits: 8)
    }
  }

  @Test("no HSTS policy is recorded where certificates are not checked")
  func insecureTeachesNothing() async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox)
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates)
      try FileManager.default.createDirectory(atPath: nginx.site + "/hsts", withIntermediateDirectories: true)
      try Self.content.write(toFileAt: nginx.site + "/hsts/file")
      expect(try await sandbox.dray("get", "-k", nginx.namedURL("/hsts/file", scheme: "https")), exits: 0)
      expect(try await sandbox.dray("get", "-k", nginx.namedURL("/hsts/file", scheme: "http"), "-o", "b"), exits: 8)
    }
  }
}
