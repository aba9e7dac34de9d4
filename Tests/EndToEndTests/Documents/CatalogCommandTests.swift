// `--catalog`: the service locator from the command line.

import FaultServer
import Foundation
import Testing

@Suite("Catalogs from the command line")
struct CatalogCommandTests {
  static let version = FaultServer.Version.named("kernel", size: 40_000)

  static func catalog(_ size: Int = 40_000) -> String {
    """
    {"dray-catalog": 1, "services": {"kernel": {"versions": {
      "1.9": {"urls": ["old.tar"]},
      "1.10": {"urls": ["files/kernel.tar"], "size": \(size), "filename": "k.tar", "headers": {"X-Key": "geheim"}}
    }}}}
    """
  }

  @Test("from a URL: the highest version, relative URL, name, header; the copy is used when the server is gone")
  func remote() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/c/catalog.json"] = .init(.init(.fixed(Self.catalog().utf8), etag: "\"c\""))
      server["/c/catalog.json"]?.script = [.normal, .status(304), .status(503)]
      server["/c/files/kernel.tar"] = .init(Self.version)
      server["/c/files/kernel.tar"]?.required = ["X-Key": "geheim"]
      let url = server.url("/c/catalog.json")
      expect(try await sandbox.dray("get", "--catalog", url, "kernel"), exits: 0)
      sandbox.expectFiles(["k.tar": Self.version.content])
      expect(try await sandbox.dray("add", "--catalog", url, "kernel@1.9"), exits: 0)
      let stale = try await sandbox.dray("add", "--catalog", url, "kernel@1.9", "-d", "other")
      expect(stale, exits: 0, saying: "a copy of the catalog")
      #expect(
        server.requests.filter { $0.path.hasSuffix("json") }.map { $0["if-none-match"] } == [nil, "\"c\"", "\"c\""])
      #expect(try await sandbox.jobs().map(\.url).last == server.url("/c/old.tar"))
    }
  }

  @Test("each failure has a distinct message, and nothing is queued")
  func failures() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      try sandbox.write(
        Self.catalog().replacing("\"urls\": [\"", with: "\"urls\": [\"\(server.url("/"))"), to: "good.json")
      try sandbox.write("{\n  \"dray-catalog\": 1,\n}", to: "broken.json")
      try sandbox.write("{\"dray-catalog\": 1, \"sevices\": {}}", to: "shape.json")
      server["/html"] = .init(.init(.fixed("<html>".utf8)))
      for (catalog, name, status, part) in [
        ("none.json", "kernel", 2, "the catalog cannot be loaded"),
        (server.url("/missing"), "kernel", 8, "the catalog cannot be loaded"),
        ("http://127.0.0.1:1/c", "kernel", 4, "the catalog cannot be loaded"),
        ("broken.json", "kernel", 2, "broken.json:3: this is not a catalog: it is not JSON"),
        (server.url("/html"), "kernel", 7, "not JSON"), ("shape.json", "kernel", 2, "did you mean services?"),
        ("good.json", "kernle", 2, "did you mean kernel?"),
        ("good.json", "kernel@3", 2, "it has 1.10, 1.9"),
      ] {
        let finished = try await sandbox.dray("add", "--catalog", catalog, name)
        expect(finished, exits: Int32(status), saying: part)
      }
      #expect(try await sandbox.jobs().isEmpty)
      let wrongSize = Self.catalog(41_000).replacing("\"urls\": [\"", with: "\"urls\": [\"\(server.url("/"))")
      try sandbox.write(wrongSize, to: "good.json")
      server["/files/kernel.tar"] = .init(Self.version)
      expect(try await sandbox.dray("get", "--catalog", "good.json", "kernel"), exits: 9, saying: "expected 41000")
      #expect(sandbox.names().isDisjoint(with: ["k.tar"]))
    }
  }

  @Test("`catalog` lists services, and the versions of one, the highest first")
  func lists() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/catalog"] = .init(.init(.fixed(Self.catalog().utf8)))
      let url = sandbox.server.url("/catalog")
      let all = try await sandbox.dray("catalog", url)
      expect(all, exits: 0)
      #expect(all.output.contains("kernel") && all.output.contains("1.10") && !all.output.contains("1.9"))
      let one = try await sandbox.dray("catalog", "--json", url, "kernel")
      let objects = try #require(try JSONSerialization.jsonObject(with: Data(one.output.utf8)) as? [[String: Any]])
      #expect(objects.map { $0["version"] as? String } == ["1.10", "1.9"])
      expect(try await sandbox.dray("catalog", url, "kernl"), exits: 2, saying: "did you mean kernel?")
    }
  }

  @Test("credentials for the catalog go to its origin only")
  func secrets() async throws {
    try await Sandbox.use { sandbox in
      let (server, other) = (sandbox.server, try FaultServer())
      defer { other.stop() }
      let text = Self.catalog().replacing("files/kernel.tar", with: other.url("/k"))
      server["/catalog"] = .init(.init(.fixed(text.utf8)))
      other["/k"] = .init(Self.version)
      expect(
        try await sandbox.dray("get", "-u", "ann:pw", "-H", "X-Mine: y", "--catalog", server.url("/catalog"), "kernel"),
        exits: 0)
      #expect(server.requests.first?["authorization"] != nil && server.requests.first?["x-mine"] == "y")
      #expect(other.requests.allSatisfy { $0["authorization"] == nil && $0["x-mine"] == nil })
      #expect(other.requests.first?["x-key"] == "geheim")
    }
  }
}
