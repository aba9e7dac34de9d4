// What git allows for one server is not allowed for another one.

import DrayCore
import DrayDocuments
import Foundation
import Synchronization
import Testing

@testable import DrayKit

@Suite("Checks of the servers of git-lfs")
struct LFSTrustTests {
  private static let settings = [
    "https://git.example/": "http.sslverify\nfalse\0", "https://own.example:8443/": "http.sslcainfo\n/own.pem\0",
  ]

  /// Git with these settings, and how often it was asked.
  private final class Git: Sendable {
    private let questions = Mutex<[String]>([])

    var asked: [String] { questions.withLock(\.self) }

    var repository: GitRepository {
      var places = TokenPlaces(environment: [:], home: nil) { _ in nil }
      places.ask = { [self] words, _ in
        guard words.contains("--get-urlmatch"), let url = words.last else { return nil }
        questions.withLock { $0.append(url) }
        return LFSTrustTests.settings[url].map { Array($0.utf8) } ?? []
      }
      return GitRepository(directory: "/r", places: places)
    }
  }

  @Test(
    "finding 10: http.sslVerify and http.sslCAInfo count for the server that they are for, not for other servers",
    arguments: [
      ("https://git.example/data?signature=s3cret", nil, true), ("https://cdn.example/data", nil, false),
      ("https://git.example:444/data", nil, false), ("https://own.example:8443/a/b", "/own.pem", false),
      ("https://own.example/a/b", nil, false),
    ] as [(String, String?, Bool)])
  func own(text: String, caFile: String?, isInsecure: Bool) async throws {
    let git = Git()
    let trust = LFSTrust(git.repository)
    let url = try RequestURL.parse(text).url
    // The template has the settings for an earlier server, which must not apply.
    var template = TransferRequest(url: try RequestURL.parse("https://first.example/").url)
    (template.caFile, template.isInsecure) = ("/first.pem", true)
    for _ in 0..<3 {
      let request = await trust.request(template, to: url)
      #expect(request.url == url && request.caFile == caFile && request.isInsecure == isInsecure)
    }
    #expect(git.asked == ["\(url.origin)/"])
  }

  @Test("finding 10: a job that is there loses the checks of its earlier server")
  func earlier() async throws {
    let trust = LFSTrust(Git().repository)
    func specification(_ text: String) async throws -> JobSpecification {
      let url = try RequestURL.parse(text).url
      var job = JobSpecification(
        request: await trust.request(TransferRequest(url: url), to: url), options: JobOptions(), directory: "/d",
        output: "o")
      LFSTrust.giveChecks(of: &job)
      return job
    }
    var old = Job(
      id: 1, uuid: UUID(), specification: try await specification("https://git.example/data"), addedAt: 1)
    #expect(old.specification.request.isInsecure)
    old.specification.given = nil
    let (merged, _) = AskedAgainRule.merged(try await specification("https://cdn.example/data"), into: old)
    #expect(!merged.request.isInsecure)
  }

  @Test(
    "finding 10: a new link does not carry the checks of the old one to a server with others",
    arguments: [("https://git.example/new", true), ("https://cdn.example/new", false)])
  func renewal(text: String, isTaken: Bool) async throws {
    struct Client: SourceClient {
      let link: String
      let places = TokenPlaces(environment: [:], home: nil) { _ in nil }
      func send(_ query: SourceQuery) async throws(Failure) -> SourceResponse {
        let body = """
          {"objects": [{"oid": "\(LFSTrustTests.oid)", "actions": {"download": {"href": "\(link)"}}}]}
          """
        return SourceResponse(head: ResponseHead(status: 200, fields: []), finalURL: query.url, body: Array(body.utf8))
      }
    }
    let git = Git().repository
    let place = try LFSServerPlace("https://git.example/r.git/info/lfs", isRemote: false)
    let own = Client(link: text)
    let source = LFSSource(server: LFSServer(git, place), trust: LFSTrust(git), client: own)
    // The run's client has the certificate settings for the object's server, so the git server is asked with another
    // client.
    let other = Client(link: "https://run.example/never")
    let old = try RequestURL.parse("https://git.example/old").url
    source.links.put(LFSAction(old), for: LFSObject(oid: Self.oid, size: 3))
    let reference = LFSSource.reference(to: Self.oid)
    let name = try #require(SourceName(reference.name, schemes: ["lfs"]))
    let link = ExpiredLink(name: name, reference: reference, url: old, status: 403)
    if isTaken {
      #expect(try await source.renew(link, other).entries.first?.file.urls.map(\.string) == [text])
    } else {
      await #expect(throws: Failure.self) { _ = try await source.renew(link, other) }
    }
  }

  private static let oid = String(repeating: "0a", count: 32)
}
