// From requests to calls: accepted values, and the wording of refusals.

import DrayCore
import DrayStore
import Testing
import WebServer

@testable import DrayServer

@Suite("requests of the API")
struct APIReadingTests {
  static func call(
    _ method: String, _ target: String, _ body: String = "", _ fields: WebFields = ["Content-Type": "application/json"]
  ) throws(APIFailure) -> APICall {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return try APIReading.call(
      of: WebRequest(
        method: method, path: APIRoutes.root + (parts.first ?? ""), query: parts.count > 1 ? parts[1] : nil,
        fields: fields,
        body: Array(body.utf8)))
  }

  @Test(
    "kinds of requests",
    arguments: [
      ("GET", "/service", "", .service), ("HEAD", "/service", "", .service), ("GET", "/openapi.json", "", .document),
      ("GET", "/jobs", "", .jobs(JobsWindow())),
      (
        "GET", "/jobs?after=7&limit=2000&states=queued,active", "",
        .jobs(JobsWindow(states: [.queued, .active], after: 7, limit: 2000))
      ),
      ("GET", "/jobs?states=failed%2Cpaused&x=1", "", .jobs(JobsWindow(states: [.failed, .paused]))),
      ("GET", "/jobs/3", "", .job(3)), ("GET", "/jobs/3/parts", "", .parts(3)), ("GET", "/queue", "", .queue),
      ("POST", "/jobs/3/pause", "", .actOnOne(.pause, 3)), ("POST", "/jobs/3/remove", "{}", .actOnOne(.remove, 3)),
      ("POST", "/jobs/3/undo", "", .undoOne(3)),
      ("POST", "/jobs/actions", #"{"action":"retry","ids":[1,2]}"#, .act(.retry, on: [1, 2])),
      ("POST", "/jobs/actions", #"{"action":"pause","all":true}"#, .actOnAll(.pause)),
      ("POST", "/jobs/actions", #"{"action":"undo","undo":["a","b"]}"#, .undo(["a", "b"])),
      ("POST", "/jobs/move", #"{"ids":[2,1],"place":"first"}"#, .move([2, 1], .first)),
      ("POST", "/jobs/move", #"{"ids":[2],"place":"last"}"#, .move([2], .last)),
      ("POST", "/jobs/move", #"{"ids":[2],"before":5}"#, .move([2], .before(5))),
      ("POST", "/jobs/move", #"{"ids":[2],"after":5}"#, .move([2], .after(5))),
      (
        "PATCH", "/jobs/3", #"{"limitRate":"500k"}"#,
        .change(3, ChangeOrder(settings: JobSettings(["limit-rate": ["500k"]])))
      ),
      (
        "PATCH", "/jobs/3", #"{"limitRate":null,"priority":-2}"#,
        .change(3, ChangeOrder(settings: JobSettings(["limit-rate": [], "priority": ["-2"]])))
      ),
      ("PATCH", "/jobs/3", #"{"url":"http://h/f"}"#, .change(3, ChangeOrder(url: "http://h/f"))),
      ("PATCH", "/jobs/3", #"{"user":"a","password":"b"}"#, .change(3, ChangeOrder(user: "a", password: "b"))),
      ("POST", "/jobs/3/again", "", .actOnOne(.again, 3)),
      ("GET", "/limits", "", .limits), ("GET", "/feeds", "", .feeds),
      (
        "POST", "/feeds", #"{"url":"http://h/f","list":true,"match":"a","limit":3}"#,
        .readFeed(FeedOrder(url: "http://h/f", match: "a", limit: 3))
      ),
      (
        "POST", "/feeds", #"{"url":"http://h/f","guids":["g"],"directory":"d"}"#,
        .queueFeed(FeedOrder(url: "http://h/f"), guids: ["g"], directory: "d")
      ),
      ("POST", "/probes", #"{"url":"http://h/f"}"#, .probe("http://h/f")),
      ("GET", "/events?cursor=a-1", "", .events(cursor: "a-1")), ("GET", "/events", "", .events(cursor: nil)),
      ("GET", "/queues", "", .queues), ("DELETE", "/queues/films", "", .removeQueue("films")),
      ("DELETE", "/queues/H%C3%A4user", "", .removeQueue("Häuser")),
      ("POST", "/session", #"{"secret":"s"}"#, .logIn("s")), ("DELETE", "/session", "", .logOut),
      ("POST", "/jobs", #"{"jobs":[{"url":"http://h/f"}]}"#, .add(.jobs([JobOrder(url: "http://h/f")]))),
      ("POST", "/jobs", #"{"list":"http://h/f","directory":"/d"}"#, .add(.list("http://h/f", directory: "/d"))),
      ("POST", "/jobs", #"{"metalink":"<metalink/>"}"#, .add(.metalink("<metalink/>", directory: nil))),
    ] as [(String, String, String, APICall)])
  func calls(_ method: String, _ target: String, _ body: String, _ call: APICall) throws {
    #expect(try Self.call(method, target, body) == call)
  }

  @Test(
    "refusals",
    arguments: [
      ("GET", "/", "", 404, "no such path: /api/v1/"), ("GET", "", "", 404, "no such path: /api/v1"),
      ("GET", "/jobs/x", "", 404, "x is not the number of a job"), ("GET", "/jobs/0", "", 404, "0 is not the number"),
      ("GET", "/jobs/03", "", 404, "03 is not the number"),
      ("GET", "/jobs/99999999999999999999", "", 404, "is not the number"),
      ("GET", "/jobs/3/undone", "", 404, "no such path"), ("DELETE", "/jobs", "", 405, "it takes GET, POST only"),
      ("GET", "/jobs/actions", "", 405, "it takes POST only"), ("BREW", "/limits", "", 405, "it takes GET, PUT only"),
      ("GET", "/jobs?limit=0", "", 400, "limit is not a whole number from 1 to 2000"),
      ("GET", "/jobs?limit=2001", "", 400, "limit is not"), ("GET", "/jobs?after=-1", "", 400, "after is not"),
      ("GET", "/jobs?states=done", "", 400, "\"done\" is not a state"),
      ("GET", "/jobs?states=", "", 400, "\"\" is not a state"),
      ("GET", "/jobs?states=%FF", "", 400, "the query is not UTF-8"),
      ("POST", "/jobs", "", 400, "the body must have jobs or metalink or list"),
      ("POST", "/jobs", "[]", 400, "the body is an array, but must be an object"),
      ("POST", "/jobs", "nonsense", 400, "it is not JSON"),
      ("POST", "/jobs", "{\"jobs\":[]}", 400, "jobs is empty"),
      ("POST", "/jobs", #"{"jobs":[{"url":7}]}"#, 400, "jobs[0].url is a number, but must be a string"),
      ("POST", "/jobs", #"{"jobs":[{"url":""}]}"#, 400, "jobs[0].url is empty"),
      ("POST", "/jobs", #"{"jobs":[{}]}"#, 400, "url is missing from jobs[0]"),
      ("POST", "/jobs", #"{"jobs":[{"url":"a","dirctory":"d"}]}"#, 400, "jobs[0].dirctory is not a field"),
      ("POST", "/jobs", #"{"jobs":[{"url":"a","priority":1.5}]}"#, 400, "jobs[0].priority is not a whole number"),
      ("POST", "/jobs", #"{"jobs":[{"url":"a","priority":1e99}]}"#, 400, "jobs[0].priority is not a whole number"),
      ("POST", "/jobs", #"{"jobs":[{"url":"a","after":[0]}]}"#, 400, "jobs[0].after[0] is not a whole number"),
      ("POST", "/jobs", #"{"jobs":[{"url":"a"}],"list":"b"}"#, 400, "list is not a field"),
      ("POST", "/jobs/actions", #"{"action":"explode","ids":[1]}"#, 400, "action must be"),
      ("POST", "/jobs/actions", #"{"action":"pause"}"#, 400, "ids is missing"),
      ("POST", "/jobs/actions", #"{"action":"pause","all":false}"#, 400, "all must be true"),
      ("POST", "/jobs/move", #"{"ids":[1],"place":"middle"}"#, 400, "place must be"),
      ("PATCH", "/jobs/3", #"{"limitRate":"fast"}"#, 400, "limitRate:"),
      ("PATCH", "/jobs/3", #"{"queue":"a b"}"#, 400, "queue:"),
      ("PATCH", "/queues/a%20b", "{}", 404, "is not the name of a queue"),
      ("PATCH", "/queues/a", #"{"quota":"10G"}"#, 400, "quota:"),
      ("PATCH", "/queues/a", #"{"rate":"fast"}"#, 400, "rate:"),
      ("PATCH", "/queues/a", #"{"between":"night"}"#, 400, "between:"),
      ("PATCH", "/queues/a", #"{"jobs":0}"#, 400, "jobs is not"),
      ("PATCH", "/jobs/3", #"{"limitRate":"0"}"#, 400, "limitRate:"),
      ("POST", "/session", #"{"secret":7}"#, 400, "secret is a number"),
      ("POST", "/session", #"{"secret":"a","secret":"b"}"#, 400, "occurs twice"),
      ("POST", "/feeds", #"{"url":"http://h/f"}"#, 400, "list is missing"),
      ("PUT", "/limits", #"{"overallRate":null,"timetable":[],"jobs":0}"#, 400, "jobs"),
    ] as [(String, String, String, Int, String)])
  func refusals(_ method: String, _ target: String, _ body: String, _ status: Int, _ words: String) {
    let failure = #expect(throws: APIFailure.self) { try Self.call(method, target, body) }
    #expect(failure?.status == status)
    #expect(failure?.message.contains(words) ?? false, "\(failure?.message ?? "")")
  }

  @Test func aWriteSaysThatItIsJSON() {
    for fields in [[:], ["Content-Type": "text/plain"], ["Content-Type": "application/x-www-form-urlencoded"]]
      as [WebFields]
    {
      for (method, target) in [("POST", "/jobs"), ("DELETE", "/session"), ("POST", "/jobs/1/pause")] {
        let failure = #expect(throws: APIFailure.self) { try Self.call(method, target, "", fields) }
        #expect(failure?.status == 415)
      }
    }
    #expect(throws: Never.self) {
      try Self.call("POST", "/jobs/1/pause", "", ["content-type": "Application/JSON ; charset=utf-8"])
    }
  }

  @Test func depth() {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    for body in [deep, #"{"jobs":\#(deep)}"#, String(repeating: #"{"jobs":"#, count: 100_000)] {
      let failure = #expect(throws: APIFailure.self) { try Self.call("POST", "/jobs", body) }
      #expect(failure?.status == 400)
      #expect(failure?.message.contains("nested") ?? false)
    }
  }

  @Test(arguments: [
    ("a", true), (String(repeating: "k", count: 128), true), ("", false), (String(repeating: "k", count: 129), false),
    ("ü", false), ("a\u{1}", false),
  ])
  func keys(_ key: String, _ isGood: Bool) {
    let request = WebRequest(method: "POST", path: "/api/v1/jobs", fields: ["Idempotency-Key": key])
    #expect((try? APIReading.key(of: request)) == (isGood ? key : nil))
  }

  @Test func errorsAreObjects() throws {
    var failure = APIFailure(405, .badRequest, "a \"b\"", advice: "c\n")
    failure.fields["Allow"] = "GET"
    let response = failure.response
    #expect(
      response.status == 405 && response.fields["Allow"] == "GET"
        && response.fields["Content-Type"] == "application/json")
    guard case .bytes(let body) = response.content else {
      Issue.record("\(response.content)")
      return
    }
    #expect(
      String(decoding: body, as: UTF8.self) == #"{"error":{"code":"bad-request","message":"a \"b\"","advice":"c\n"}}"#)
  }
}
