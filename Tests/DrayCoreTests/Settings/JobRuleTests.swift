// Rules for new jobs: which conditions hold, and which rule a setting is from.

import Foundation
import Testing

@testable import DrayCore

@Suite struct JobRuleTests {
  private func job(_ url: String = "https://dl.example.org/pub/Film.MKV?x=1") throws -> JobSpecification {
    JobSpecification(request: TransferRequest(url: try RequestURL.parse(url).url), directory: "/here")
  }

  private func rule(_ place: String, _ keys: [(String, [String])]) throws -> JobRule {
    var rule = JobRule(place: place)
    for (key, texts) in keys {
      let isKnown = try rule.take(key, texts)
      #expect(isKnown, "\(key)")
    }
    return rule
  }

  @Test(
    arguments: [
      ("host", ["*.example.org"], .holds), ("host", ["example.org"], .fails),
      ("host", ["example.org", "https://*.example.org"], .holds), ("host", ["http://*"], .fails),
      ("name", ["*.mkv"], .holds), ("name", ["film"], .holds), ("name", ["film?"], .fails), ("name", ["*.iso"], .fails),
      ("type", ["video/*"], .holds), ("type", ["video/matroska"], .holds), ("type", ["image/*", "video/mp4"], .fails),
      ("min-size", ["1G"], .unknown), ("max-size", ["10"], .unknown),
    ] as [(String, [String], JobRule.Verdict)])
  func conditions(key: String, texts: [String], verdict: JobRule.Verdict) throws {
    let rule = try rule("c:1", [(key, texts), ("retries", ["9"])])
    let facts = RuleFacts(try job())
    #expect(rule.conditions.map { $0.verdict(facts) } == [verdict])
    #expect(rule.matches(facts) == (verdict == .holds))
  }

  @Test func factsOfAJob() throws {
    var job = try job("ftp://h/a/data")
    #expect(RuleFacts(job).type == nil && RuleFacts(job).name == "data")
    job.output = "x.zip"
    job.options.expectedSize = 2048
    let facts = RuleFacts(job)
    #expect(facts.name == "x.zip" && facts.type == "application/zip" && facts.size == 2048)
    let sizes = try rule("c:1", [("min-size", ["2k"]), ("max-size", ["2k"]), ("dir", ["/big"])])
    #expect(sizes.matches(facts))
    job.options.expectedSize = 2049
    #expect(!sizes.matches(RuleFacts(job)))
    job.options.expectedType = ExpectedType("image/png")
    #expect(RuleFacts(job).type == "image/png")
  }

  @Test func eachSettingIsFromTheFirstRuleThatMatchesAndHasIt() throws {
    let rules = JobRules([
      try rule("c:1", [("name", ["*.iso"]), ("dir", ["/iso"]), ("priority", ["9"])]),
      try rule("c:5", [("host", ["*"]), ("max-connections", ["3"]), ("between", ["Sat"])]),
      try rule("c:9", [("type", ["video/*"]), ("dir", ["/v//./x/"]), ("max-connections", ["7"]), ("retries", ["1"])]),
    ])
    var job = try job()
    let chosen = rules.chosen(for: RuleFacts(job)).map { "\($0.name)=\($0.text) \($0.place)" }
    #expect(Set(chosen) == ["dir=/v/x c:9", "between=Sat c:5", "max-connections=3 c:5", "retries=1 c:9"])
    var kept = job
    rules.apply(to: &job, given: ["retries"], keepsDirectory: false)
    #expect(job.directory == "/v/x" && job.options.maxConnections == 3 && job.window?.description == "Sat")
    #expect(job.options.retries == JobOptions().retries && job.priority == 0)
    rules.apply(to: &kept, given: [], keepsDirectory: true)
    #expect(kept.directory == "/here" && kept.options.retries == 1)
  }

  /// The queue films has a directory, and books has none.
  @Test(
    arguments: [
      ([("queue", ["films"])], [], false, "films", "/films"), ([("queue", ["books"])], [], false, "books", "/here"),
      ([("queue", ["films"]), ("dir", ["/v"])], [], false, "films", "/v"),
      ([("queue", ["films"])], [], true, "films", "/here"), ([("queue", ["films"])], ["queue"], false, nil, "/here"),
      ([("retries", ["9"])], [], false, nil, "/here"),
    ] as [([(String, [String])], Set<String>, Bool, String?, String)])
  func aRuleChoosesAQueueAndItsDirectory(
    _ keys: [(String, [String])], _ given: Set<String>, _ keepsDirectory: Bool, _ queue: String?, _ directory: String
  ) throws {
    let rules = JobRules([try rule("c:1", [("name", ["*.mkv"])] + keys)])
    let named = keys.filter { $0.0 == "queue" }.flatMap { $0.1 }
    #expect(rules.queues == Set(named))
    var job = try job()
    rules.apply(to: &job, given: given, keepsDirectory: keepsDirectory, directories: ["films": "/films"])
    #expect(job.queue == queue && job.directory == directory)
    // It does not match.
    var other = try self.job("http://h/other")
    rules.apply(to: &other, given: given, keepsDirectory: keepsDirectory, directories: ["films": "/films"])
    #expect(other.queue == nil && other.directory == "/here")
  }

  @Test(
    arguments: [
      ("host", ["a b"]), ("host", []), ("name", [""]), ("type", ["video"]), ("min-size", ["big"]),
      ("max-size", ["1", "2"]), ("dir", ["films"]), ("dir", ["/a/../b"]), ("limit-rate", ["0"]), ("between", ["night"]),
      ("queue", ["a b"]), ("retries", ["1", "2"]),
    ] as [(String, [String])])
  func refused(key: String, texts: [String]) {
    #expect(throws: SettingProblem.self) {
      var rule = JobRule(place: "c:1")
      _ = try rule.take(key, texts)
    }
  }

  /// The answer's type and size; the settings that follow. The rules: 1 large videos, 2 by name, 3 large files.
  @Test(
    arguments: [
      ("video/mp4", 5000, ["/v", "3", "9", "big"]), ("video/mp4", 10, ["/here", "nil", "9", "nil"]),
      ("text/plain", 5000, ["/big", "7", "9", "big"]), (nil, nil, ["/here", "nil", "9", "nil"]),
      ("application/octet-stream", 5000, ["/big", "7", "9", "big"]),
    ] as [(String?, Int64?, [String])])
  func theAnswerDecides(type: String?, size: Int64?, expected: [String]) throws {
    let rules = JobRules([
      try rule("c:1", [("type", ["video/*"]), ("min-size", ["1000"]), ("dir", ["/v"]), ("max-connections", ["3"])]),
      try rule("c:2", [("name", ["data"]), ("retries", ["9"])]),
      try rule(
        "c:3",
        [
          ("min-size", ["1000"]), ("dir", ["/big"]), ("max-connections", ["7"]), ("queue", ["big"]), ("retries", ["1"]),
        ]),
    ])
    var job = try job("https://h/data")
    rules.apply(to: &job, given: [], keepsDirectory: false)
    #expect(job.directory == "/here" && job.options.lateRules?.count == 2)
    let head = ResponseHead(status: 200, fields: type.map { [HeaderField("Content-Type", $0)] } ?? [])
    let asked = job
    job.decideRules(RuleFacts(job, head, size: size, name: "data"))
    let found = [
      job.directory, job.options.maxConnections.map { "\($0)" } ?? "nil", "\(job.options.retries)", job.queue ?? "nil",
    ]
    #expect(found == expected)
    #expect(job.options.lateRules == nil)
    #expect(job.options.partDirectory == (job.directory == "/here" ? nil : "/here"))
    // A repeated request finds the job.
    let stored = Job(id: 1, uuid: UUID(), specification: job, addedAt: 0)
    #expect(asked.following(stored).directory == job.directory)
  }

  @Test func whatTheUserChoosesIsNotDecidedByTheAnswer() throws {
    let rules = JobRules([
      try rule("c:1", [("min-size", ["1k"]), ("dir", ["/v"]), ("max-connections", ["3"]), ("queue", ["films"])])
    ])
    var job = try job("https://h/data")
    rules.apply(to: &job, given: ["max-connections"], keepsDirectory: true, directories: ["films": "/films"])
    #expect(job.options.lateRules?.map(\.values) == [["queue": "films"]])
    #expect(job.options.lateRules?.first?.directory == nil && job.options.lateRules?.first?.queueDirectory == nil)
    job.withdrawRules(for: ["queue"])
    #expect(job.options.lateRules == nil)
  }

  @Test(arguments: ["resume", "max-time", "max-filesize"])
  func whatTheAnswerCannotChange(key: String) throws {
    let value = ["resume": "never", "max-time": "9", "max-filesize": "1M"][key] ?? ""
    #expect(try rule("c:1", [("type", ["video/*"]), (key, [value])]).problem?.contains("leave \(key) out") == true)
    #expect(try rule("c:1", [("name", ["*"]), (key, [value])]).problem == nil)
  }

  @Test func placesInObjectStores() throws {
    var early = JobRule(place: "c:1")
    #expect(try early.take("name", ["*.iso"]) && early.take("dir", ["s3://bucket/isos/"]))
    #expect(early.directory == "s3://bucket/isos" && early.problem == nil)
    #expect(
      try rule("c:1", [("type", ["video/*"]), ("dir", ["s3://bucket/v"])]).problem?.contains("host or name") == true)
    #expect(throws: SettingProblem.self) { try early.take("dir", ["s3://bucket//v"]) }
  }

  @Test func incompleteRules() throws {
    var rule = JobRule(place: "c:1")
    let isKnown = try rule.take("header", ["A: b"])
    #expect(!isKnown)
    #expect(rule.problem?.contains("no jobs") == true)
    _ = try rule.take("name", ["*"])
    #expect(rule.problem?.contains("does nothing") == true)
    _ = try rule.take("on-conflict", ["rename"])
    #expect(rule.problem == nil)
    #expect(JobRule.settings.allSatisfy { !$0.isOfOneServer && $0.notForAll == nil })
  }
}
