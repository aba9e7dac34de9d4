// How long the feed reads jobs for listeners.

import DrayCore
import Foundation
import Testing

@testable import DrayServer

@Suite("the feed of job events")
struct JobFeedTests {
  private func wait(for what: Comment, _ condition: () async -> Bool) async throws {
    let deadline = ContinuousClock.now.advanced(by: .seconds(60))
    while await !condition() {
      try #require(ContinuousClock.now < deadline, what)
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  private func add(_ path: String, _ fixture: APIFixture) async throws -> JobID {
    try #require(try await fixture.add(path, settings: #","paused":true"#).first)
  }

  @Test("reading lasts while anyone listens, however impatient; a client that returns starts over")
  func stops() async throws {
    try await APIFixture.use { fixture in
      let feed = JobFeed(fixture.manager, patience: .zero)
      let (number, _) = await feed.listen()
      let first = try await feed.cursor()
      let a = try await add("/a", fixture)
      try await wait(for: "a") { await feed.news(since: first).changes?.jobs.contains(a) == true }
      #expect(try await feed.cursor().era == first.era)
      #expect(await feed.pictures.keys.sorted() == [a])
      await feed.leave(number)
      let b = try await add("/b", fixture)
      try await wait(for: "the end") { await feed.news(since: first).changes == nil }
      #expect(await feed.pictures.isEmpty)
      // Without listeners no events are kept.
      let again = await feed.listen().number
      let second = try await feed.cursor()
      #expect(second.era != first.era)
      #expect(await feed.pictures.keys.sorted() == [a, b])
      let c = try await add("/c", fixture)
      try await wait(for: "c") { await feed.news(since: second).changes?.jobs.contains(c) == true }
      await feed.leave(again)
    }
  }

  @Test("reading outlasts the last client for a while: a reloaded page continues")
  func stays() async throws {
    try await APIFixture.use { fixture in
      let feed = JobFeed(fixture.manager)
      let first = try await feed.cursor()
      await feed.leave(await feed.listen().number)
      for path in ["/a", "/b"] {
        let id = try await add(path, fixture)
        try await wait(for: "a job") { await feed.news(since: first).changes?.jobs.contains(id) == true }
      }
      #expect(try await feed.cursor().era == first.era)
    }
  }
}
