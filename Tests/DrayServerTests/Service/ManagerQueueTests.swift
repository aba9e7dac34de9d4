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
    try await Aria2House.use { house in
      let a = try await house.add("/a", Self.paused)
      let b = try await house.add("/b", Self.paused)
      let c = try await house.add("/c", Self.paused, position: 0)
      #expect(try await house.gids("tellWaiting") == [c, a, b])
      #expect(try await house.gids("tellWaiting", "-1,2,") == [b, a])
      #expect(try await house.call("changePosition", #""\#(c)",0,"POS_END""#) as? Int == 2)
      #expect(try await house.call("changePosition", #""\#(b)",-1,"POS_CUR""#) as? Int == 0)
      #expect(try await house.call("changePosition", #""\#(c)",1,"POS_SET""#) as? Int == 1)
      #expect(try await house.gids("tellWaiting") == [b, c, a])
      #expect(try await house.status(String(a.prefix(9))) == "paused")
      #expect(try await house.text("unpause", #""\#(a)""#) == a)
      #expect(try await house.status(a) == "waiting")
      #expect(try await house.text("pauseAll") == "OK")
      #expect(try await house.status(a) == "paused")
      #expect(try await house.text("unpauseAll") == "OK")
      #expect(try await house.status(a) == "waiting")
      #expect(try await house.text("remove", #""\#(b)""#) == b)
      #expect(try await house.text("tellStatus", #""\#(b)""#) == "!GID \(b) is not found")
      #expect(try await house.gids("tellWaiting") == [c, a])
    }
  }

  @Test func aRunThatIsWatched() async throws {
    try await Aria2House.use { house in
      let gate = FaultServer.Gate()
      house.server["/f"] = .init(.named("v1", size: 300_000), script: [.held(by: gate, after: 200_000), .normal])
      house.server["/g"] = .init(.named("v1", size: 10))
      house.server["/none"] = .init(.named("v1", size: 10), script: [.status(404)])
      try await house.running {
        let f = try await house.add("/f")
        try #require(try await house.has(f, "200000", of: "completedLength"))
        let g = try await house.add("/g")
        #expect(try await house.gids("tellActive", "") == [f])
        #expect(try await house.gids("tellWaiting") == [g])
        #expect(try await house.status(f, "totalLength") == "300000")
        #expect(try await house.status(f, "bitfield") == "00")
        #expect(try await house.text("changeOption", #""\#(f)",{"max-download-limit":"5M"}"#) == "OK")
        let options = try #require(try await house.call("getOption", #""\#(f)""#) as? [String: String])
        #expect(options["max-download-limit"] == "5242880")
        #expect(try await house.text("pause", #""\#(f)""#) == f)
        try #require(try await house.has(f, "paused"))
        try #require(try await house.has(g, "complete"))
        #expect(try await house.gids("tellStopped") == [g])
        #expect(try await house.text("unpause", #""\#(f)""#) == f)
        try #require(try await house.has(f, "complete"))
        #expect(house.server.requests("/f").map { $0["Range"] } == [nil, "bytes=175000-"])
        #expect(try await house.status(f, "bitfield") == "80")
        #expect(try await house.text("unpause", #""\#(f)""#) == "!GID#\(f) cannot be unpaused now")
        let none = try await house.add("/none")
        try #require(try await house.has(none, "error"))
        #expect(try await house.status(none, "errorCode") == "3")
        #expect(try await house.gids("tellStopped", "-1,1,") == [none])
        #expect(try await house.text("removeDownloadResult", #""\#(g)""#) == "OK")
        #expect(try await house.gids("tellStopped") == [f, none])
        #expect(try await house.text("purgeDownloadResult") == "OK")
        #expect(try await house.gids("tellStopped") == [])
      }
      #expect(FileManager.default.fileExists(atPath: house.directory + "/f"))
      #expect(FileManager.default.fileExists(atPath: house.directory + "/g"))
    }
  }

  @Test func whatWasActiveWhenItWasRemovedIsRemembered() async throws {
    try await Aria2House.use { house in
      let gate = FaultServer.Gate()
      house.server["/f"] = .init(.named("v1", size: 300_000), script: [.held(by: gate, after: 200_000), .normal])
      try await house.running {
        let f = try await house.add("/f")
        try #require(try await house.has(f, "200000", of: "completedLength"))
        #expect(try await house.text("forceRemove", #""\#(f)""#) == f)
        try #require(try await house.has(f, "removed"))
        #expect(try await house.status(f, "errorCode") == "31")
        #expect(try await house.gids("tellStopped") == [f])
        #expect(try await house.text("removeDownloadResult", #""\#(f)""#) == "OK")
        #expect(try await house.text("tellStatus", #""\#(f)""#) == "!GID \(f) is not found")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: house.directory) == [])
    }
  }

  /// An option that a running transfer cannot take, and another URL.
  @Test func changes() async throws {
    try await Aria2House.use { house in
      let gate = FaultServer.Gate()
      house.server["/f"] = .init(.named("v1", size: 300_000), script: [.held(by: gate, after: 200_000), .normal])
      house.server["/other"] = .init(.named("v1", size: 300_000))
      try await house.running {
        let f = try await house.add("/f", #""out":"name""#)
        try #require(try await house.has(f, "200000", of: "completedLength"))
        let (old, new) = (house.server.url("/f"), house.server.url("/other"))
        #expect(try await house.text("changeOption", #""\#(f)",{"user-agent":"u/2"}"#) == "OK")
        #expect(try await house.call("changeUri", #""\#(f)",1,["\#(old)"],["\#(new)"]"#) as? [Int] == [1, 1])
        try #require(try await house.has(f, "complete"))
      }
      let files = try await house.manager.jobs.summaries(after: 0, states: nil, limit: 9).map(\.fileName)
      #expect(files == ["name"])
      let last = try #require(house.server.requests("/other").last ?? house.server.requests("/f").last)
      #expect(last["User-Agent"] == "u/2")
    }
  }

  @Test func aRepeatedCallIsOneJob() async throws {
    try await Aria2House.use { house in
      let gid = "00c0ffee00c0ffee"
      let options = #""gid":"\#(gid)",\#(Self.paused)"#
      let answers = [try await house.add("/a", options), try await house.add("/a", options)]
      #expect(answers == [gid, gid])
      #expect(try await house.add("/b", options) == "!GID \(gid) is already used.")
      #expect(try await house.gids("tellWaiting") == [gid])
      #expect(try await house.status(gid, "gid") == gid)
    }
  }

  @Test func limits() async throws {
    try await Aria2House.use { house in
      let options = #"{"max-overall-download-limit":"2M","max-concurrent-downloads":"3","split":"2"}"#
      #expect(try await house.text("changeGlobalOption", options) == "OK")
      #expect(try await house.manager.limit()?.rule == .fixed(2 << 20))
      #expect(try await house.manager.jobsLimit() == .fixed(3))
      let gid = try await house.add("/a", Self.paused)
      let ids = try await house.queue.ids(try GID(prefix: gid))
      #expect(try await house.queue.specification(of: try #require(ids.first))?.options.maxConnections == 2)
      #expect(try await house.text("changeGlobalOption", #"{"max-overall-download-limit":"0"}"#) == "OK")
      #expect(try await house.manager.limit() == nil)
    }
  }
}
