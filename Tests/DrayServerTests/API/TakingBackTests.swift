// Undone removals: everything that the answer names comes back.

import DrayCore
import DrayKit
import DrayStore
import FaultServer
import Foundation
import Testing

@testable import DrayServer

@Suite struct TakingBackTests {
  private static let paused = #","paused":true"#

  private func results(_ answer: (status: Int, body: [String: Any])) throws -> [[String: Any]] {
    try #require(answer.body["results"] as? [[String: Any]])
  }

  private func remove(_ ids: [JobID], in fixture: APIFixture) async throws -> [String] {
    let list = ids.map { "\($0)" }.joined(separator: ",")
    let answer = try await fixture.ask("POST", "/jobs/actions", #"{"action":"remove","ids":[\#(list)]}"#)
    return try results(answer).compactMap { $0["undo"] as? String }
  }

  private func undo(_ tokens: [String], in fixture: APIFixture) async throws -> [[String: Any]] {
    let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
    return try results(try await fixture.ask("POST", "/jobs/actions", #"{"action":"undo","undo":[\#(list)]}"#))
  }

  @Test func aFileThatWasFetchedTwiceIsTwoJobs() async throws {
    try await APIFixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 1000))
      try await fixture.running {
        let first = try await fixture.add("/f")
        try #require(try await fixture.has(first[0], "complete"))
        try FileManager.default.removeItem(atPath: fixture.directory + "/f")
        let again = Entrance(fetchesAgain: true)
        let specification = try #require(try await fixture.manager.jobs.job(first[0])).specification
        let second = try await fixture.manager.admit([specification], entering: again)
        guard case .job(let job)? = second.first else {
          Issue.record("\(second)")
          return
        }
        try #require(job.id != first[0])
        try #require(try await fixture.has(job.id, "complete"))
        let tokens = try await remove([first[0], job.id], in: fixture)
        try #require(tokens.count == 2)
        let back = try await undo(tokens, in: fixture)
        #expect(back.allSatisfy { $0["result"] as? String == "done" })
        #expect(Set(back.compactMap { $0["id"] as? Int }).count == 2)
        for id in back.compactMap({ $0["id"] as? Int }) {
          #expect(try await fixture.field("state", of: JobID(id)) as? String == "complete")
        }
      }
    }
  }

  @Test func moreThanAFewThousand() async throws {
    try await APIFixture.use { fixture in
      let jobs = (0..<3000).map { #"{"url":"http://h/\#($0)","paused":true}"# }.joined(separator: ",")
      try #require(try await fixture.ask("POST", "/jobs", "{\"jobs\":[\(jobs)]}").status == 201)
      let answer = try await fixture.ask("POST", "/jobs/actions", #"{"action":"remove","all":true}"#)
      let tokens = try results(answer).compactMap { $0["undo"] as? String }
      #expect(tokens.count == 3000)
      let back = try await undo(tokens, in: fixture)
      #expect(back.count { $0["result"] as? String == "done" } == 3000)
      #expect(try await fixture.manager.jobs.ids(states: [.paused]).count == 3000)
    }
  }

  @Test func whatWaitsForOthersDoesSoAgain() async throws {
    try await APIFixture.use { fixture in
      let first = try await fixture.add("/a", settings: Self.paused)
      var specification = try #require(try await fixture.manager.jobs.job(first[0])).specification
      specification.request = TransferRequest(url: try RequestURL.parse(fixture.server.url("/b")).url)
      specification.after = first
      let second = try await fixture.manager.add([specification])[0].id
      let tokens = try await remove([second, first[0]], in: fixture)
      let back = try await undo(tokens, in: fixture).compactMap { $0["id"] as? Int }
      try #require(back.count == 2)
      let waiting = try #require(try await fixture.manager.jobs.summaries(ids: [JobID(back[0])]).first)
      #expect(waiting.waitsFor == [JobID(back[1])])
    }
  }

  @Test func oneThatIsFetchedByAnotherJobNowIsSaidToBe() async throws {
    try await APIFixture.use { fixture in
      let first = try await fixture.add("/a", settings: Self.paused)
      let tokens = try await remove(first, in: fixture)
      let second = try await fixture.add("/a", settings: Self.paused)
      let back = try await undo(tokens, in: fixture)
      #expect(back.first?["result"] as? String == "refused" && back.first?["id"] as? Int == Int(second[0]))
    }
  }

  @Test func whatSendsDataDoesNotComeBack() async throws {
    try await APIFixture.use { fixture in
      let path = fixture.directory + "/body"
      try Data("text".utf8).write(to: Foundation.URL(fileURLWithPath: path))
      var request = TransferRequest(url: try RequestURL.parse(fixture.server.url("/a")).url)
      request.method = "POST"
      request.body = RequestBody(path: path, length: 4, contentType: nil)
      let id = try await fixture.manager.add([JobSpecification(request: request, directory: fixture.directory)])[0].id
      let removed = try #require(try results(try await fixture.ask("POST", "/jobs/\(id)/remove")).first)
      #expect(removed["result"] as? String == "done" && removed["undo"] as? String == nil)
      let why = try #require(removed["message"] as? String)
      #expect(why.contains("cannot be added again"))
      // Each repetition gets the same refusal.
      for _ in 0..<2 {
        let back = try #require(try results(try await fixture.ask("POST", "/jobs/\(id)/undo")).first)
        #expect(back["result"] as? String == "refused" && back["message"] as? String == why)
      }
      let left = try await fixture.manager.jobs.ids(states: Set(JobState.allCases))
      #expect(left.isEmpty)
    }
  }

  @Test func documentsHaveNoMoreJobsThanCalls() async throws {
    try await APIFixture.use { fixture in
      let count = AddOrder.mostJobs + 1
      let list = (0..<count).map { "http://h/\($0)" }.joined(separator: "\\n")
      let files = (0..<count).map { "<file name='\($0)'><url>http://h/f</url></file>" }.joined()
      let metalink = "<metalink xmlns='urn:ietf:params:xml:ns:metalink'>\(files)</metalink>"
      for body in [#"{"list":"\#(list)"}"#, #"{"metalink":"\#(metalink)"}"#] {
        let answer = try await fixture.ask("POST", "/jobs", body)
        #expect(answer.status == 400, "\(answer)")
      }
      #expect(try await fixture.manager.jobs.ids(states: Set(JobState.allCases)).isEmpty)
    }
  }

  @Test func aKeyIsOfItsStore() {
    let uuids = ["/a", "/b"].map { RepeatedCalls.uuid("nightly", 0, in: $0) }
    #expect(uuids[0] != uuids[1] && uuids[0] == RepeatedCalls.uuid("nightly", 0, in: "/a"))
  }
}
