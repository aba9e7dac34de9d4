// Jobs with bytes that aria2's clients remove, and may add again.

import DrayCore
import DrayKit
import DrayStore
import FaultServer
import Foundation
import Testing

@testable import DrayServer

@Suite struct RemovingTests {
  private static let gid = "00c0ffee00c0ffee"

  /// A fixture whose `/f` stops after 200,000 of 300,000 bytes, with a job that was removed there.
  private static func removed(_ body: (Aria2Fixture, String) async throws -> Void) async throws {
    try await Aria2Fixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.named("v1", size: 300_000), script: [.held(by: gate, after: 200_000), .normal])
      try await fixture.running {
        let f = try await fixture.add("/f", #""gid":"\#(gid)""#)
        try #require(try await fixture.has(f, "200000", of: "completedLength"))
        #expect(try await fixture.text("remove", #""\#(f)""#) == f)
        try #require(try await fixture.has(f, "removed"))
        try await body(fixture, f)
      }
    }
  }

  private static func files(_ fixture: Aria2Fixture) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.directory)
  }

  @Test func bytesAreKept() async throws {
    try await Self.removed { (fixture, f) async throws in
      #expect(try await fixture.status(f, "errorCode") == "31")
      #expect(try await fixture.status(f, "completedLength") == "200000")
      #expect(try await fixture.gids("tellStopped") == [f])
      #expect(try await fixture.gids("tellWaiting") == [])
      #expect(try await fixture.text("unpause", #""\#(f)""#) == "!GID#\(f) cannot be unpaused now")
      #expect(try await fixture.text("unpauseAll") == "OK")
      #expect(try await fixture.status(f) == "removed")
      #expect(try Self.files(fixture).count == 1)
    }
  }

  @Test("adding the same again continues", arguments: ["", #""gid":"\#(gid)""#, #""gid":"00decade00decade""#])
  func takenUp(_ options: String) async throws {
    try await Self.removed { (fixture, f) async throws in
      let again = try await fixture.add("/f", options)
      #expect(again == (options.contains("decade") ? "00decade00decade" : f))
      try #require(try await fixture.has(again, "complete"))
      #expect(fixture.server.requests("/f").map { $0["Range"] } == [nil, "bytes=175000-"])
      #expect(try Self.files(fixture) == ["f"])
      #expect(try await fixture.gids("tellStopped") == [again])
    }
  }

  @Test("the next service knows them")
  func restarted() async throws {
    try await Self.removed { (fixture, f) async throws in
      let rule = OutsideRule(directories: AllowedDirectories([fixture.directory]), grants: [])
      let next = ManagerQueue(fixture.manager, directory: fixture.directory, rule: rule) {}
      let stopped = try await next.ids(.stopped)
      let waiting = try await next.ids(.waiting)
      #expect(stopped.count == 1 && waiting.isEmpty)
      let before = try await next.jobs(stopped, isWhole: false).map(\.status)
      #expect(before == [.removed])
      // Somebody else continues it.
      _ = try await fixture.manager.resume(stopped)
      try #require(try await fixture.has(f, "complete"))
      await next.readAgain()
      let after = try await next.jobs(stopped, isWhole: false).map(\.status)
      #expect(after == [.complete])
    }
  }

  @Test("bytes go with the result", arguments: ["removeDownloadResult", "purgeDownloadResult"])
  func forgotten(_ method: String) async throws {
    try await Self.removed { (fixture, f) async throws in
      let parameters = method.hasPrefix("remove") ? #""\#(f)""# : ""
      #expect(try await fixture.text(method, parameters) == "OK")
      #expect(try await fixture.text("tellStatus", #""\#(f)""#) == "!GID \(f) is not found")
      #expect(try Self.files(fixture) == [])
      #expect(try await fixture.manager.jobs.setting(.removedByClients) == nil)
    }
  }

  @Test func purgedJobsLeaveNoOptions() async throws {
    try await Aria2Fixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 10))
      try await fixture.running {
        let f = try await fixture.add("/f", #""seed-time":"7""#)
        try #require(try await fixture.has(f, "complete"))
        let id = try #require(try await fixture.queue.ids(try GID(prefix: f)).first)
        let kept = await fixture.queue.keptOptions(of: id)
        #expect(kept["seed-time"] == "7")
        #expect(try await fixture.text("purgeDownloadResult") == "OK")
        let left = await fixture.queue.keptOptions(of: id)
        #expect(left.isEmpty)
      }
    }
  }

  @Test(
    arguments: [("", nil), ("5:2 7:1", "5:2 7:1"), ("7:1 5:2", "5:2 7:1"), ("x 5 5:2:1 a:b 6:0", "6:0")]
      as [(String, String?)])
  func asText(_ text: String, _ again: String?) {
    #expect(SetAside(text).text == again)
  }

  @Test func theOldestAreSurplus() {
    var aside = SetAside("")
    for id in 1...SetAside.most + 2 { aside.insert(JobID(id), attempts: 1) }
    #expect(aside.surplus == [1, 2])
    aside.remove([1, 2])
    #expect(aside.surplus.isEmpty && aside.contains(3) && !aside.contains(1))
  }
}
