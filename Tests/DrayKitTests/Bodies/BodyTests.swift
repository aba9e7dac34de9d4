// Bodies from the library's side: spooled, sent, kept as long as their job needs them, never resent automatically.

import DrayCore
import DrayEngine
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct BodyTests {
  private let answer = FaultServer.Version(.fixed("thanks".utf8))

  func text(_ body: SpooledBody) -> String {
    String(decoding: FileManager.default.contents(atPath: body.body.path) ?? Data(), as: UTF8.self)
  }

  func bodies(_ fixture: KitFixture) throws -> [String] {
    guard FileManager.default.fileExists(atPath: fixture.home.bodiesPath) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: fixture.home.bodiesPath)
  }

  @Test func sourcesAreSpooled() async throws {
    try await KitFixture.use { fixture in
      let form = try await fixture.manager.spool(.form([FormField("a b", "1&2"), FormField("c", "x\ny")]))
      #expect(text(form) == "a+b=1%262&c=x%0D%0Ay")
      #expect(form.body.contentType == "application/x-www-form-urlencoded")
      #expect(form.body.length == 20)
      let json = try await fixture.manager.spool(.json(Data(#"{"a":[1]}"#.utf8)))
      #expect(text(json) == #"{"a":[1]}"# && json.body.contentType == "application/json")
      let (stream, source) = AsyncThrowingStream.makeStream(of: [UInt8].self)
      Task {
        for block in ["one ", "two ", "three"] { source.yield(Array(block.utf8)) }
        source.finish()
      }
      let streamed = try await fixture.manager.spool(.content(.stream(stream), contentType: "a/b"))
      #expect(text(streamed) == "one two three" && streamed.body.length == 13)
      try fixture.write(Array("a\r\nb\n\0c".utf8), to: "lines")
      let filtered = try await fixture.manager.spool(
        .pieces(
          [
            BodyPiece(.file(fixture.path("lines")), .withoutLineEnds), BodyPiece(.text("&")),
            BodyPiece(.file(fixture.path("lines")), .formEncoded),
          ], contentType: nil))
      #expect(text(filtered) == "abc&a%0D%0Ab%0A%00c")
      let mode = try FileManager.default.attributesOfItem(atPath: form.body.path)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o600)
    }
  }

  @Test func whatCannotBeSpooledLeavesNothing() async throws {
    try await KitFixture.use { fixture in
      struct Broken: Error {}
      let failing = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Broken()) }
      for source in [
        RequestBodySource.json(Data("{".utf8)), .propertyList(Data("hello".utf8)),
        .content(.file(fixture.path("gone")), contentType: nil), .content(.stream(failing), contentType: nil),
      ] {
        await #expect(throws: Failure.self) { _ = try await fixture.manager.spool(source) }
      }
      let left = try bodies(fixture)
      #expect(left == [])
    }
  }

  @Test(
    arguments: [
      ("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key><string>b</string></dict></plist>", true),
      ("{ a = b; }", true), ("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key></plist>", false),
      ("<html></html>", false), ("{ a = b; ", false), ("", false),
    ])
  func propertyListsAreChecked(given: String, isOne: Bool) async throws {
    try await KitFixture.use { fixture in
      guard isOne else {
        await #expect(throws: Failure.self) {
          _ = try await fixture.manager.spool(.propertyList(Data(given.utf8)))
        }
        let left = try bodies(fixture)
        #expect(left == [])
        return
      }
      let spooled = try await fixture.manager.spool(.propertyList(Data(given.utf8)))
      #expect(spooled.body.contentType == "application/x-plist" && text(spooled) == given)
    }
  }

  @Test func aProgramUploadsAForm() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(answer)
      try fixture.write([UInt8](repeating: 7, count: 100_000), to: "part.bin")
      var request = TransferRequest(url: try RequestURL.parse(fixture.server.url("/f")).url)
      request.method = "POST"
      request.proxy = ""
      let body = try await fixture.manager.spool(.multipart([.field("n", "v"), .file("f", fixture.path("part.bin"))]))
      let download = try await fixture.manager.download(request, body: body, to: fixture.directory, as: "answer")
      var last: DownloadProgress?
      for await progress in download.progress { last = progress }
      let file = try await download.value()
      #expect(file.hasFile && file.path == fixture.path("answer"))
      #expect(fixture.bytes("answer") == Array("thanks".utf8))
      #expect(last?.toSend == body.body.length && last?.sent == body.body.length)
      let seen = try #require(fixture.server.requests("/f").first)
      #expect(seen.method == "POST" && Int64(seen.body.count) == body.body.length)
      #expect(seen["Content-Type"] == body.body.contentType)
      // The same request again is a new job.
      _ = try await fixture.manager.download(request, body: body, to: fixture.directory, as: "other").value()
      #expect(fixture.server.requests("/f").count == 2)
    }
  }

  @Test func anAnswerWithoutABodyIsComplete() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(answer, script: [.status(204)])
      var specification = try fixture.specification("/f", output: "named")
      specification.request.method = "DELETE"
      let id = try #require(try await fixture.manager.add([specification]).first).id
      let run = try await Run(fixture.manager)
      #expect(try await run.summary().complete == 1)
      #expect(run.story(id).last == "complete")
      let job = try await fixture.job(id)
      #expect(job.state == .complete && job.target == nil && job.published == nil)
      #expect(job.note?.contains("204 No Content") == true)
      #expect(job.response?.head.status == 204)
      #expect(try fixture.names == [])
    }
  }

  /// Queues a POST to `/f`.
  func post(_ fixture: KitFixture, output: String? = "answer") async throws -> JobID {
    let body = try await fixture.manager.spool(.content(.text("hello"), contentType: nil))
    var specification = try fixture.specification("/f", output: output)
    specification.request.method = "POST"
    specification.request.body = body.body
    return try #require(try await fixture.manager.add([specification]).first).id
  }

  @Test func aBodyLivesAsLongAsItsJobNeedsIt() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(answer, script: [.status(500), .normal])
      let id = try await post(fixture)
      #expect(try bodies(fixture).count == 1, "the job's own, and not that of the spool")
      #expect(try await fixture.clean() == [])
      #expect(try await fixture.run().failed == 1)
      #expect(try bodies(fixture).count == 1, "it may be retried")
      _ = try await fixture.manager.retry([id])
      #expect(try await fixture.run().complete == 1)
      #expect(fixture.server.requests("/f").map { String(decoding: $0.body, as: UTF8.self) } == ["hello", "hello"])
      #expect(try bodies(fixture) == [])
      let other = try await post(fixture, output: "other")
      _ = try await fixture.manager.remove([other])
      #expect(try bodies(fixture) == [])
    }
  }

  @Test("P21 clean removes the journals of jobs that are not unfinished")
  func journals() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .named("v1", size: 1))
      let job = try #require(try await fixture.store.job(id))
      let (kept, stray) = (
        fixture.home.journal(of: job).path, PathText.join(fixture.home.journalsPath, "\(UUID()).journal")
      )
      try FileManager.default.createDirectory(atPath: fixture.home.journalsPath, withIntermediateDirectories: true)
      for path in [kept, stray] { try Data([1]).write(to: URL(fileURLWithPath: path)) }
      #expect(try await fixture.clean() == [stray])
      _ = try await fixture.manager.remove([id])
      #expect(!FileManager.default.fileExists(atPath: kept), "the job's journal goes with it")
    }
  }

  @Test func cleanFindsBodiesWithoutAJob() async throws {
    try await KitFixture.use { fixture in
      try fixture.home.createBodies()
      let stray = fixture.home.bodiesPath + "/\(UUID().uuidString).body"
      try Data("x".utf8).write(to: URL(fileURLWithPath: stray))
      let foreign = fixture.home.bodiesPath + "/notes.txt"
      try Data("x".utf8).write(to: URL(fileURLWithPath: foreign))
      let spooled = try await fixture.manager.spool(.content(.text("y"), contentType: nil))
      #expect(try await fixture.clean() == [stray])
      #expect(FileManager.default.fileExists(atPath: spooled.body.path), "somebody is about to add a job for it")
      #expect(FileManager.default.fileExists(atPath: foreign))
    }
  }

  @Test func twoOfTheSameAreTwoJobs() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(answer)
      let body = try await fixture.manager.spool(.content(.text("hello"), contentType: nil))
      var specification = try fixture.specification("/f") { $0.onConflict = .rename }
      specification.request.method = "POST"
      specification.request.body = body.body
      let admissions = try await fixture.manager.admit([specification, specification])
      let ids = admissions.compactMap { if case .job(let added) = $0, !added.existing { added.id } else { nil } }
      #expect(Set(ids).count == 2)
      #expect(try await fixture.run().complete == 2)
      guard case .job(let again) = try #require(try await fixture.manager.admit([specification]).first) else {
        Issue.record("it was taken for the complete one")
        return
      }
      #expect(!again.existing)
      // Nor does a GET of the same URL count as one of these jobs.
      #expect(try await fixture.manager.add([try fixture.specification("/f")]).first?.existing == false)
    }
  }

  @Test func whatWasCutOffIsAskedAboutAndNeverRepeated() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(answer, script: [.cut(after: 2, .reset), .normal])
      let id = try await post(fixture)
      #expect(try await fixture.run().interrupted == 1)
      let job = try await fixture.job(id)
      #expect(job.state == .interrupted)
      #expect(job.failure?.message(.plain).contains("may have taken effect") == true)
      #expect(try fixture.names == [], "nothing of it can be continued")
      #expect(try await fixture.run() == RunSummary())
      #expect(fixture.server.requests("/f").count == 1)
      _ = try await fixture.manager.resume([id])
      #expect(try await fixture.run().complete == 1)
      #expect(fixture.server.requests("/f").count == 2)
    }
  }

  @Test func whatWasNotSentIsTriedAgain() async throws {
    try await KitFixture.use { fixture in
      let port = try RefusingPort()
      let body = try await fixture.manager.spool(.content(.text("hello"), contentType: nil))
      var specification = try fixture.specification("/f") { $0.retries = 2 }
      specification.request.url = try RequestURL.parse(port.url("/f")).url
      specification.request.method = "POST"
      specification.request.body = body.body
      let id = try #require(try await fixture.manager.add([specification]).first).id
      let run = try await Run(fixture.manager)
      _ = try await run.summary()
      #expect(run.story(id).filter { $0 == "retrying" }.count == 2)
    }
  }

  @Test func aRunnerThatDiedLeavesItAsked() async throws {
    try await KitFixture.use { fixture in
      let id = try await post(fixture)
      let dead = UUID()
      let scope = ClaimScope.all
      _ = try await fixture.store.claim(runner: dead, limit: 1, scope: scope, now: 1)
      #expect(try await fixture.store.beginSubmission(id, runner: dead, now: 1))
      fixture.server["/f"] = .init(answer)
      #expect(try await fixture.run() == RunSummary(), "it is not sent again")
      let job = try await fixture.job(id)
      #expect(job.state == .interrupted)
      #expect(job.failure?.advice?.description.contains("resuming job \(id)") == true)
      #expect(fixture.server.requests("/f").isEmpty)
      _ = try await fixture.manager.resume([id])
      #expect(try await fixture.run().complete == 1)
    }
  }

  @Test func aRunnerThatDiedBeforeItWasSentLosesNothing() async throws {
    try await KitFixture.use { fixture in
      let id = try await post(fixture)
      _ = try await fixture.store.claim(runner: UUID(), limit: 1, scope: .all, now: 1)
      fixture.server["/f"] = .init(answer)
      #expect(try await fixture.run().complete == 1)
      #expect(try await fixture.job(id).state == .complete)
    }
  }
}
