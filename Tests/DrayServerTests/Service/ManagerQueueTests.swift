// aria2's methods on a real queue, with files that come over a real connection.

import DrayCore
import DrayKit
import DrayStore
import FaultServer
import Foundation
import Testing

@testable import DrayServer

@Suite struct ManagerQueueTests {
  private static let paused = #""pause":"true""#

  @Test func whatWaits() async throws {
    try await Aria2Fixture.use { fixture in
      let a = try await fixture.add("/a", Self.paused)
      let b = try await fixture.add("/b", Self.paused)
      let c = try await fixture.add("/c", Self.paused, position: 0)
      #expect(try await fixture.gids("tellWaiting") == [c, a, b])
      #expect(try await fixture.gids("tellWaiting", "-1,2,") == [b, a])
      #expect(try await fixture.call("changePosition", #""\#(c)",0,"POS_END""#) as? Int == 2)
      #expect(try await fixture.call("changePosition", #""\#(b)",-1,"POS_CUR""#) as? Int == 0)
      #expect(try await fixture.call("changePosition", #""\#(c)",1,"POS_SET""#) as? Int == 1)
      #expect(try await fixture.gids("tellWaiting") == [b, c, a])
      #expect(try await fixture.status(String(a.prefix(9))) == "paused")
      #expect(try await fixture.text("unpause", #""\#(a)""#) == a)
      #expect(try await fixture.status(a) == "waiting")
      #expect(try await fixture.text("pauseAll") == "OK")
      #expect(try await fixture.status(a) == "paused")
      #expect(try await fixture.text("unpauseAll") == "OK")
      #expect(try await fixture.status(a) == "waiting")
      #expect(try await fixture.text("remove", #""\#(b)""#) == b)
      #expect(try await fixture.text("tellStatus", #""\#(b)""#) == "!GID \(b) is not found")
      #expect(try await fixture.gids("tellWaiting") == [c, a])
    }
  }

  @Test func aRunThatIsWatched() async throws {
    try await Aria2Fixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.named("v1", size: 300_000), script: [.held(by: gate, after: 200_000), .normal])
      fixture.server["/g"] = .init(.named("v1", size: 10))
      fixture.server["/none"] = .init(.named("v1", size: 10), script: [.status(404)])
      try await fixture.running {
        let f = try await fixture.add("/f")
        try #require(try await fixture.has(f, "200000", of: "completedLength"))
        let g = try await fixture.add("/g")
        #expect(try await fixture.gids("tellActive", "") == [f])
        #expect(try await fixture.gids("tellWaiting") == [g])
        #expect(try await fixture.status(f, "totalLength") == "300000")
        #expect(try await fixture.status(f, "bitfield") == "00")
        #expect(try await fixture.text("changeOption", #""\#(f)",{"max-download-limit":"5M"}"#) == "OK")
        let options = try #require(try await fixture.call("getOption", #""\#(f)""#) as? [String: String])
        #expect(options["max-download-limit"] == "5242880")
        #expect(try await fixture.text("pause", #""\#(f)""#) == f)
        try #require(try await fixture.has(f, "paused"))
        try #require(try await fixture.has(g, "complete"))
        #expect(try await fixture.gids("tellStopped") == [g])
        #expect(try await fixture.text("unpause", #""\#(f)""#) == f)
        try #require(try await fixture.has(f, "complete"))
        #expect(fixture.server.requests("/f").map { $0["Range"] } == [nil, "bytes=175000-"])
        #expect(try await fixture.status(f, "bitfield") == "80")
        #expect(try await fixture.text("unpause", #""\#(f)""#) == "!GID#\(f) cannot be unpaused now")
        let none = try await fixture.add("/none")
        try #require(try await fixture.has(none, "error"))
        #expect(try await fixture.status(none, "errorCode") == "3")
        #expect(try await fixture.gids("tellStopped", "-1,1,") == [none])
        #expect(try await fixture.text("removeDownloadResult", #""\#(g)""#) == "OK")
        #expect(try await fixture.gids("tellStopped") == [f, none])
        #expect(try await fixture.text("purgeDownloadResult") == "OK")
        #expect(try await fixture.gids("tellStopped") == [])
      }
      #expect(FileManager.default.fileExists(atPath: fixture.directory + "/f"))
      #expect(FileManager.default.fileExists(atPath: fixture.directory + "/g"))
    }
  }

  @Test func whatWasActiveWhenItWasRemovedIsRemembered() async throws {
    try await Aria2Fixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.named("v1", size: 300_000), script: [.held(by: gate, after: 200_000), .normal])
      try await fixture.running {
        let f = try await fixture.add("/f")
        try #require(try await fixture.has(f, "200000", of: "completedLength"))
        #expect(try await fixture.text("forceRemove", #""\#(f)""#) == f)
        try #require(try await fixture.has(f, "removed"))
        #expect(try await fixture.status(f, "errorCode") == "31")
        #expect(try await fixture.gids("tellStopped") == [f])
        #expect(try await fixture.text("removeDownloadResult", #""\#(f)""#) == "OK")
        #expect(try await fixture.text("tellStatus", #""\#(f)""#) == "!GID \(f) is not found")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory) == [])
    }
  }

  /// An option that a running transfer cannot take, and another URL.
  @Test func changes() async throws {
    try await Aria2Fixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.named("v1", size: 300_000), script: [.held(by: gate, after: 200_000), .normal])
      fixture.server["/other"] = .init(.named("v1", size: 300_000))
      try await fixture.running {
        let f = try await fixture.add("/f", #""out":"name""#)
        try #require(try await fixture.has(f, "200000", of: "completedLength"))
        let (old, new) = (fixture.server.url("/f"), fixture.server.url("/other"))
        #expect(try await fixture.text("changeOption", #""\#(f)",{"user-agent":"u/2"}"#) == "OK")
        #expect(try await fixture.call("changeUri", #""\#(f)",1,["\#(old)"],["\#(new)"]"#) as? [Int] == [1, 1])
        try #require(try await fixture.has(f, "complete"))
      }
      let files = try await fixture.manager.jobs.summaries(after: 0, states: nil, limit: 9).map(\.fileName)
      #expect(files == ["name"])
      let last = try #require(fixture.server.requests("/other").last ?? fixture.server.requests("/f").last)
      #expect(last["User-Agent"] == "u/2")
    }
  }

  @Test func aRepeatedCallIsOneJob() async throws {
    try await Aria2Fixture.use { fixture in
      let gid = "00c0ffee00c0ffee"
      let options = #""gid":"\#(gid)",\#(Self.paused)"#
      let answers = [try await fixture.add("/a", options), try await fixture.add("/a", options)]
      #expect(answers == [gid, gid])
      #expect(try await fixture.add("/b", options) == "!GID \(gid) is already used.")
      #expect(try await fixture.gids("tellWaiting") == [gid])
      #expect(try await fixture.status(gid, "gid") == gid)
    }
  }

  @Test func limits() async throws {
    try await Aria2Fixture.use { fixture in
      let options = #"{"max-overall-download-limit":"2M","max-concurrent-downloads":"3","split":"2"}"#
      #expect(try await fixture.text("changeGlobalOption", options) == "OK")
      #expect(try await fixture.manager.limit()?.rule == .fixed(2 << 20))
      #expect(try await fixture.manager.jobsLimit() == .fixed(3))
      let gid = try await fixture.add("/a", Self.paused)
      let ids = try await fixture.queue.ids(try GID(prefix: gid))
      #expect(try await fixture.queue.specification(of: try #require(ids.first))?.options.maxConnections == 2)
      #expect(try await fixture.text("changeGlobalOption", #"{"max-overall-download-limit":"0"}"#) == "OK")
      #expect(try await fixture.manager.limit() == nil)
    }
  }
}
