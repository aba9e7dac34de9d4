// Sources with names: the table, the client, and jobs whose links expire. The source of these tests is a tiny JSON
// document on the server of the fixture.

import DrayCore
import DrayDocuments
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Synchronization
import Testing

@testable import DrayKit

/// Names are `tiny:PATH` of a document on a server: lines of `PATH URL SIZE [DIGEST]`, and the revision in the first one.
struct TinySource: NamedSource {
  let scheme = "tiny"
  let base: String

  func find(_ name: SourceName, _ client: any SourceClient) async throws(Failure) -> SourceAnswer {
    guard let url = try? RequestURL.parse(base + "/" + name.rest).url else {
      throw Failure(.usage, name.text, "this is no name of a document")
    }
    let response = try await client.send(SourceQuery(url))
    let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n").map(String.init)
    let entries = lines.dropFirst().compactMap { line -> SourceAnswer.Entry? in
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 2, let url = try? RequestURL.parse(base + words[1]).url else { return nil }
      var file = OfferedFile(urls: [url], name: words[0], size: Int64(words[2]))
      if words.count > 3 { file.digest = try? DigestValue.parse("sha-256=" + words[3]) }
      return SourceAnswer.Entry(file, path: words[0])
    }
    return SourceAnswer(pinned: name, revision: lines.first, entries: entries)
  }
}

@Suite("Named sources") struct NamedSourcesTests {
  private func client(
    _ fixture: KitFixture, waiting: @escaping @Sendable (Failure, Double) -> Void = { _, _ in }
  ) async throws -> any SourceClient {
    var request = TransferRequest(url: try RequestURL.parse(fixture.server.url("/")).url)
    (request.proxy, request.headers) = ("", [HeaderField("Authorization", "Bearer command-line")])
    return try await DownloadManager.sourceClient(request, places: .none, waiting: waiting)
  }

  private func query(_ fixture: KitFixture, _ path: String) throws -> SourceQuery {
    SourceQuery(try RequestURL.parse(fixture.server.url(path)).url)
  }

  @Test(
    "schemes of URLs and taken ones are no names",
    arguments: [
      ("https", false), ("s3", false), ("magnet", false), ("tiny", false), ("h.example", false), ("x", false),
      ("Hf", false), ("1a", false), ("a_b", false), ("mine", true), ("my-source2", true),
    ])
  func schemes(_ scheme: String, _ isFree: Bool) throws {
    let sources = try NamedSources(adding: [TinySource(base: "http://h")])
    #expect((sources.objection(to: scheme) == nil) == isFree)
    #expect(sources.name(in: "tiny:a/b") == SourceName(scheme: "tiny", rest: "a/b"))
    #expect(sources.name(in: "https://h/tiny:a") == nil && sources.name(in: "h:80/x") == nil)
    #expect(throws: Failure.self) { try NamedSources(adding: [TinySource(base: "a"), TinySource(base: "b")]) }
  }

  @Test("a temporary status is asked again after the time that the server asks for")
  func waits() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/d"] = .init(
        .init(.fixed(Array("ok".utf8))),
        script: [.init(429) { $0.headers = ["Retry-After: 1"] }, .init(503), .normal])
      let client = try await client(fixture)
      let answer = try await client.send(try query(fixture, "/d"))
      #expect(String(decoding: answer.body, as: UTF8.self) == "ok" && answer.head.status == 200)
      let requests = fixture.server.requests("/d")
      // The secrets of the command line are not for sources.
      #expect(requests.count == 3 && requests.allSatisfy { $0["Authorization"] == nil })
      #expect(requests[0]["Accept"] == "application/json")
    }
  }

  @Test("a limit that is used up is waited for, also by a source that sees refusals; a refusal is not")
  func limits() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/d"] = .init(
        .init(.fixed([65])),
        script: [.init(403) { $0.headers = ["X-RateLimit-Remaining: 0", "Retry-After: 1"] }, .normal, .init(403)])
      let client = try await client(fixture)
      var wanted = try query(fixture, "/d")
      wanted.statuses = [403]
      #expect(try await client.send(wanted).head.status == 200)
      #expect(try await client.send(wanted).head.status == 403)
      #expect(fixture.server.requests("/d").count == 3)
    }
  }

  @Test("a failure of a source's server names the name and the URL, also while it is retried")
  func namesBoth() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/d"] = .init(.init(.fixed([])), script: [.init(503), .init(404)])
      let reports = Mutex<[String]>([])
      let client = try await client(fixture) { failure, _ in reports.withLock { $0.append(failure.description) } }
      let base = String(fixture.server.url("/").dropLast())
      let sources = try NamedSources(adding: [TinySource(base: base)])
      let name = SourceName(scheme: "tiny", rest: "d")
      let failure = await #expect(throws: Failure.self) { try await sources.find(name, client, for: .user) }
      let start = "tiny:d: \(base)/d: "
      #expect(failure?.description.hasPrefix(start) == true, "\(failure?.description ?? "")")
      let told = reports.withLock(\.self)
      #expect(told.count == 1 && told.first?.hasPrefix(start) == true, "\(told)")
    }
  }

  @Test("a wait that is too long, and any other status, is a failure; some are wanted")
  func failures() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/long"] = .init(
        .init(.fixed([])), script: [.init(429) { $0.headers = ["Retry-After: 9999"] }])
      fixture.server["/gone"] = .init(
        .init(.fixed([])), script: [.init(404) { ($0.headers, $0.body) = (["X-Error-Code: RepoNotFound"], [65]) }])
      let client = try await client(fixture)
      await #expect(throws: Failure.self) { try await client.send(try query(fixture, "/long")) }
      #expect(fixture.server.requests("/long").count == 1)
      await #expect(throws: Failure.self) { try await client.send(try query(fixture, "/gone")) }
      var wanted = try query(fixture, "/gone")
      wanted.statuses = [404]
      let answer = try await client.send(wanted)
      #expect(answer.head.first("x-error-code") == "RepoNotFound" && answer.body == [65])
    }
  }

  @Test("HEAD and POST, the limit, and tokens that cannot be sent")
  func methods() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/d"] = .init(.init(.fixed(Array(repeating: 65, count: 5000))))
      let client = try await client(fixture)
      var head = try query(fixture, "/d")
      (head.method, head.limit) = ("HEAD", 10)
      #expect(try await client.send(head).body.isEmpty)
      var small = try query(fixture, "/d")
      small.limit = 100
      await #expect(throws: Failure.self) { try await client.send(small) }
      var post = try query(fixture, "/d")
      (post.method, post.body) = ("POST", Array("{}".utf8))
      post.headers = [HeaderField("Content-Type", "application/json")]
      #expect(try await client.send(post).body.count == 5000)
      #expect(fixture.server.requests("/d").last?["Content-Type"] == "application/json")
      var bad = try query(fixture, "/d")
      bad.headers = [HeaderField("Authorization", "Bearer a\nb")]
      await #expect(throws: Failure.self) { try await client.send(bad) }
    }
  }
}

@Suite("P22: what is asked for is what was judged") struct SourceJudgingTests {
  /// Sources with a program that leaves a mark.
  private static func sources(marking path: String) throws -> NamedSources {
    let program = SourceProgram(scheme: "own", command: ["/bin/sh", "-c", "touch \(path)"])
    return try NamedSources(adding: [TinySource(base: "http://h"), ProgramSource(program)])
  }

  @Test(
    "a client runs no program, neither by a name nor through the lock that it sends",
    arguments: [("own:x", nil), ("tiny:doc", "own:x"), ("tiny:doc", "nothing:x")])
  func locks(_ text: String, _ exact: String?) async throws {
    let mark = NSTemporaryDirectory() + "dray-mark-\(UUID().uuidString)"
    let sources = try Self.sources(marking: mark)
    let manifest = try Manifest.parse("[[source]]\nname = '\(text)'")
    let lock = exact.map { SyncLock([], [SyncLock.Pin(name: text, exactName: $0, revision: nil)]) }
    let client = ScriptedSourceClient([:])
    // Not even the owner's own command may follow such a lock.
    for rule in exact == nil ? [SourceRule.client([])] : [.client([]), .user] {
      await #expect {
        var questions = NameQuestions(sources, for: rule) { _ in client }
        _ = try await SyncSet.resolve(manifest, lock, .usual, &questions)
      } throws: { ($0 as? Failure)?.kind == .usage }
    }
    #expect(!FileManager.default.fileExists(atPath: mark) && client.urls.isEmpty)
  }

  @Test("the rule judges links as well, and permits the hooks that were granted")
  func links() async throws {
    let mark = NSTemporaryDirectory() + "dray-mark-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: mark) }
    let sources = try Self.sources(marking: mark)
    let name = SourceName(scheme: "own", rest: "x")
    let link = ExpiredLink(
      name: name, reference: SourceReference(name: "own:x", path: "f"),
      url: try RequestURL.parse("http://h/f").url, status: 403)
    await #expect(throws: Failure.self) { try await sources.renew(link, ScriptedSourceClient([:]), for: .client([])) }
    #expect(!FileManager.default.fileExists(atPath: mark))
    #expect(sources.refusal(of: name, for: .client([.hooks])) != nil && sources.refusal(of: name, for: .user) == nil)
    #expect(sources.refusal(of: name, for: .client([.hooks]), .link) == nil)
  }

  @Test(
    "a lock names versions of the name only",
    arguments: [
      // name, name in the lock, whether it may be a version
      ("hf:org/model", "hf:org/model@c1", true), ("hf:org/model@main/a", "hf:org/model@c1/a", true),
      ("hf:org/model", "hf:evil/model@c1", false), ("hf:org/model/a", "hf:org/model@c1/b", false),
      ("gh:o/r", "gh:o/r@v1", true), ("gh:o/r", "gh:o/other@v1", false), ("gh:o/r", "oci:o/r", false),
      ("pypi:numpy", "pypi:numpy==2.1/*", true), ("pypi:numpy", "pypi:nunpy==2.1", false),
      ("pypi:numpy", "pypi:numpy==2.1#index=https://h/", false),
      ("oci:debian:12", "oci:docker.io/library/debian:12", true), ("oci:debian:12", "oci:h.example/debian:12", false),
      ("ollama:m:1b", "ollama:registry.ollama.ai/library/m:1b", true), ("ollama:m:1b", "ollama:n:1b", false),
      ("doi:10.5281/zenodo.1", "doi:10.5281/zenodo.2", true),
    ])
  func versions(_ text: String, _ exact: String, _ isFine: Bool) throws {
    let sources = NamedSources()
    let name = try #require(sources.name(in: text))
    let pin = SyncLock.Pin(name: text, exactName: exact, revision: nil)
    let found = try? SyncSet.exact(pin, of: name, sources)
    #expect((found != nil) == isFine)
  }
}

@Suite("P13: one call asks for so many names and files") struct NameQuestionsTests {
  private func questions(
    _ client: ScriptedSourceClient, names: Int = .max, files: Int = .max
  ) throws -> NameQuestions {
    let sources = try NamedSources(adding: [TinySource(base: "http://h")])
    return NameQuestions(sources, for: .client([]), mostNames: names, mostFiles: files) { _ in client }
  }

  @Test("a repeated name is asked for once, and a name too many is not asked for")
  func names() async throws {
    let client = ScriptedSourceClient(["http://h/a": .init(body: "c1\nf /f 1\n")])
    var questions = try questions(client, names: 1)
    let name = SourceName(scheme: "tiny", rest: "a")
    for _ in 0..<3 { #expect(try await questions.find(name).entries.count == 1) }
    await #expect {
      _ = try await questions.find(SourceName(scheme: "tiny", rest: "b"))
    } throws: { ($0 as? Failure)?.kind == .usage }
    #expect(client.urls == ["http://h/a"])
  }

  @Test("the files of all names of a manifest are counted together", arguments: [(3, false), (4, true), (5, true)])
  func files(_ most: Int, _ isFine: Bool) async throws {
    let manifest = try Manifest.parse(
      "[[source]]\nname = 'tiny:a'\n[[source]]\nname = 'tiny:a'\ndir = 'again'")
    let client = ScriptedSourceClient(["http://h/a": .init(body: "c1\nf /f 1\ng /g 1\n")])
    var questions = try questions(client, files: most)
    let found = try? await SyncSet.resolve(manifest, nil, .usual, &questions)
    #expect((found?.files.count == 4) == isFine && client.urls.count == 1)
  }
}

@Suite("Jobs of sources") struct SourceJobTests {
  private static let file = FaultServer.Version.sample

  private static func document(_ url: String, revision: String = "c1", size: Int64 = file.content.size) -> [UInt8] {
    Array("\(revision)\nd/f.bin \(url) \(size)\n".utf8)
  }

  /// Adds the file of the name as `dray get` does.
  private func admit(_ fixture: KitFixture, _ sources: NamedSources) async throws -> [Admission] {
    let name = SourceName(scheme: "tiny", rest: "doc")
    var plain = TransferRequest(url: try RequestURL.parse(fixture.server.url("/")).url)
    plain.proxy = ""
    let client = try await DownloadManager.sourceClient(plain, places: .none)
    let answer = try await sources.find(name, client, for: .user)
    let jobs = try answer.entries.map { entry in
      var job = try #require(entry.file.job(in: fixture.directory))
      job.request.proxy = ""
      job.options.retryWait = 0.01
      job.options.source = answer.reference(to: entry, of: name)
      return job
    }
    return try await fixture.manager.admit(jobs)
  }

  /// Whether the requests with the new link compare samples of the 200,000 kept bytes (P16), and the last request
  /// continues near their end.
  private func continues(_ ranges: [String?]) -> Bool {
    let lowers = ranges.map { range in
      range.flatMap { Int64($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
    }
    return lowers.compactMap { $0 }.contains(0) && (lowers.last ?? nil).map { $0 > 150_000 } ?? false
  }

  @Test("a link that expires in the middle is asked for again, and the bytes stay")
  func expired() async throws {
    try await KitFixture.use { fixture in
      let sources = try NamedSources(adding: [TinySource(base: fixture.server.url(""))])
      fixture.server["/one"] = .init(Self.file, script: [.cut(after: 200_000), .status(403)])
      fixture.server["/two"] = .init(Self.file)
      fixture.server["/doc"] = .init(
        .init(.fixed(Self.document("/one"))), script: [.normal, .init { $0.body = Self.document("/two") }])
      guard case .job(let added)? = try await admit(fixture, sources).first else {
        Issue.record("no job")
        return
      }
      let run = try await Run(fixture.manager) { $0.renewLinks(from: sources) }
      #expect(try await run.summary().complete == 1)
      #expect(fixture.difference("d/f.bin", Self.file) == nil)
      #expect(run.story(added.id).contains("link renewed"))
      #expect(fixture.server.requests("/doc").count == 2)
      #expect(continues(fixture.ranges("/two")), "\(fixture.ranges("/two"))")
      #expect(try await fixture.store.attempts(of: added.id).map(\.outcome).contains("link renewed"))
      let job = try await fixture.job(added.id)
      #expect(job.specification.options.source?.revision == "c1" && job.specification.request.url.path == "/two")
    }
  }

  @Test(
    "a link that stays refused is asked for once; another version fails with advice",
    arguments: [("/one", "c1", "403"), ("/two", "c2", "revision c2"), ("/three", "c1", "new link")])
  func refused(_ link: String, _ revision: String, _ reason: String) async throws {
    try await KitFixture.use { fixture in
      let sources = try NamedSources(adding: [TinySource(base: fixture.server.url(""))])
      fixture.server["/one"] = .init(Self.file, script: [.cut(after: 200_000), .status(403)])
      let second: FaultServer.Answer =
        link == "/three" ? .status(401) : .init { $0.body = Self.document(link, revision: revision) }
      fixture.server["/doc"] = .init(.init(.fixed(Self.document("/one"))), script: [.normal, second])
      guard case .job(let added)? = try await admit(fixture, sources).first else { return }
      let run = try await Run(fixture.manager) { $0.renewLinks(from: sources) }
      #expect(try await run.summary().interrupted == 1)
      let job = try await fixture.job(added.id)
      #expect(job.failure?.reason.contains(reason) ?? false, "\(String(describing: job.failure))")
      #expect(job.state == .interrupted && job.checkpoint.segments.count == 200_000)
      #expect(fixture.server.requests("/doc").count == 2)
    }
  }

  @Test("an unfinished file starts over when its source has another revision (P2)", arguments: [true, false])
  func otherRevision(_ hasOtherLink: Bool) async throws {
    try await KitFixture.use { fixture in
      let sources = try NamedSources(adding: [TinySource(base: fixture.server.url(""))])
      fixture.server["/one"] = .init(Self.file, script: [.cut(after: 200_000), .status(403)])
      fixture.server["/doc"] = .init(.init(.fixed(Self.document("/one"))))
      guard case .job(let first)? = try await admit(fixture, sources).first else { return }
      #expect(try await fixture.run().interrupted == 1)
      let next = FaultServer.Version.named("v2", size: 310_000)
      let link = hasOtherLink ? "/new" : "/one"
      fixture.server[link] = .init(next)
      fixture.server["/doc"] = .init(.init(.fixed(Self.document(link, revision: "c2", size: next.content.size))))
      guard case .job(let second)? = try await admit(fixture, sources).first else { return }
      #expect(second.id == first.id && second.existing)
      let job = try await fixture.job(first.id)
      #expect(job.state == .queued && job.checkpoint == Checkpoint())
      #expect(job.specification.options.expectedSize == next.content.size)
      #expect(job.specification.options.source?.revision == "c2")
      #expect(try await fixture.run().complete == 1)
      #expect(fixture.difference("d/f.bin", next) == nil)
    }
  }

  @Test("a call that is refused moves no link (P3)")
  func refusedCall() async throws {
    try await KitFixture.use { fixture in
      let sources = try NamedSources(adding: [TinySource(base: fixture.server.url(""))])
      fixture.server["/one"] = .init(Self.file, script: [.cut(after: 200_000), .status(403)])
      fixture.server["/doc"] = .init(.init(.fixed(Self.document("/one"))))
      guard case .job(let added)? = try await admit(fixture, sources).first else { return }
      #expect(try await fixture.run().interrupted == 1)
      let before = try await fixture.job(added.id)
      var moved = before.specification
      moved.request.url = try RequestURL.parse(fixture.server.url("/two")).url
      var bad = JobSpecification(request: moved.request, directory: fixture.directory, output: "bad.bin")
      bad.request.url = try RequestURL.parse(fixture.server.url("/bad")).url
      bad.after = [added.id + 1000]
      await #expect(throws: Failure.self) { try await fixture.manager.admit([moved, bad]) }
      #expect(try await fixture.job(added.id) == before)
    }
  }

  @Test("again: what is there stays, an unfinished file gets the new link, a new version replaces the old one")
  func again() async throws {
    try await KitFixture.use { fixture in
      let sources = try NamedSources(adding: [TinySource(base: fixture.server.url(""))])
      fixture.server["/one"] = .init(Self.file, script: [.cut(after: 200_000), .status(403)])
      fixture.server["/two"] = .init(Self.file)
      let next = FaultServer.Version.named("v2", size: 310_000)
      fixture.server["/new"] = .init(next)
      fixture.server["/doc"] = .init(.init(.fixed(Self.document("/one"))))
      guard case .job(let first)? = try await admit(fixture, sources).first else { return }
      // A run that asks no sources leaves the job interrupted.
      #expect(try await fixture.run().interrupted == 1)
      fixture.server["/doc"] = .init(.init(.fixed(Self.document("/two?sig=2"))))
      guard case .job(let second)? = try await admit(fixture, sources).first else { return }
      #expect(second.id == first.id && second.existing)
      #expect(try await fixture.run().complete == 1)
      #expect(fixture.difference("d/f.bin", Self.file) == nil)
      #expect(continues(fixture.ranges("/two")), "\(fixture.ranges("/two"))")
      // The same revision with another link is up to date without a request.
      fixture.server["/doc"] = .init(.init(.fixed(Self.document("/two?sig=3"))))
      guard case .alreadyComplete(first.id, _, _)? = try await admit(fixture, sources).first else {
        Issue.record("not up to date")
        return
      }
      fixture.server["/doc"] = .init(
        .init(.fixed(Self.document("/new", revision: "c2", size: next.content.size))))
      guard case .job(let third)? = try await admit(fixture, sources).first else { return }
      #expect(third.id != first.id)
      #expect(try await fixture.run().complete == 1)
      #expect(fixture.difference("d/f.bin", next) == nil)
    }
  }
}
