// Jobs, their details and heads of answers as JSON, compared with the schema and with the documentation.

import DrayDocuments
import DrayKit
import DrayStore
import DrayWire
import Foundation
import JSONSchema
import Testing

@testable import DrayKit

@Suite("JSON of jobs and heads")
struct JobJSONTests {
  private func check(_ json: JSONText, _ definition: String) throws -> JSONValue {
    let text = json.text
    #expect(text.hasSuffix("\n") && !text.dropLast().contains("\n") && !text.contains("s3cret"), "\(text)")
    let value = try JSONValue(parsing: text)
    #expect(try JSONSchema.wire().problems(value, as: definition, .closed) == [], "\(text)")
    #expect(try JSONSchema.wire().problems(value, .closed) == [], "\(text)")
    return value
  }

  @Test("a new job, and a job with every field")
  func jobs() throws {
    let new = try check(Samples.facts().line, "job")
    #expect(new["partFile"] == .null && new["received"] == .number(0) && new["addedAt"] == .number(1.25))
    let job = try Samples.full().job
    let hold = OriginHold(
      try RequestURL.parse("http://h/").url.origin, until: 20.5, since: 10, job: 2, askedBy: "http://h/f", status: 429)
    let known = try check(
      JobFacts(job, after: [3, 4], hold: hold, live: nil, names: .plain, isFile: { $0 == job.partFile }).line, "job")
    #expect(new["hold"] == .null && known["hold"]?["origin"] == .string("http://h"))
    #expect(known["hold"]?["job"] == .number(2) && known["hold"]?["askedBy"] == .string("http://h/f"))
    #expect(known["hold"]?["until"] == .number(20.5) && known["hold"]?["status"] == .number(429))
    #expect(known["partFile"] == .string(job.partFile) && known["after"] == .array([.number(3), .number(4)]))
    #expect(new["group"] == .null && known["group"]?["id"] == .number(3) && known["group"]?["name"] == .string("pub"))
    #expect(known["error"]?["httpStatus"] == .number(503) && known["received"] == .number(5))
  }

  @Test("P7: no secret of a source's name is shown, neither with a job nor with its group")
  func sourceSecrets() throws {
    var job = try Samples.job()
    let name = "own:https://h/?token=s3cret"
    job.specification.options.source = SourceReference(name: name, pinned: name + "&v=1", path: "f")
    job.group = GroupLabel(id: 3, name: name)
    let facts = JobFacts(job, live: nil, names: .plain, isFile: { _ in false })
    let text = JobDetails(job: job, facts: facts, attempts: []).json.text
    #expect(!text.contains("s3cret") && text.contains("own:https://h/?token=…"), "\(text)")
    #expect(JobGroup(source: name, directory: "/d")?.name == "own:https://h/?token=…")
  }

  @Test("what a job waits for, and its labels")
  func waits() throws {
    var job = try Samples.job()
    job.specification.options.labels = try JobLabel.parse(all: ["gpu,site=n"])
    job.specification.queue = "films"
    func value(_ context: WaitContext?, after: [JobID] = [], hold: OriginHold? = nil) throws -> JSONValue {
      try check(
        JobFacts(job, after: after, hold: hold, live: nil, names: .plain, waits: context, isFile: { _ in false }).line,
        "job")
    }
    let hold = OriginHold(job.specification.request.url.origin, until: 20, since: 1)
    let plain = WaitContext(now: 5, zone: .utc)
    #expect(try value(nil)["waits"] == .null && value(plain)["waits"] == .null)
    #expect(try value(plain)["labels"] == .array([.string("gpu"), .string("site=n")]))
    let first = try value(plain, after: [3], hold: hold)["waits"]
    #expect(first?["for"] == .string("prerequisite") && first?["jobs"] == .array([.number(3)]))
    let held = try value(plain, hold: hold)["waits"]
    #expect(held?["for"] == .string("hold") && held?["until"] == .number(20) && held?["origin"] == .string("http://h"))
    let queue = try value(WaitContext(now: 5, queues: ["films": .paused]), hold: hold)["waits"]
    #expect(queue?["for"] == .string("queue") && queue?["gate"] == .string("paused") && queue?["until"] == .null)
    let full = try value(WaitContext(now: 5, origins: (limit: 8, active: ["http://h": 8])))["waits"]
    #expect(full?["for"] == .string("origin") && full?["limit"] == .number(8))
    (job.state, job.runner) = (.active, Samples.uuid)
    let silent = try value(WaitContext(now: 5, runners: [RunnerRecord(runner: Samples.uuid, leaseAge: 20)]))["waits"]
    #expect(silent?["for"] == .string("lease") && silent?["age"] == .number(20))
  }

  @Test("a job that a runner has: its numbers are the runner's")
  func live() throws {
    var job = try Samples.full().job
    job.state = .active
    let entry = ProgressEntry(job: 1, received: 8, size: 10, rate: 2.75, phase: .receiving)
    let value = try check(JobFacts(job, live: entry, names: .plain, isFile: { _ in true }).line, "job")
    #expect(value["received"] == .number(8) && value["size"] == .number(10) && value["rate"] == .number(2))
  }

  @Test("details of both jobs")
  func details() throws {
    let new = try Samples.job()
    let none: (String) -> Bool = { _ in false }
    let empty = JobDetails(job: new, facts: JobFacts(new, live: nil, names: .plain, isFile: none), attempts: [])
    #expect(try check(empty.json, "details")["response"] == .null)
    let (job, attempts) = try Samples.full()
    let full = JobDetails(job: job, facts: JobFacts(job, live: nil, names: .plain, isFile: none), attempts: attempts)
    let value = try check(full.json, "details")
    #expect(value["segments"] == .array([.array([.number(0), .number(5)])]))
    #expect(value["request"]?["fields"] == .array([.string("X-Api-Key: …")]))
    #expect(value["response"]?["redirects"]?.elements?.first?["to"] == .string("https://h/f?token=…"))
    #expect(value["attemptHistory"]?.elements?.map { $0["outcome"] } == [.string("interrupted"), .string("failed")])
  }

  @Test("the upload of a job whose target is an object")
  func upload() throws {
    var job = try Samples.job()
    job.specification.directory = "s3://bucket/p"
    job.state = .interrupted
    let plan = try #require(UploadPlan(length: 20 << 20))
    job.checkpoint.size = 20 << 20
    job.checkpoint.upload = ObjectUpload(
      key: "p/f", id: "id", plan: plan, parts: [ObjectUpload.Part(number: 1, size: 8 << 20, etag: "e")])
    func details(_ job: Job) -> JobDetails {
      JobDetails(job: job, facts: JobFacts(job, live: nil, names: .plain, isFile: { _ in false }), attempts: [])
    }
    let value = try check(details(job).json, "details")["upload"]
    #expect(value?["id"] == .string("id") && value?["key"] == .string("p/f") && value?["parts"] == .number(1))
    #expect(value?["bytes"] == .number(Double(8 << 20)) && value?["partSize"] == .number(Double(8 << 20)))
    job.state = .complete
    #expect(try check(details(job).json, "details")["upload"] == .null)
  }

  @Test("the source of a job, and the files of a name")
  func sources() throws {
    var job = try Samples.job()
    job.specification.options.source = SourceReference(name: "x:y@main", pinned: "x:y@c1", revision: "c1", path: "a/b")
    let facts = JobFacts(job, live: nil, names: .plain, isFile: { _ in false })
    let source = try check(JobDetails(job: job, facts: facts, attempts: []).json, "details")["source"]
    #expect(source?["name"] == .string("x:y@main") && source?["exactName"] == .string("x:y@c1"))
    #expect(source?["revision"] == .string("c1") && source?["path"] == .string("a/b"))
    let url = try RequestURL.parse("https://h/a?token=s3cret").url
    let known = OfferedFile(
      urls: [url], name: "d/a", size: 5, digest: DigestValue(.sha256, bytes: Array(repeating: 1, count: 32)))
    let answer = SourceAnswer(
      pinned: SourceName(scheme: "x", rest: "y@c1"), revision: nil,
      entries: [.init(known, path: "a"), .init(OfferedFile(urls: [url], name: "b"), path: "b")], remarks: ["r"])
    var json = JSONText()
    DocumentJSON.write(answer, of: SourceName(scheme: "x", rest: "y"), size: 5, to: &json)
    json.endLine()
    let files = try check(json, "files")
    #expect(files["exactName"] == .string("x:y@c1") && files["files"]?.elements?.count == 2)
    #expect(files["files"]?.elements?.first?["target"] == .string("d/a"))
  }

  @Test("a head, with and without connection")
  func heads() throws {
    var response = try Samples.response()
    func line() throws -> JSONText {
      let report = ProbeReport(response: response, facts: ResponseFacts(response), usedRange: false)
      return HeadJSON.line(report, url: try Samples.specification().request.url)
    }
    let full = try check(try line(), "info")
    #expect(full["tls"]?["subject"] == .string("h") && full["links"]?.elements?.count == 1)
    #expect(full["resumable"] == .bool(true) && full["charset"] == .string("utf-8"))
    (response.connection, response.hops) = (nil, nil)
    let empty = try check(try line(), "info")
    #expect(empty["tls"] == .null && empty["timings"] == .null && empty["redirects"] == .array([]))
  }

  @Test("displayed header fields hide secrets")
  func fields() {
    #expect(SafeHead.request(HeaderField("X-Api-Key", "s3cret")) == "X-Api-Key: …")
    #expect(SafeHead.request(HeaderField("Accept", "a/b")) == "Accept: a/b")
    #expect(SafeHead.response(HeaderField("Set-Cookie", "id=s3cret; Path=/")).value == "id=…; Path=/")
    #expect(SafeHead.response(HeaderField("Location", "/f?token=s3cret")).value == "/f?token=…")
    #expect(SafeHead.response(HeaderField("X-Auth-Token", "s3cret")).value == "…")
    #expect(SafeHead.response(HeaderField("Server", "x/1")).value == "x/1")
  }

  @Test("the schema lists every value")
  func values() throws {
    let schema = try JSONSchema.wire()
    let lists: [(String, [String])] = [
      ("$defs/job/properties/state/enum", JobState.allCases.map(\.rawValue)),
      ("$defs/failure/properties/code/enum", Failure.Kind.allCases.map(\.rawValue)),
      ("$defs/request/properties/onConflict/enum", ConflictPolicy.allCases.map(\.rawValue)),
      ("$defs/request/properties/resume/enum", ResumeMode.allCases.map(\.rawValue)),
    ]
    for (path, values) in lists {
      #expect(Set(schema.value(path)?.elements?.compactMap(\.string) ?? []) == Set(values), "\(path)")
    }
    #expect(schema.value("$id") == .string("urn:x-dray:wire:\(Wire.version)"))
  }

  @Test("every field and every event of the schema is documented")
  func documented() throws {
    let schema = try JSONSchema.wire()
    let events = schema.definitions.filter { $0.hasPrefix("event-") }.map { String($0.dropFirst("event-".count)) }
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let text = try String(contentsOf: root.appending(path: "docs/manual/dray-formats.7.txt"), encoding: .utf8)
    // The fields of a line are in another section of the manual page.
    var names = Set(events)
    for definition in schema.definitions where definition != "line" {
      names.formUnion(schema.properties(of: definition))
    }
    for name in names.sorted() {
      #expect(text.contains("`\(name)`"), "\(name)")
    }
    for kind in Failure.Kind.allCases { #expect(text.contains(kind.rawValue), "\(kind)") }
  }

  @Test("only input that matches the schema is accepted")
  func lines() throws {
    let schema = try JSONSchema.wire()
    let example = #"{"url": "https://example.org/a.iso", "out": "first.iso", "size": 4096}"#
    #expect(schema.problems(try JSONValue(parsing: example), as: "line", .closed) == [])
    #expect(schema.properties(of: "line") == Set(ListLine.names))
    for (name, shape) in ListLine.fields {
      let values: [(SettingShape, String)] = [
        (.string, #""text""#), (.integer, "7"), (.integers, "[7]"), (.strings, #"["text"]"#),
        (.object, #"{"a": "text"}"#), (.boolean, "true"),
      ]
      for (kind, value) in values {
        let url = name == "url" ? "" : #""url": "http://h/", "#
        let line = try JSONValue(parsing: "{\(url)\"\(name)\": \(value)}")
        let isAllowed = kind == shape || shape == .integers && kind == .integer
        #expect(schema.problems(line, as: "line").isEmpty == isAllowed, "\(name): \(value)")
      }
    }
    #expect(schema.problems(try JSONValue(parsing: #"{"out": "x"}"#), as: "line") != [])
    #expect(schema.problems(try JSONValue(parsing: #"{"url": "http://h/", "ouy": "x"}"#), as: "line") != [])
  }
}
