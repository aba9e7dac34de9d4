// `info` and `show` report a server's answer, as text and as JSON.

import FaultServer
import Foundation
import Testing

@Suite("Response")
struct ResponseTests {
  /// The JSON of a command.
  private func json(_ sandbox: Sandbox, _ arguments: [String]) async throws -> [String: Any] {
    let finished = try await sandbox.dray(arguments)
    expect(finished, exits: 0)
    let value = try JSONSerialization.jsonObject(with: Data(finished.output.utf8))
    return try #require(value as? [String: Any], "\(finished)")
  }

  private func fields(_ object: [String: Any]?, _ name: String) -> [String] {
    let fields = object?["fields"] as? [[String: String]] ?? []
    return fields.filter { $0["name"]?.lowercased() == name.lowercased() }.compactMap { $0["value"] }
  }

  /// A redirect, then a file with many header fields.
  private func prepare(_ sandbox: Sandbox) {
    var resource = Resource(AnswerCase.version)
    resource.contentType = "Text/Plain; charset=\"iso-8859-1\""
    resource.disposition = "attachment; filename=named.txt"
    let answer = Answer.normal.with {
      $0.headers = [
        "X-One: 1", "X-One: 2", "Set-Cookie: sid=hidden; Path=/", "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==",
        "Repr-Digest: sha-256=:AAAA:", "Vary: Accept", "Link: </copy>; rel=duplicate; pri=2",
        "Link: <http://127.0.0.1:1/f>; rel=duplicate; pri=1, </f.meta4>; rel=describedby; "
          + "type=\"application/metalink4+xml\"",
      ]
    }
    resource.script = [answer, answer]
    sandbox.server["/f"] = resource
    let hop = Answer.redirect(to: "/f").with { $0.headers.append("X-Hop: here") }
    sandbox.server["/start"] = .init(AnswerCase.version, script: [hop, hop])
  }

  private func check(_ answer: [String: Any], _ sandbox: Sandbox) {
    #expect(answer["finalURL"] as? String == sandbox.server.url("/f"))
    #expect(answer["status"] as? Int == 200 && answer["httpVersion"] as? String == "1.1")
    #expect(answer["name"] as? String == "named.txt" && answer["size"] as? Int == 200_000)
    #expect(answer["mediaType"] as? String == "text/plain" && answer["charset"] as? String == "iso-8859-1")
    #expect(answer["resumable"] as? Bool == true)
    #expect((answer["validators"] as? [String: Any])?["etag"] as? String == "\"v1\"")
    let redirects = answer["redirects"] as? [[String: Any]] ?? []
    #expect(redirects.map { $0["status"] as? Int } == [302])
    #expect(redirects.first?["from"] as? String == sandbox.server.url("/start"))
    #expect(redirects.first?["to"] as? String == sandbox.server.url("/f"))
    #expect(fields(redirects.first, "X-Hop") == ["here"])
    #expect(fields(answer, "X-One") == ["1", "2"])
    #expect(fields(answer, "Set-Cookie") == ["sid=…; Path=/"])
    #expect(fields(answer, "Content-MD5").count == 1 && fields(answer, "Repr-Digest").count == 1)
    let links = answer["links"] as? [[String: Any]] ?? []
    #expect(
      links.map { $0["url"] as? String } == [
        "http://127.0.0.1:1/f", sandbox.server.url("/copy"), sandbox.server.url("/f.meta4"),
      ])
    #expect(links.map { $0["relation"] as? String } == ["duplicate", "duplicate", "describedby"])
    #expect(links.last?["mediaType"] as? String == "application/metalink4+xml")
    #expect(answer["address"] as? String == "127.0.0.1" && answer["tls"] is NSNull)
    let timings = answer["timings"] as? [String: Any] ?? [:]
    let order = ["firstByte", "total"].compactMap { timings[$0] as? Double }
    #expect(order.count == 2 && order == order.sorted() && timings["tls"] is NSNull, "timings: \(timings)")
  }

  @Test("info and show agree about an answer")
  func told() async throws {
    try await Sandbox.use { sandbox in
      prepare(sandbox)
      check(try await json(sandbox, ["info", "--json", sandbox.server.url("/start")]), sandbox)
      expect(try await sandbox.dray("get", "-q", "--verify", "none", sandbox.server.url("/start")), exits: 0)
      let job = try await json(sandbox, ["show", "--json", "1"])
      check(try #require(job["response"] as? [String: Any]), sandbox)
      let text = try await sandbox.dray("show", "1", "-v")
      for part in [
        "302: ", "X-Hop: here", "named.txt", "mirror:", "described by:", "charset:", "resumable:", "HTTP/1.1 200",
        "after the request began", "a connection used before",
      ] { #expect(text.output.contains(part), "\(part): \(text)") }
      #expect(!text.output.contains("hidden"))
      #expect(!(try await sandbox.dray("show", "1")).output.contains("X-Hop"))
    }
  }

  @Test("the refusal of a job is shown, too")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.status(404, headers: ["X-Why: gone"])])
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 8)
      let job = try await json(sandbox, ["show", "--json", "1"])
      let response = try #require(job["response"] as? [String: Any])
      #expect(response["status"] as? Int == 404 && fields(response, "X-Why") == ["gone"])
    }
  }

  @Test("TLS, certificate and timings against nginx, for a reused connection as well")
  func secure() async throws {
    try await Sandbox.use { sandbox in
      let certificates = try await Certificates(in: sandbox)
      let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates)
      try AnswerCase.version.content.write(toFileAt: nginx.site + "/a.html")
      try AnswerCase.version.content.write(toFileAt: nginx.site + "/b")
      let trust = ["--cacert", certificates.authority]
      func check(_ answer: [String: Any], _ place: String) {
        let tls = answer["tls"] as? [String: Any] ?? [:]
        #expect((tls["version"] as? String)?.hasPrefix("TLSv1.") ?? false, "\(place): \(answer)")
        #expect((tls["cipher"] as? String)?.isEmpty == false, "\(place)")
        #expect(tls["subject"] as? String == "CN = good" && tls["issuer"] as? String == "CN = authority", "\(place)")
        #expect(tls["names"] as? [String] == ["127.0.0.1", "localhost"], "\(place)")
        let (from, to) = (tls["notBefore"] as? Double ?? 0, tls["notAfter"] as? Double ?? 0)
        #expect(to - from == 2 * 86_400, "\(place)")
      }
      let look = try await json(sandbox, ["info", "--json", nginx.url("/b")] + trust)
      check(look, "info")
      #expect(look["httpVersion"] as? String == "2")
      #expect(((look["timings"] as? [String: Any])?["tls"] as? Double ?? 0) > 0)
      let finished = try await sandbox.dray(
        ["get", "-q", "-j", "1", nginx.url("/a.html"), nginx.url("/b")] + trust)
      expect(finished, exits: 0)
      for (id, reused) in [("1", false), ("2", true)] {
        let job = try await json(sandbox, ["show", "--json", id])
        let response = try #require(job["response"] as? [String: Any])
        check(response, "job \(id)")
        #expect(response["connectionReused"] as? Bool == reused, "job \(id)")
      }
      let text = try await sandbox.dray(["info", nginx.url("/b")] + trust)
      for part in ["CN = good", "CN = authority", "expires:", "127.0.0.1, localhost"] {
        #expect(text.output.contains(part), "\(text)")
      }
    }
  }
}
