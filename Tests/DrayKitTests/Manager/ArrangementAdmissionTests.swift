// Admission of files that images or snapshots share and that exist already. All ways to add a job use admission.

import DrayCore
import DrayDocuments
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct ArrangementAdmissionTests {
  private let version = FaultServer.Version.named("v1", size: 50_000)

  private var hex: String { KitFixture.sha256(version.content.bytes(in: 0..<50_000)) }

  /// A request for `blobs/HEX` of a name, with a link for it.
  private func request(_ fixture: KitFixture, _ name: String, link: String? = nil) throws -> JobSpecification {
    fixture.server["/\(name)"] = .init(version)
    let digest = try DigestValue.parse("sha-256=\(hex)")
    let links = LinkArrangement(paths: ["repo/snapshots/\(link ?? name)/f"], depth: 2)
    var job = try fixture.specification("/\(name)") { options in
      options.source = SourceReference(name: "x:\(name)", path: "f", arrangements: [.links(links)])
      (options.digest, options.expectedSize, options.onConflict) = (digest, 50_000, .fail)
    }
    OfferedFile(urls: [job.request.url], name: "repo/blobs/\(hex)", size: 50_000, digest: digest).apply(to: &job)
    return job
  }

  private func isLinked(_ fixture: KitFixture, _ name: String) -> Bool {
    fixture.difference("repo/snapshots/\(name)/f", version) == nil
  }

  private func blob(_ fixture: KitFixture) throws {
    try FileManager.default.createDirectory(
      atPath: fixture.path("repo/blobs"), withIntermediateDirectories: true)
  }

  @Test("two names that share a file are one job with both links: in one call, or in two", arguments: [true, false])
  func shared(inOneCall: Bool) async throws {
    try await KitFixture.use { fixture in
      let both = [try request(fixture, "one"), try request(fixture, "two")]
      var admitted: [Admission] = []
      if inOneCall {
        admitted = try await fixture.manager.admit(both)
      } else {
        for one in both { admitted += try await fixture.manager.admit([one]) }
      }
      guard case .job(let first) = admitted[0], case .job(let second) = admitted[1] else {
        Issue.record("\(admitted)")
        return
      }
      #expect(first.id == second.id && !first.existing && second.existing)
      let job = try await fixture.job(first.id)
      #expect(job.specification.arrangements.count == 2 && job.specification.options.source?.name == "x:one")
      try await fixture.run()
      #expect(isLinked(fixture, "one") && isLinked(fixture, "two"))
      #expect(fixture.server.requests("/two").isEmpty)
    }
  }

  @Test("P3: two processes that want a file at the same instant have one job with both links")
  func atOnce() async throws {
    try await KitFixture.use { fixture in
      let other = try fixture.anotherManager()
      for round in 0..<30 {
        let (one, two) = (try request(fixture, "one-\(round)"), try request(fixture, "two-\(round)"))
        async let first = fixture.manager.admit([one])
        async let second = other.admit([two])
        guard case .job(let job)? = try await first.first, case .job(let same)? = try await second.first else { return }
        #expect(job.id == same.id && job.existing != same.existing)
        #expect(try await fixture.job(job.id).specification.arrangements.count == 2)
        _ = try await fixture.manager.remove([job.id])
      }
    }
  }

  @Test("a request that comes while the file is transferred is not lost")
  func active() async throws {
    try await KitFixture.use { fixture in
      let first = try request(fixture, "one")
      let gate = FaultServer.Gate()
      fixture.server["/one"] = .init(version, script: [.held(by: gate, after: 20_000)])
      guard case .job(let job)? = try await fixture.manager.admit([first]).first else { return }
      let run = try await Run(fixture.manager)
      try #require(await gate.waitForArrivals())
      let other = try fixture.anotherManager()
      let admitted = try await other.admit([try request(fixture, "two")])
      #expect(admitted == [.job(AddedJob(id: job.id, uuid: job.uuid, existing: true))])
      gate.open()
      _ = try await run.summary()
      #expect(try await fixture.job(job.id).state == .complete)
      #expect(isLinked(fixture, "one") && isLinked(fixture, "two"))
    }
  }

  @Test("P3: a removed group leaves the file that another name waits for, and its bytes")
  func removed() async throws {
    try await KitFixture.use { fixture in
      let (one, two) = (try request(fixture, "one"), try request(fixture, "two"))
      guard case .job(let job)? = try await fixture.manager.admit([one]).first else { return }
      _ = try await fixture.manager.admit([two])
      #expect(try await fixture.manager.remove([job.id], sparing: true).isEmpty)
      try await fixture.run()
      #expect(!isLinked(fixture, "one") && isLinked(fixture, "two"))
    }
  }

  @Test("a job that is removed while a request joins it is told, and the request gets another")
  func gone() async throws {
    try await KitFixture.use { fixture in
      guard case .job(let added)? = try await fixture.manager.admit([try request(fixture, "one")]).first else { return }
      var round = ArrangementRound()
      try round.ask(try request(fixture, "two"), of: try await fixture.job(added.id), mayReplace: true)
      #expect(try await fixture.manager.carryOut(round).isEmpty)
      _ = try await fixture.manager.remove([added.id])
      #expect(try await fixture.manager.carryOut(round) == [added.id])
    }
  }

  @Test("P7: what a server refuses comes from the other server that was asked for it, without the first one's secrets")
  func servers() async throws {
    try await KitFixture.use { fixture in
      let other = try FaultServer()
      defer { other.stop() }
      var (one, two) = (try request(fixture, "one"), try request(fixture, "two"))
      one.request.headers = [HeaderField("X-Secret", "s")]
      two.request.url = try RequestURL.parse(other.url("/two")).url
      fixture.server["/one"] = .init(version, script: [.status(403), .status(403)])
      other["/two"] = .init(version)
      guard case .job(let job)? = try await fixture.manager.admit([one]).first else { return }
      _ = try await fixture.manager.admit([two])
      try await fixture.run()
      #expect(try await fixture.job(job.id).state == .complete)
      #expect(isLinked(fixture, "one") && isLinked(fixture, "two"))
      #expect(!other.requests("/two").isEmpty && other.requests("/two").allSatisfy { $0["X-Secret"] == nil })
      #expect(fixture.server.requests("/one").allSatisfy { $0["X-Secret"] == "s" })
    }
  }

  @Test("a link that is missing is made again, for each name, and nothing is fetched")
  func complete() async throws {
    try await KitFixture.use { fixture in
      guard case .job(let job)? = try await fixture.manager.admit([try request(fixture, "one")]).first else { return }
      try await fixture.run()
      try FileManager.default.removeItem(atPath: fixture.path("repo/snapshots"))
      let path = fixture.path("repo/blobs/\(hex)")
      let again = try await fixture.manager.admit([try request(fixture, "one"), try request(fixture, "two")])
      #expect(again == [.alreadyComplete(job.id, path: path), .alreadyComplete(job.id, path: path)])
      #expect(isLinked(fixture, "one") && isLinked(fixture, "two"))
      #expect(fixture.server.requests("/one").count == 1 && fixture.server.requests("/two").isEmpty)
    }
  }

  @Test(
    "a file that no job knows counts if its digest is right; otherwise it is fetched again", arguments: [true, false])
  func foreign(isRight: Bool) async throws {
    try await KitFixture.use { fixture in
      try blob(fixture)
      var bytes = version.content.bytes(in: 0..<50_000)
      if !isRight { bytes[40_000] ^= 1 }
      try fixture.write(bytes, to: "repo/blobs/\(hex)")
      let admitted = try await fixture.manager.admit([try request(fixture, "one")])
      if isRight {
        #expect(admitted == [.present(path: fixture.path("repo/blobs/\(hex)"))])
        #expect(isLinked(fixture, "one"))
      } else {
        guard case .job(let job)? = admitted.first else { return }
        #expect(job.replacesDamaged)
        try await fixture.run()
        #expect(try await fixture.job(job.id).state == .complete)
        #expect(isLinked(fixture, "one") && fixture.difference("repo/blobs/\(hex)", version) == nil)
      }
    }
  }

  @Test(
    "a file that is there is left to admission, which makes what leads to it for each name", arguments: [true, false])
  func presentTarget(isKnown: Bool) async throws {
    try await KitFixture.use { fixture in
      _ = try await fixture.manager.admit([try request(fixture, "one")])
      try await fixture.run()
      if !isKnown { _ = try await fixture.store.forgetFinished(before: nil) }
      let two = try request(fixture, "two")
      #expect(try await fixture.manager.presentTarget(of: two) == nil)
      _ = try await fixture.manager.admit([two])
      #expect(isLinked(fixture, "two") && fixture.server.requests("/two").isEmpty)
    }
  }

  @Test("P17: a client does not replace a damaged file that dray did not put there for a client")
  func client() async throws {
    try await KitFixture.use { fixture in
      try blob(fixture)
      try fixture.write([UInt8](repeating: 1, count: 50_000), to: "repo/blobs/\(hex)")
      var entrance = Entrance()
      entrance.isForClient = true
      await #expect(throws: Failure.self) {
        _ = try await fixture.manager.admit([try request(fixture, "one")], entering: entrance)
      }
      #expect(fixture.bytes("repo/blobs/\(hex)") == [UInt8](repeating: 1, count: 50_000))
    }
  }

  @Test("P22: a client adds to what is done with the user's file, and leaves its request alone")
  func clientAdds() async throws {
    try await KitFixture.use { fixture in
      let own = try request(fixture, "one")
      guard case .job(let job)? = try await fixture.manager.admit([own]).first else { return }
      var entrance = Entrance()
      entrance.isForClient = true
      var theirs = try request(fixture, "two")
      theirs.request.isOfClient = true
      let admitted = try await fixture.manager.admit([theirs], entering: entrance)
      #expect(admitted == [.job(AddedJob(id: job.id, uuid: job.uuid, existing: true))])
      let found = try await fixture.job(job.id).specification
      #expect(found.request.url == own.request.url && found.request.isOfClient != true)
      #expect(found.arrangements.count == 2)
    }
  }
}
