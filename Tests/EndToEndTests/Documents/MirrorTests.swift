// Mirrors and Metalink from the command line: the next server takes over, and the published file is verified.

import FaultServer
import Foundation
import Testing

@Suite("Mirrors from the command line")
struct MirrorTests {
  static let version = FaultServer.Version.named("file", size: 600_000)

  /// A Metalink of one file.
  static func metalink(_ urls: [String], name: String = "tool.bin", sha: String, size: Int64 = version.content.size)
    -> String
  {
    let list = urls.enumerated().map { "<url priority=\"\($0.offset + 1)\">\($0.element)</url>" }.joined()
    return """
      <?xml version="1.0"?><metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="\(name)"><size>\(size)</size>
      <hash type="sha-256">\(sha)</hash>\(list)</file></metalink>
      """
  }

  @Test("a server that does not have the file, one that has another, one that has it; the digest is checked")
  func metalinkFile() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      // Its body never arrives: the head alone must decide.
      let gate = Gate()
      defer { gate.open() }
      server["/longer"] = .init(.named("longer", size: 700_000), script: [.held(by: gate, after: 1000)])
      server["/other"] = .init(.named("other", size: Self.version.content.size))
      server["/good"] = .init(Self.version)
      let urls = ["/missing", "/longer", "/other", "/good"].map { server.url($0) }
      try sandbox.write(
        Self.metalink(urls, name: "sub/tool.bin", sha: Sandbox.sha256(Self.version.content)), to: "x.meta4")
      let finished = try await sandbox.dray("get", "x.meta4")
      expect(finished, exits: 0)
      #expect(server.requests.map(\.path) == ["/missing", "/longer", "/other", "/good"])
      #expect(server.requests[1].bodySent <= 1000)
      #expect(Self.version.content.difference(fromFileAt: sandbox.path("sub/tool.bin")) == nil)
      #expect(sandbox.names(in: sandbox.path("sub")) == ["tool.bin"])
    }
  }

  @Test("bytes of a server that broke off are kept for a mirror if a digest will prove them")
  func resumes() async throws {
    try await Sandbox.use { sandbox in
      let (server, mirror) = (sandbox.server, try FaultServer())
      defer { mirror.stop() }
      server["/f"] = .init(Self.version, script: [.cut(after: 400_000), .status(404)])
      var copy = Self.version
      copy.etag = "\"of the mirror\""
      mirror["/f"] = .init(copy)
      let sha = Sandbox.sha256(Self.version.content)
      try sandbox.write(Self.metalink([server.url("/f"), mirror.url("/f")], sha: sha), to: "x.meta4")
      expect(try await sandbox.dray("get", "--retry-wait", "0", "-M", "x.meta4"), exits: 0)
      #expect(Self.version.content.difference(fromFileAt: sandbox.path("tool.bin")) == nil)
      #expect(mirror.requests.map { $0["range"]?.hasPrefix("bytes=") } == [true])
      #expect(mirror.requests.first?["if-range"] == nil)
    }
  }

  @Test("without a digest bytes of two servers are never combined")
  func startsOver() async throws {
    try await Sandbox.use { sandbox in
      let (server, mirror) = (sandbox.server, try FaultServer())
      defer { mirror.stop() }
      let date = "Sat, 01 Feb 2025 00:00:00 GMT"
      let old = FaultServer.Version(.generated(seed: 1, size: 600_000), lastModified: date)
      let new = FaultServer.Version(.generated(seed: 2, size: 600_000), lastModified: date)
      server["/f"] = .init(old, script: [.cut(after: 400_000), .status(410)])
      mirror["/f"] = .init(new)
      try sandbox.write("\(server.url("/f"))\t\(mirror.url("/f"))\n", to: "list")
      expect(try await sandbox.dray("get", "--retry-wait", "0", "-i", "list"), exits: 0)
      #expect(new.content.difference(fromFileAt: sandbox.path("f")) == nil)
    }
  }

  @Test("all fail: the message says so, and the status is the failure's")
  func allFail() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      let line = "{\"url\": \"\(server.url("/a"))\", \"mirrors\": [\"\(server.url("/b"))\"]}\n"
      try sandbox.write(line, to: "list")
      expect(try await sandbox.dray("get", "-i", "list"), exits: 8, saying: "its mirror failed too")
      #expect(server.requests.map(\.path) == ["/a", "/b"])
    }
  }

  @Test("secrets of the first server are not the mirrors'")
  func secrets() async throws {
    try await Sandbox.use { sandbox in
      let (server, mirror) = (sandbox.server, try FaultServer())
      defer { mirror.stop() }
      mirror["/f"] = .init(Self.version)
      try sandbox.write("\(server.url("/f"))\t\(mirror.url("/f"))\n", to: "list")
      expect(
        try await sandbox.dray("get", "-i", "list", "-u", "ann:pw", "-H", "X-Key: k", "-b", "c=1"), exits: 0)
      #expect(server.requests.first?["authorization"] != nil)
      #expect(
        mirror.requests.allSatisfy { $0["authorization"] == nil && $0["x-key"] == nil && $0["cookie"] == nil })
    }
  }

  @Test("--metalink: an answer that is a Metalink, one that names one, one that names mirrors, one that does not")
  func asked() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      let sha = Sandbox.sha256(Self.version.content)
      let text = Self.metalink([server.url("/missing"), server.url("/good")], sha: sha)
      server["/doc"] = .init(.init(.fixed(text.utf8)))
      server["/doc"]?.contentType = "application/metalink4+xml"
      server["/good"] = .init(Self.version)
      let link = "Link: </doc>; rel=describedby; type=\"application/metalink4+xml\""
      server["/described"] = .init(
        .named("gone", size: 600_000), script: [FaultServer.Answer { $0.headers = [link] }, .status(404)])
      server["/plain"] = .init(.named("plain", size: 1000))
      let named = "Link: </plain>; rel=duplicate"
      server["/named"] = .init(
        .named("n", size: 1000), script: [FaultServer.Answer { $0.headers = [named] }, .status(404)])

      expect(try await sandbox.dray("get", "--metalink", server.url("/doc")), exits: 0)
      #expect(Self.version.content.difference(fromFileAt: sandbox.path("tool.bin")) == nil)
      expect(try await sandbox.dray("get", "--metalink", server.url("/described")), exits: 0)
      #expect(Self.version.content.difference(fromFileAt: sandbox.path("described")) == nil, "\(sandbox.names())")
      expect(try await sandbox.dray("get", "--metalink", server.url("/named"), server.url("/plain")), exits: 0)
      #expect(sandbox.names().isSuperset(of: ["named", "plain"]))
      // The server's type is not a Metalink's: the name decides.
      server["/named.meta4"] = .init(.init(.fixed(text.utf8)))
      let byName = ["get", "--metalink", "--on-conflict", "overwrite", server.url("/named.meta4")]
      expect(try await sandbox.dray(byName), exits: 0, saying: "tool.bin")
      #expect(!sandbox.names().contains("named.meta4"))
      // Without the option the Metalink is an ordinary file.
      expect(try await sandbox.dray("get", server.url("/doc")), exits: 0)
      #expect(sandbox.read("doc") == text)
    }
  }
}
