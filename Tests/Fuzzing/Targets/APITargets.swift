// Requests of the native API: the result of a body, and the permitted places of its jobs.

import Foundation

@testable import DrayCore
@testable import DrayDocuments
@testable import DrayServer
@testable import WebServer

extension FuzzTarget {
  private static let apiWords = [
    "{", "}", "[", "]", ",", ":", "\"jobs\"", "\"url\"", "\"http://a.example/f\"", "\"file:///etc/passwd\"",
    "\"directory\"", "\"output\"", "\"..\"", "\"../a\"", "\"/b\"", "\"headers\"", "\"A: b\"", "\"A: b\\r\\nC: d\"",
    "\"mirrors\"", "\"checksum\"", "\"limitRate\"", "\"9M\"", "\"group\"", "\"priority\"", "\"after\"", "\"proxy\"",
    "\"ids\"", "\"before\"", "\"action\"", "\"undo\"", "\"timetable\"", "\"from\"", "\"08:00\"", "\"days\"",
    "\"mon-fri\"", "-1", "1e9", "18446744073709551616", "null", "true", "\\ud800", "\u{FF}",
  ]

  private static let apiSeeds = [
    #"{"jobs":[{"url":"http://a.example/f","directory":"b","output":"c","headers":["A: b"],"limitRate":"1M"}]}"#,
    #"{"jobs":[{"url":"http://a.example/f","mirrors":["http://b.example/f"],"checksum":"md5=00","after":[1]}]}"#,
    #"{"overallRate":"2M","timetable":[{"from":"08:00","to":"18:00","days":"mon-fri","rate":null}],"jobs":"auto"}"#,
    #"{"overallRate":null,"timetable":[],"jobs":2,"window":"Mon-Fri 22:00-06:00"}"#,
    #"{"action":"undo","undo":["a"]}"#, #"{"ids":[1,2],"before":3}"#, #"{"url":"http://a.example/f","list":true}"#,
  ]

  /// The prefix of a body in this target: its route.
  private static let apiRoutes = ["/jobs", "/limits", "/jobs/actions", "/jobs/move", "/feeds", "/jobs/7"]

  static let apiCalls = FuzzTarget(
    "bodies of the API", words: apiWords, seeds: apiSeeds.map { Array($0.utf8) }, rounds: 800
  ) { (bytes: [UInt8]) throws(Violation) in
    for path in apiRoutes {
      for method in ["POST", "PUT", "PATCH"] {
        let request = WebRequest(
          method: method, path: APIRoutes.root + path, fields: ["Content-Type": "application/json"], body: bytes)
        let result = Result { () throws(APIFailure) in try APIReading.call(of: request) }
        switch result {
        case .success(let call): try holdCall(call)
        case .failure(let failure):
          try hold((400..<500).contains(failure.status), "what is no call is the client's error: \(failure.status)")
          guard case .bytes(let body) = failure.response.content,
            (try? JSONNode.parse(body, kind: "an error")) != nil
          else { throw Violation("an error is JSON: \(failure.message)") }
        }
      }
    }
  }

  private static func holdCall(_ call: APICall) throws(Violation) {
    switch call {
    case .add(.jobs(let orders)): for order in orders { try holdJob(order) }
    case .setLimits(let limits):
      guard let text = try? LimitsRule(limits).text else { return }
      guard (try? RateRule.parse(text)) != nil else { throw Violation("a timetable is a rule: \(text)") }
    case .act(_, let ids), .move(let ids, _): try hold(ids.allSatisfy { $0 > 0 }, "numbers of jobs are positive")
    default: break
    }
  }

  private static func holdJob(_ order: JobOrder) throws(Violation) {
    guard let job = try? order.specification(base: "/base") else { return }
    let rule = OutsideRule(directories: AllowedDirectories(["/base"]))
    guard let permitted = try? rule.permitted(job) else { return }
    let (directory, parts) = (permitted.directory, permitted.directory.split(separator: "/"))
    try hold(parts.first == "base" && !parts.contains(".."), "a job stays below the roots: \(directory)")
    if let output = permitted.output {
      try hold(output != ".." && output != "." && !output.contains("/"), "a name is one: \(output)")
    }
    try hold(["http", "https", "ftp", "ftps"].contains(permitted.request.url.scheme), "nobody outside names a file")
    for line in permitted.request.headers.flatMap({ [$0.name, $0.value] }) {
      try hold(!line.unicodeScalars.contains { $0 == "\r" || $0 == "\n" || $0 == "\0" }, "a field stays one line")
    }
  }

  static let apiTargets = FuzzTarget(
    "paths and queries of the API",
    words: [
      "/", "/jobs", "/jobs/", "/parts", "/pause", "7", "?", "limit=", "after=", "states=", "queued", "%2C", "%FF", "&",
    ],
    seeds: ["/jobs?states=queued,active&after=7&limit=9", "/jobs/7/parts", "/events?cursor=a-7"], rounds: 800
  ) { (text: String) throws(Violation) in
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let request = WebRequest(
      path: APIRoutes.root + (parts.first ?? ""), query: parts.count > 1 ? parts[1] : nil)
    switch try? APIReading.call(of: request) {
    case .job(let id)?, .parts(let id)?: try hold(id > 0, "numbers of jobs are positive")
    case .jobs(let window)?: try hold((1...JobsWindow.most).contains(window.limit), "a page is bounded")
    case .events(let cursor?)?:
      if let read = EventCursor(cursor) {
        try hold(EventCursor(read.description) == read, "a cursor is read as it is written")
      }
    default: break
    }
  }
}
