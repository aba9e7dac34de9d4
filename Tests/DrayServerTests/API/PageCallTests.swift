// Calls that the page makes: reading typed links, deleting files, the slow switch, subscriptions, and settings of jobs.

import DrayCore
import DrayDocuments
import DrayKit
import DrayStore
import FaultServer
import Foundation
import Testing
import WebServer

@testable import DrayServer

@Suite("calls of the page")
struct PageCallTests {
  private static func json(_ object: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  private static func results(_ answer: (status: Int, body: [String: Any])) throws -> [[String: Any]] {
    try #require(answer.body["results"] as? [[String: Any]])
  }

  // MARK: Links

  @Test func oneReadingForLooksAndAdding() async throws {
    try await APIFixture.use { fixture in
      let host = fixture.server.url("/")
      let text = "\(host)f[1-2].bin \(host)g.bin  # two on a line"
      let read = try await fixture.ask("POST", "/links", try Self.json(["text": text]))
      #expect(read.body["count"] as? Int == 3 && read.body["kind"] as? String == "links")
      let added = try await fixture.ask(
        "POST", "/jobs", try Self.json(["text": text, "paused": true, "priority": 4, "user": "ann", "password": "pw"]))
      #expect(added.status == 201, "\(added.body)")
      let ids = try await fixture.queue()
      let urls = try #require(read.body["urls"] as? [String])
      var found: [String] = []
      for id in ids { found.append(try #require(try await fixture.field("url", of: id) as? String)) }
      #expect(found == urls)
      let job = try #require(try await fixture.manager.jobs.job(ids[0]))
      #expect(job.specification.priority == 4 && job.specification.request.credentials?.user == "ann")
    }
  }

  @Test func mirrorsAndDocuments() async throws {
    try await APIFixture.use { fixture in
      let mirrors = try Self.json(["text": "http://a.example/f http://b.example/f", "areMirrors": true, "paused": true])
      #expect(try await fixture.ask("POST", "/jobs", mirrors).status == 201)
      let first = try #require(try await fixture.manager.jobs.job(1))
      #expect(first.specification.options.mirrors?.map(\.string) == ["http://b.example/f"])
      let metalink =
        "<metalink xmlns='urn:ietf:params:xml:ns:metalink'><file name='m'><url>http://h/m</url></file></metalink>"
      let answer = try await fixture.ask(
        "POST", "/jobs", try Self.json(["text": metalink, "paused": true, "limitRate": "1 MB/s"]))
      #expect(answer.status == 201, "\(answer.body)")
      let second = try #require(try await fixture.manager.jobs.job(2))
      #expect(second.state == .paused && second.specification.options.rateLimit == 1 << 20)
    }
  }

  @Test(
    arguments: [
      ("not a url", 400, "is not a URL"), ("", 400, "is empty"), ("# nothing", 400, "no link"),
      ("file:///etc/passwd", 403, "file"), ("http://h/[", 400, "position"),
    ] as [(String, Int, String)])
  func refused(text: String, status: Int, part: String) async throws {
    try await APIFixture.use { fixture in
      for path in ["/links", "/jobs"] where !(path == "/links" && part == "no link") {
        let answer = try await fixture.ask("POST", path, try Self.json(["text": text]))
        let message = (answer.body["error"] as? [String: Any])?["message"] as? String ?? ""
        #expect(answer.status == status && message.contains(part), "\(answer)")
      }
      #expect(try await fixture.queue().isEmpty)
    }
  }

  // MARK: Deleting

  private func names(_ fixture: APIFixture) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.directory).filter { !$0.hasPrefix(".") }
  }

  @Test func aFileIsDeletedWithItsJobAndComesBack() async throws {
    try await APIFixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 1000))
      try await fixture.running {
        let id = try await fixture.add("/f")[0]
        try #require(try await fixture.has(id, "complete"))
        let deleted = try #require(try Self.results(try await fixture.ask("POST", "/jobs/\(id)/delete")).first)
        let left = try names(fixture)
        #expect(deleted["result"] as? String == "done" && left.isEmpty)
        let token = try #require(deleted["undo"] as? String)
        let undo = try Self.json(["action": "undo", "undo": [token]])
        // While another file has the name, the undo is refused and touches neither file.
        let path = fixture.directory + "/f"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        let taken = try #require(try Self.results(try await fixture.ask("POST", "/jobs/actions", undo)).first)
        let mine = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(taken["result"] as? String == "refused" && mine.count == 4)
        try FileManager.default.removeItem(atPath: path)
        let back = try #require(try Self.results(try await fixture.ask("POST", "/jobs/actions", undo)).first)
        let again = JobID(try #require(back["id"] as? Int))
        #expect(try await fixture.field("state", of: again) as? String == "complete")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 1000)
        // A job that was brought back can be deleted again, now for good.
        _ = try await fixture.ask("POST", "/jobs/\(again)/delete")
        await fixture.api.end()
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory).isEmpty)
        #expect(try await fixture.manager.jobs.setting(.deletedByClients) == nil)
      }
    }
  }

  @Test func aServiceThatWasKilledDeletesLater() async throws {
    try await APIFixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 1000))
      try await fixture.running {
        let id = try await fixture.add("/f")[0]
        try #require(try await fixture.has(id, "complete"))
        _ = try await fixture.ask("POST", "/jobs/\(id)/delete")
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory).count == 1)
        let next = fixture.another()
        await next.begin()
        await next.end()
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory).isEmpty)
      }
    }
  }

  @Test(arguments: ["changed", "replaced", "gone", "link", "unfinished", "outside", "all"])
  func whatIsNotDeleted(how: String) async throws {
    try await APIFixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 1000))
      let path = fixture.directory + "/f"
      let other = fixture.directory + "/other"
      try await fixture.running {
        var id = try await fixture.add("/f", settings: how == "unfinished" ? #","paused":true"# : "")[0]
        if how != "unfinished" { try #require(try await fixture.has(id, "complete")) }
        switch how {
        case "changed": try Data(repeating: 1, count: 1001).write(to: URL(fileURLWithPath: path))
        case "replaced":
          try FileManager.default.moveItem(atPath: path, toPath: other)
          try Data(repeating: 1, count: 1000).write(to: URL(fileURLWithPath: path))
        case "gone": try FileManager.default.removeItem(atPath: path)
        case "link":
          try FileManager.default.moveItem(atPath: path, toPath: other)
          try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        case "outside":
          let outside = fixture.directory + "-outside"
          try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
          let request = TransferRequest(url: try RequestURL.parse(fixture.server.url("/f")).url)
          id = try await fixture.manager.add([JobSpecification(request: request, directory: outside)])[0].id
          try #require(try await fixture.has(id, "complete"))
        default: break
        }
        if how == "all" {
          #expect(try await fixture.ask("POST", "/jobs/actions", #"{"action":"delete","all":true}"#).status == 400)
        } else {
          let result = try #require(try Self.results(try await fixture.ask("POST", "/jobs/\(id)/delete")).first)
          #expect(result["result"] as? String == "refused", "\(result)")
          #expect(try await fixture.field("state", of: id) != nil, "the job stays as well")
        }
        if how == "outside" { #expect(FileManager.default.fileExists(atPath: fixture.directory + "-outside/f")) }
        if !["gone", "unfinished"].contains(how) { #expect(FileManager.default.fileExists(atPath: path)) }
        if ["replaced", "link"].contains(how) { #expect(FileManager.default.fileExists(atPath: other)) }
      }
      try? FileManager.default.removeItem(atPath: fixture.directory + "-outside")
    }
  }

  // MARK: Places

  @Test(arguments: [[1], [0, 1], [2, 4], [4], [0, 1, 2, 3, 4]])
  func aRemovedJobComesBackToItsPlace(places: [Int]) async throws {
    try await APIFixture.use { fixture in
      let ids = try await fixture.add("/a", "/b", "/c", "/d", "/e", settings: #","paused":true"#)
      let urls = ["/a", "/b", "/c", "/d", "/e"].map { "\(fixture.server.url($0))" }
      let removed = try Self.json(["action": "remove", "ids": places.reversed().map { Int(ids[$0]) }])
      let tokens = try Self.results(try await fixture.ask("POST", "/jobs/actions", removed)).compactMap {
        $0["undo"] as? String
      }
      let undone = try await fixture.ask("POST", "/jobs/actions", try Self.json(["action": "undo", "undo": tokens]))
      #expect(try Self.results(undone).allSatisfy { $0["result"] as? String == "done" })
      var found: [String] = []
      for id in try await fixture.queue() {
        found.append(try #require(try await fixture.field("url", of: id) as? String))
      }
      #expect(found == urls)
    }
  }

  @Test(
    arguments: [
      ([2], [[3, 1]]), ([1, 2], [[3, nil], [3, nil]]), ([3], [[nil, 2]]), ([4], [[5, nil]]), ([5], [[nil, 4]]),
      ([1, 2, 3], [[nil, nil], [nil, nil], [nil, nil]]), ([9], [[]]),
    ] as [([JobID], [[JobID?]])])
  func formerPlaces(removed: [JobID], expected: [[JobID?]]) {
    // Two priorities: a job's former neighbours have the job's own priority.
    let waiting: [(id: JobID, priority: Int)] = [(1, 5), (2, 5), (3, 5), (4, 0), (5, 0)]
    let places = FormerPlace.all(of: Set(removed), among: waiting)
    #expect(removed.map { id in places[id].map { [$0.next, $0.previous] } ?? [] } == expected)
  }

  // MARK: Limits

  @Test func theSlowSwitchKeepsTheOtherLimits() async throws {
    try await APIFixture.use { fixture in
      let usual: [String: Any] = ["overallRate": "2 MB/s", "timetable": [Any](), "jobs": "auto", "slow": "100 KiB/s"]
      let set = try await fixture.ask("PUT", "/limits", try Self.json(usual))
      #expect(set.status == 200 && set.body["now"] as? Int == 2 << 20 && set.body["isSlow"] as? Bool == false, "\(set)")
      let slow = try await fixture.ask("PUT", "/limits", try Self.json(usual.merging(["isSlow": true]) { $1 }))
      #expect(slow.body["now"] as? Int == 100 << 10 && slow.body["overallRate"] as? String == "2 MB/s")
      #expect(try await fixture.manager.limit()?.rule == .fixed(100 << 10))
      var rest = usual
      rest["slow"] = nil
      let back = try await fixture.ask("PUT", "/limits", try Self.json(rest))
      #expect(back.body["now"] as? Int == 2 << 20 && back.body["slow"] as? String == "100 KiB/s", "the rate stays")
      // Another program's limit ends the switch.
      _ = try await fixture.ask("PUT", "/limits", try Self.json(usual.merging(["isSlow": true]) { $1 }))
      try await fixture.manager.setLimit("7k")
      let changed = try await fixture.ask("GET", "/limits")
      #expect(changed.body["isSlow"] as? Bool == false && changed.body["now"] as? Int == 7 << 10)
    }
    var order = LimitsOrder()
    order.isSlow = true
    #expect(throws: APIFailure.self) { try LimitsRule(order) }
  }

  // MARK: Settings of a job, and of the service

  @Test func renamingAndMoving() async throws {
    try await APIFixture.use { fixture in
      let id = try await fixture.add("/f", settings: #","paused":true"#)[0]
      let changed = try await fixture.ask(
        "PATCH", "/jobs/\(id)", #"{"output":"g.bin","directory":"sub","connections":3,"between":"22:00-06:00"}"#)
      #expect(changed.status == 200, "\(changed.body)")
      let job = try #require(try await fixture.manager.jobs.job(id)).specification
      #expect(job.output == "g.bin" && job.directory == fixture.directory + "/sub" && job.options.maxConnections == 3)
      for body in [#"{"directory":"/etc"}"#, #"{"directory":"../x"}"#, #"{"output":"../g"}"#] {
        let answer = try await fixture.ask("PATCH", "/jobs/\(id)", body)
        #expect(answer.status == 403, "\(body): \(answer)")
      }
      let free = try await fixture.ask("GET", "/space?directory=sub/new")
      #expect((free.body["free"] as? Int ?? 0) > 0, "\(free)")
      #expect(try await fixture.ask("GET", "/space?directory=/etc").status == 403)
      let service = try await fixture.ask("GET", "/service").body
      #expect(service["schemes"] as? [String] == ["http", "https", "ftp", "ftps"])
      let settings = try #require(service["settings"] as? [[String: String]])
      #expect(settings.contains { $0["name"] == "max-connections" } && settings.allSatisfy { $0["value"] != "" })
    }
  }

  // MARK: Subscriptions

  private static func feed(_ entries: [String]) -> String {
    let items = entries.map {
      "<item><guid>\($0)</guid><title>\($0)</title><enclosure url='/\($0).mp3' length='9'/></item>"
    }
    return "<?xml version='1.0'?><rss version='2.0'><channel><title>T</title>\(items.joined())</channel></rss>"
  }

  @Test func whatIsNewIsQueuedOnce() async throws {
    try await APIFixture.use { fixture in
      fixture.server["/feed"] = .init(.init(.fixed(Self.feed(["a1", "b1"]).utf8)))
      let url = "\(fixture.server.url("/feed"))"
      let body = try Self.json(["url": url, "match": "^a", "hours": 1])
      let made = try await fixture.ask("POST", "/subscriptions", body)
      let one = try #require((made.body["subscriptions"] as? [[String: Any]])?.first, "\(made)")
      #expect(one["id"] as? Int == 1 && one["match"] as? String == "^a")
      // The feed's present entries are not queued.
      #expect(try await fixture.queue().isEmpty)
      fixture.server["/feed"] = .init(.init(.fixed(Self.feed(["a2", "b2", "a1", "b1"]).utf8)))
      for _ in 0..<2 {
        let subscription = try #require(try await fixture.api.subscriptions.all().first)
        await fixture.api.poll(subscription, now: 1e9)
        let jobs = try await fixture.queue()
        #expect(jobs.count == 1)
        #expect(try await fixture.field("url", of: jobs[0]) as? String == "\(fixture.server.url("/a2.mp3"))")
      }
      // It survives the service, and a problem does not end it.
      fixture.server["/feed"] = .init(.init(.fixed("no feed".utf8)))
      let kept = try #require(try await fixture.another().subscriptions.all().first)
      #expect(kept.added == 1)
      await fixture.api.poll(kept, now: 2e9)
      let failed = try #require(try await fixture.api.subscriptions.all().first)
      #expect(failed.problem != nil && failed.seen == kept.seen)
      #expect(try await fixture.ask("POST", "/subscriptions", try Self.json(["url": url])).status != 200)
      #expect(try await fixture.ask("DELETE", "/subscriptions/9").status == 404)
      let left = try await fixture.ask("DELETE", "/subscriptions/1").body["subscriptions"] as? [Any]
      #expect(left?.isEmpty == true)
    }
  }

  @Test(
    arguments: [
      (nil, 0, true), (1000, 1000, false), (1000, 1000 + 3599, false), (1000, 1000 + 3600, true), (1000, 999, true),
    ] as [(Double?, Double, Bool)])
  func due(checkedAt: Double?, now: Double, isDue: Bool) throws {
    let node = try JSONNode.parse(#"{"url":"http://h/f","hours":1}"#.utf8, kind: "a subscription")
    var subscription = FeedSubscription(node)
    subscription.checkedAt = checkedAt
    #expect(subscription.isDue(at: now) == isDue)
  }
}
