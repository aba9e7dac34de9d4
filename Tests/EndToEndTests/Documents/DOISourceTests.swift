// `doi:` against a resolver and services that answer like the public ones.

import Crypto
import FaultServer
import Foundation
import Testing

@Suite("Records with a DOI")
struct DOISourceTests {
  private static let version = FaultServer.Version.named("data", size: 40_000)

  private static func md5(_ content: FaultServer.Content) -> String {
    Insecure.MD5.hash(data: Data(content.bytes(in: 0..<content.size))).map { String(format: "%02x", $0) }.joined()
  }

  /// Runs dray with this sandbox's server as resolver of DOIs.
  private func dray(_ sandbox: Sandbox, _ arguments: String...) async throws -> Finished {
    try await sandbox.start(arguments) { launch in
      launch.environment["DRAY_DOI_RESOLVER"] = sandbox.server.url("/doi")
    }.finish()
  }

  private func page(_ server: FaultServer, _ doi: String, _ page: String, headers: [String] = []) {
    let value = "{\"type\": \"URL\", \"data\": {\"format\": \"string\", \"value\": \"\(server.url(page))\"}}"
    server["/doi/api/handles/\(doi)"] = .init(.init(.fixed("{\"responseCode\": 1, \"values\": [\(value)]}".utf8)))
    let path = String(page.prefix { $0 != "?" })
    server[path] = .init(
      .init(.fixed("<html></html>".utf8)), script: [.normal.with { $0.headers = headers }])
    server[path]?.contentType = "text/html"
  }

  private func plant(_ server: FaultServer, md5: String) {
    page(server, "10.5281/zenodo.5", "/records/5")
    server["/api/records/5"] = .init(
      .init(
        .fixed(
          """
          {"id": 5, "doi": "10.5281/zenodo.5", "files": [
            {"key": "data.bin", "size": 40000, "checksum": "md5:\(md5)",
             "links": {"self": "\(server.url("/api/records/5/files/data.bin/content"))"}},
            {"key": "../evil", "size": 1}]}
          """.utf8)))
    server["/api/records/5/files/data.bin/content"] = .init(Self.version)
  }

  @Test("InvenioRDM: the file, its weak digest, and nothing outside of the directory")
  func invenio() async throws {
    try await Sandbox.use { sandbox in
      plant(sandbox.server, md5: Self.md5(Self.version.content))
      expect(try await dray(sandbox, "get", "doi:10.5281/zenodo.5"), exits: 0, saying: "only an MD5")
      sandbox.expectFiles(["data.bin": Self.version.content])
    }
  }

  @Test("a file that is not the one of the MD5 is not published")
  func lie() async throws {
    try await Sandbox.use { sandbox in
      plant(sandbox.server, md5: String(repeating: "ab", count: 16))
      expect(try await dray(sandbox, "get", "doi:10.5281/zenodo.5"), exits: 9)
      #expect(sandbox.names().isDisjoint(with: ["data.bin"]))
    }
  }

  @Test("Dataverse and links of a page; an unknown DOI")
  func others() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      page(server, "10.7910/DVN/A", "/dataset.xhtml?persistentId=doi:10.7910/DVN/A")
      server["/api/datasets/:persistentId/"] = .init(
        .init(
          .fixed(
            """
            {"status": "OK", "data": {"latestVersion": {"versionNumber": 1, "files": [
              {"label": "a.bin", "directoryLabel": "raw", "dataFile": {"id": 2, "filesize": 40000,
               "checksum": {"type": "MD5", "value": "\(Self.md5(Self.version.content))"}}}]}}}
            """.utf8)))
      server["/api/access/datafile/2"] = .init(Self.version)
      expect(try await dray(sandbox, "get", "doi:10.7910/DVN/A"), exits: 0)
      #expect(Self.version.content.difference(fromFileAt: sandbox.path("raw/a.bin")) == nil)
      page(server, "10.1/links", "/landing", headers: ["Link: </f/b.bin>; rel=\"item\""])
      server["/f/b.bin"] = .init(Self.version)
      expect(try await dray(sandbox, "get", "doi:10.1/links"), exits: 0, saying: "nothing proves")
      #expect(Self.version.content.difference(fromFileAt: sandbox.path("b.bin")) == nil)
      expect(try await dray(sandbox, "get", "doi:10.1/none"), exits: 8, saying: "no such DOI")
    }
  }
}
