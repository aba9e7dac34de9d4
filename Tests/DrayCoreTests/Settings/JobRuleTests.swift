// Rules for new jobs: which conditions hold, and which rule a setting is from.

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
