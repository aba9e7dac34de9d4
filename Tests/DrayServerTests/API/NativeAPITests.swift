// The API's calls, carried out on a queue.

import DrayCore
import DrayKit
import FaultServer
import Foundation
import Testing
import WebServer

@testable import DrayServer

@Suite("the API on a queue")
struct NativeAPITests {
  private static let paused = #","paused":true"#

  @Test func otherPathsAreNotItsOwn() async throws {
    try await APIFixture.use { fixture in
      for path in ["/", "/jsonrpc", "/api/v2/jobs", "/api/v10"] {
        #expect(await fixture.api.answer(WebRequest(path: path)) == nil)
      }
    }
  }

  @Test func service() async throws {
    try await APIFixture.use { fixture in
      let (status, service) = try await fixture.ask("GET", "/service")
      #expect(
        status == 200 && service["directory"] as? String == fixture.directory && service["readOnly"] as? Bool == false)
      #expect(service["roots"] as? [String] == [fixture.directory] && service["started"] as? Int == 1)
      #expect(service["pid"] as? Int == Int(ProcessInfo.processInfo.processIdentifier))
    }
  }

  @Test func addsAndShows() async throws {
    try await APIFixture.use { fixture in
      let ids = try await fixture.add("/a", "/b", settings: Self.paused)
      let again = try await fixture.ask("POST", "/jobs", #"{"jobs":[{"url":"\#(fixture.server.url("/a"))"}]}"#)
      let same = (again.body["jobs"] as? [[String: Any]])?.first
      #expect(same?["id"] as? Int == Int(ids[0]) && same?["existing"] as? Bool == true)
      let list = try await fixture.ask("GET", "/jobs?limit=1").body
      #expect((list["jobs"] as? [[String: Any]])?.count == 1 && list["next"] as? Int == Int(ids[0]))
      #expect((list["counts"] as? [String: Int])?["paused"] == 2 && list["cursor"] is String)
      let rest = try await fixture.ask("GET", "/jobs?after=\(ids[0])").body
      #expect((rest["jobs"] as? [[String: Any]])?.first?["id"] as? Int == Int(ids[1]) && rest["next"] is NSNull)
      let active = try await fixture.ask("GET", "/jobs?states=active").body
      #expect((active["jobs"] as? [Any])?.isEmpty ?? false)
      #expect(try await fixture.field("url", of: ids[0]) as? String == fixture.server.url("/a"))
      #expect(try await fixture.field("attemptHistory", of: ids[0]) is [Any])
      #expect(try await fixture.ask("GET", "/jobs/99").status == 404)
      #expect(try await fixture.ask("GET", "/jobs/99/parts").status == 404)
    }
  }

  /// All or none, and each reason by its name.
  @Test(
    "forbidden to every caller",
    arguments: [
      (#"{"url":"file:///etc/passwd"}"#, "a URL of the scheme file is not allowed"),
      (#"{"url":"sftp://h/f"}"#, "a URL of the scheme sftp is not allowed"),
      (#"{"url":"s3://bucket/f"}"#, "a URL of the scheme s3 is not allowed"),
      (#"{"url":"http://h/f","mirrors":["file:///etc/passwd"]}"#, "a URL of the scheme file is not allowed"),
      (#"{"url":"http://h/f","directory":"/etc"}"#, "/etc: this directory is not among those that are allowed"),
      (#"{"url":"http://h/f","directory":"../elsewhere"}"#, "this directory is not among"),
      (#"{"url":"http://h/f","directory":"a/../../x"}"#, "this directory is not among"),
      (#"{"url":"http://h/f","output":"../x"}"#, "this is not a file name"),
      (#"{"url":"http://h/f","output":"a/x"}"#, "this is not a file name"),
      (#"{"url":"http://h/f","output":".."}"#, "this is not a file name"),
      (#"{"url":"http://h/f","output":"a\u0000"}"#, "this is not a file name"),
      (#"{"url":"http://h/f","proxy":"http://p"}"#, "proxy is not for callers"),
    ])
  func refusals(_ job: String, _ words: String) async throws {
    try await APIFixture.use { fixture in
      let (status, body) = try await fixture.ask("POST", "/jobs", #"{"jobs":[{"url":"http://h/ok"},\#(job)]}"#)
      let error = try #require(body["error"] as? [String: Any])
      #expect(status == 403 && error["code"] as? String == "forbidden")
      #expect((error["message"] as? String)?.contains(words) ?? false, "\(error)")
      #expect(try await fixture.queue() == [])
    }
  }

  @Test func whatCallersMayNotReach() async throws {
    try await APIFixture.use { fixture in
      for (target, body) in [
        ("/probes", #"{"url":"file:///etc/passwd"}"#), ("/feeds", #"{"url":"file:///etc/passwd","list":true}"#),
        ("/jobs", #"{"list":"http://h/f","directory":"/etc"}"#), ("/jobs", #"{"list":"sftp://h/f"}"#),
        (
          "/jobs",
          #"{"metalink":"<metalink xmlns='urn:ietf:params:xml:ns:metalink'><file name='f'><url>http://h/f</url></file></metalink>","directory":"/etc"}"#
        ),
      ] {
        let answer = try await fixture.ask("POST", target, body)
        #expect(answer.status == 403, "\(target) \(body): \(answer.body)")
      }
      let ids = try await fixture.add("/a", settings: Self.paused)
      #expect(try await fixture.ask("PATCH", "/jobs/\(ids[0])", #"{"url":"file:///etc/passwd"}"#).status == 403)
      #expect(try await fixture.field("url", of: ids[0]) as? String == fixture.server.url("/a"))
    }
  }

  @Test func listsAndMetalinks() async throws {
    try await APIFixture.use { fixture in
      let list = try await fixture.ask("POST", "/jobs", #"{"list":"http://h/a\nhttp://h/b","directory":"sub"}"#)
      #expect(list.status == 201 && (list.body["jobs"] as? [Any])?.count == 2)
      let text =
        "<metalink xmlns='urn:ietf:params:xml:ns:metalink'><file name='x/f'><size>3</size><url>http://h/f</url><url>http://m/f</url></file></metalink>"
      let metalink = try await fixture.ask("POST", "/jobs", #"{"metalink":"\#(text)"}"#)
      let id = try #require((metalink.body["jobs"] as? [[String: Any]])?.first?["id"] as? Int)
      #expect(try await fixture.field("target", of: JobID(id)) as? String == fixture.directory + "/x/f")
      #expect(try await fixture.field("expectedSize", of: JobID(id)) as? Int == 3)
      #expect(try await fixture.field("mirrors", of: JobID(id)) as? [String] == ["http://m/f"])
      #expect(try await fixture.ask("POST", "/jobs", #"{"metalink":"<html/>"}"#).status == 400)
    }
  }

  @Test func actions() async throws {
    try await APIFixture.use { fixture in
      let ids = try await fixture.add("/a", "/b", "/c", settings: Self.paused)
      func results(_ method: String, _ target: String, _ body: String = "") async throws -> [String] {
        let results = try #require(try await fixture.ask(method, target, body).body["results"] as? [[String: Any]])
        return results.map { "\($0["id"] ?? "") \($0["result"] ?? "")" }
      }
      #expect(try await results("POST", "/jobs/\(ids[0])/resume") == ["\(ids[0]) done"])
      #expect(try await results("POST", "/jobs/\(ids[1])/retry") == ["\(ids[1]) refused"])
      #expect(try await fixture.ask("POST", "/jobs/99/pause").status == 404)
      #expect(
        try await results("POST", "/jobs/actions", #"{"action":"pause","ids":[\#(ids[0]),99,\#(ids[0])]}"#)
          == ["\(ids[0]) done", "99 unknown"])
      #expect(
        try await results("POST", "/jobs/actions", #"{"action":"resume","all":true}"#) == ids.map { "\($0) done" })
      #expect(try await results("POST", "/jobs/actions", #"{"action":"retry","all":true}"#) == [])
    }
  }

  @Test func orderAndChanges() async throws {
    try await APIFixture.use { fixture in
      let ids = try await fixture.add("/a", "/b", "/c", settings: Self.paused)
      #expect(try await fixture.ask("POST", "/jobs/move", #"{"ids":[\#(ids[2])],"place":"first"}"#).status == 200)
      #expect(try await fixture.queue() == [ids[2], ids[0], ids[1]])
      #expect(try await fixture.ask("POST", "/jobs/move", #"{"ids":[\#(ids[2])],"after":\#(ids[0])}"#).status == 200)
      #expect(try await fixture.queue() == [ids[0], ids[2], ids[1]])
      #expect(try await fixture.ask("POST", "/jobs/move", #"{"ids":[99],"place":"last"}"#).status == 409)
      let changed = try await fixture.ask(
        "PATCH", "/jobs/\(ids[1])", #"{"priority":5,"limitRate":"1k","url":"\#(fixture.server.url("/d"))"}"#)
      #expect(changed.status == 200 && changed.body["priority"] as? Int == 5)
      #expect(try await fixture.queue().first == ids[1])
      let request = try await fixture.field("request", of: ids[1]) as? [String: Any]
      #expect(request?["rateLimit"] as? Int == 1024)
      #expect(try await fixture.field("url", of: ids[1]) as? String == fixture.server.url("/d"))
      #expect(try await fixture.ask("PATCH", "/jobs/99", "{}").status == 404)
    }
  }

  @Test func removalsAreTakenBack() async throws {
    try await APIFixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 1000))
      try await fixture.running {
        let done = try await fixture.add("/f")
        try #require(try await fixture.has(done[0], "complete"))
        let waiting = try await fixture.add("/a", settings: Self.paused)
        let answer = try await fixture.ask(
          "POST", "/jobs/actions", #"{"action":"remove","ids":[\#(done[0]),\#(waiting[0])]}"#)
        let tokens = try #require(answer.body["results"] as? [[String: Any]]).compactMap { $0["undo"] as? String }
        #expect(tokens.count == 2 && Set(tokens).count == 2)
        #expect(try await fixture.field("id", of: done[0]) == nil)
        let undone = try await fixture.ask(
          "POST", "/jobs/actions", #"{"action":"undo","undo":["\#(tokens[0])","\#(tokens[1])"]}"#)
        let new = try #require(undone.body["results"] as? [[String: Any]]).compactMap {
          ($0["id"] as? Int).map { JobID($0) }
        }
        try #require(new.count == 2)
        #expect(try await fixture.field("state", of: new[0]) as? String == "complete")
        #expect(try await fixture.field("target", of: new[0]) as? String == fixture.directory + "/f")
        #expect(try await fixture.field("received", of: new[0]) as? Int == 1000)
        #expect(try await fixture.field("state", of: new[1]) as? String == "paused")
        // A token works once.
        let again = try await fixture.ask("POST", "/jobs/actions", #"{"action":"undo","undo":["\#(tokens[0])","x"]}"#)
        #expect(
          (again.body["results"] as? [[String: Any]])?.compactMap { $0["result"] as? String } == ["unknown", "unknown"])
        _ = try await fixture.ask("POST", "/jobs/\(new[1])/remove")
        #expect(try await fixture.ask("POST", "/jobs/\(new[1])/undo").status == 200)
        #expect(try await fixture.ask("POST", "/jobs/\(new[1])/undo").status == 404)
      }
      #expect(fixture.server.requests("/f").count == 1)
    }
  }

  @Test func aRepeatedCallIsTheSameJobs() async throws {
    try await APIFixture.use { fixture in
      let key: WebFields = ["Idempotency-Key": "k1"]
      let body = #"{"jobs":[{"url":"http://h/a","paused":true},{"url":"http://h/b","paused":true}]}"#
      func ids(_ answer: (status: Int, body: [String: Any])) -> [String] {
        (answer.body["jobs"] as? [[String: Any]])?.map { "\($0["id"] ?? "") \($0["existing"] ?? "")" } ?? []
      }
      let first = try await fixture.ask("POST", "/jobs", body, key)
      #expect(first.status == 201)
      let again = try await fixture.ask("POST", "/jobs", body, key)
      #expect(ids(again) == ids(first))
      // Another run of the service gives the same answer, even after the jobs have changed.
      _ = try await fixture.ask("POST", "/jobs/actions", #"{"action":"resume","all":true}"#)
      let other = fixture.another()
      #expect(ids(try await fixture.ask("POST", "/jobs", body, key, of: other)) == ids(first))
      #expect(try await fixture.queue().count == 2)
      for differing in [
        #"{"jobs":[{"url":"http://h/a","paused":true}]}"#, #"{"jobs":[{"url":"http://h/x"},{"url":"http://h/b"}]}"#,
      ] {
        #expect(try await fixture.ask("POST", "/jobs", differing, key).status == 409)
        #expect(try await fixture.ask("POST", "/jobs", differing, key, of: fixture.another()).status == 409)
      }
      // A refused call consumes nothing.
      let other2: WebFields = ["Idempotency-Key": "k2"]
      #expect(try await fixture.ask("POST", "/jobs", #"{"jobs":[{"url":"file:///x"}]}"#, other2).status == 403)
      #expect(try await fixture.ask("POST", "/jobs", #"{"jobs":[{"url":"http://h/c"}]}"#, other2).status == 201)
      #expect(try await fixture.ask("POST", "/jobs", body, ["Idempotency-Key": ""]).status == 400)
    }
  }

  @Test func oneCallAtOnceAddsForAll() async throws {
    try await APIFixture.use { fixture in
      let body = #"{"jobs":[{"url":"http://h/a","paused":true}]}"#
      let answers = await withTaskGroup(of: Int?.self) { group in
        for _ in 0..<10 {
          group.addTask { try? await fixture.ask("POST", "/jobs", body, ["Idempotency-Key": "k"]).status }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers == Array(repeating: 201, count: 10))
      let waiting = try await fixture.queue()
      #expect(waiting.count == 1)
    }
  }

  @Test func limits() async throws {
    try await APIFixture.use { fixture in
      let entry = #"{"from":"08:00","to":"18:00","days":"mon-fri,sun","rate":null}"#
      let limits = #"{"overallRate":"2M","timetable":[\#(entry)],"jobs":3}"#
      #expect(try await fixture.ask("PUT", "/limits", limits).status == 200)
      let kept = try await fixture.ask("GET", "/limits").body
      #expect(kept["overallRate"] as? String == "2M" && kept["jobs"] as? Int == 3)
      #expect((kept["timetable"] as? [[String: Any]])?.first?["days"] as? String == "mon-fri,sun")
      #expect(try await fixture.manager.jobsLimit() == .fixed(3))
      // A limit set elsewhere takes effect.
      try await fixture.manager.setLimit("512k")
      let other = try await fixture.ask("GET", "/limits").body
      #expect(other["overallRate"] as? String == "512k" && (other["timetable"] as? [Any])?.isEmpty ?? false)
      #expect(
        try await fixture.ask("PUT", "/limits", #"{"overallRate":null,"timetable":[],"jobs":"auto"}"#).status == 200)
      #expect(try await fixture.manager.limit() == nil)
      #expect(try await fixture.manager.jobsLimit() == nil)
    }
  }

  @Test("the times of all jobs: set, left unchanged, all, and as each runner was started")
  func times() async throws {
    try await APIFixture.use { fixture in
      let rest = #"{"overallRate":null,"timetable":[],"jobs":"auto""#
      let rows: [(String, String?)] = [
        (#","between":"22:00-06:00""#, "22:00-06:00"), ("", "22:00-06:00"), (#","between":"off""#, "off"),
        (#","between":null"#, nil), ("", nil),
      ]
      for (field, text) in rows {
        let answer = try await fixture.ask("PUT", "/limits", rest + field + "}")
        #expect(answer.status == 200 && answer.body["between"] as? String == text, "\(field): \(answer.body)")
        let window = try await fixture.manager.window()
        #expect(window?.text == text)
      }
      #expect(try await fixture.ask("PUT", "/limits", rest + #","between":"night"}"#).status == 400)
    }
  }

  @Test func probesAndFeeds() async throws {
    try await APIFixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 1000))
      let probe = try await fixture.ask("POST", "/probes", #"{"url":"\#(fixture.server.url("/f"))"}"#)
      #expect(probe.status == 200 && probe.body["size"] as? Int == 1000)
      let missing = try await fixture.ask("POST", "/probes", #"{"url":"\#(fixture.server.url("/none"))"}"#)
      #expect(missing.status == 200 && missing.body["status"] as? Int == 404)
      let items = (1...3).map {
        "<item><guid>g\($0)</guid><title>t\($0)</title><enclosure url='/e\($0)' length='1' type='a/b'/></item>"
      }
      let rss = "<rss version='2.0'><channel><title>T</title>\(items.joined())</channel></rss>"
      fixture.server["/feed"] = .init(.init(.fixed(rss.utf8)))
      let url = fixture.server.url("/feed")
      let list = try await fixture.ask("POST", "/feeds", #"{"url":"\#(url)","list":true,"limit":2}"#)
      #expect(list.status == 200, "\(list.body)")
      #expect((list.body["entries"] as? [[String: Any]])?.compactMap { $0["guid"] as? String } == ["g1", "g2"])
      let queued = try await fixture.ask("POST", "/feeds", #"{"url":"\#(url)","guids":["g2"],"directory":"casts"}"#)
      #expect(queued.status == 201 && (queued.body["jobs"] as? [Any])?.count == 1)
      let feeds = try await fixture.ask("GET", "/feeds").body["feeds"] as? [[String: Any]]
      #expect(feeds?.count == 1 && feeds?.first?["title"] as? String == "T" && feeds?.first?["entries"] as? Int == 1)
      let again = try await fixture.ask("POST", "/feeds", #"{"url":"\#(url)","match":"t2","list":true}"#).body
      #expect((again["entries"] as? [[String: Any]])?.first?["known"] as? Bool == true)
      #expect(try await fixture.ask("POST", "/feeds", #"{"url":"\#(url)","guids":["x"]}"#).status == 409)
      #expect(try await fixture.ask("POST", "/feeds", #"{"url":"\#(url)","match":"(","list":true}"#).status == 400)
      #expect(
        try await fixture.ask("POST", "/feeds", #"{"url":"\#(fixture.server.url("/f"))","list":true}"#).status == 502)
    }
  }

  @Test func sessions() async throws {
    try await APIFixture.use { fixture in
      let wrong = try await fixture.ask("POST", "/session", #"{"secret":"wrong"}"#)
      #expect(wrong.status == 401 && (wrong.body["error"] as? [String: Any])?["code"] as? String == "unauthorized")
      let right = try #require(await fixture.answer("POST", "/session", #"{"secret":"\#(APIFixture.secret)"}"#))
      let cookie = try #require(right.fields["Set-Cookie"])
      #expect(
        right.status == 200 && cookie.hasPrefix("dray=") && cookie.contains("HttpOnly")
          && cookie.contains("SameSite=Strict"))
      guard case .bytes(let bytes) = right.content,
        let answer = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String]
      else {
        Issue.record("no key")
        return
      }
      let session: WebFields = ["Cookie": String(cookie.prefix { $0 != ";" }), "Dray-Key": try #require(answer["key"])]
      func isIn() -> Bool { fixture.keeper.hasSession(WebRequest(path: "/", fields: session)) }
      #expect(isIn())
      #expect(await fixture.answer("DELETE", "/session", "", session)?.status == 204)
      #expect(!isIn())
      for _ in 0..<12 { _ = try await fixture.ask("POST", "/session", #"{"secret":"wrong"}"#) }
      // The right secret still gets in.
      #expect(await fixture.answer("POST", "/session", #"{"secret":"\#(APIFixture.secret)"}"#)?.status == 200)
    }
  }
}
