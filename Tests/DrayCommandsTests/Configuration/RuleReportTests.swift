// What `dray config check URL` says about the sections of the configuration.

import DrayCore
import DrayDocuments
import Testing

@testable import DrayCommands

@Suite("Report on rules")
struct RuleReportTests {
  private func lines(_ url: String, _ configuration: String) throws -> [String] {
    let document = try ConfigurationDocument.parse(configuration)
    let paths = ValuePaths(file: "/c/config.toml", home: "/home/u")
    var job = JobSpecification.plain
    job.request = TransferRequest(url: try RequestURL.parse(url).url)
    return RuleReport.lines(
      job.request.url, RuleFacts(job), try RuleSections.rules(document, paths),
      try HostSections.rules(document, paths))
  }

  @Test("no line has a secret: neither that of a proxy nor that of a server (P7)")
  func secrets() throws {
    let lines = try lines(
      "https://a.example/f.iso",
      """
      [host."a.example"]
      proxy = "http://ann:s3cret@proxy:3128"
      cookie = "sid=s3cret"
      user = "ann:s3cret"
      header = "X-Key: s3cret"
      referer = "https://r.example/?token=s3cret"
      limit-rate = "2M"
      """)
    #expect(!lines.joined(separator: "\n").contains("s3cret"), "\(lines)")
    let hosts = try #require(lines.first { $0.contains("[host]") })
    #expect(hosts.hasPrefix("  [host] sections set header X-Key, user, "), "\(hosts)")
    for part in ["proxy = http://…@proxy:3128", "referer = https://r.example/?token=…", "limit-rate = 2M", "cookie"] {
      #expect("\(hosts), ".contains(", \(part), "), "\(part): \(hosts)")
    }
  }

  @Test(
    "what [host] sections set, and whether secrets are withheld",
    arguments: [
      ("", "https", "nothing"), ("", "http", "nothing"),
      ("user = 'ann:pw'", "http", "nothing; secrets are for https only"),
      ("user = 'ann:pw'\nlimit-rate = '2M'", "http", "limit-rate = 2M; secrets are for https only"),
      ("user = 'ann:pw'\nlimit-rate = '2M'", "https", "user, limit-rate = 2M"),
      ("limit-rate = '2M'", "http", "limit-rate = 2M"),
    ])
  func hosts(_ section: String, _ scheme: String, _ words: String) throws {
    let lines = try lines("\(scheme)://a.example/f", "[host.\"a.example\"]\n\(section)\n")
    #expect(lines.contains("  [host] sections set \(words)"), "\(lines)")
  }

  @Test("rules that match, and those that wait for the answer")
  func rules() throws {
    let lines = try lines(
      "https://a.example/f.iso",
      """
      [[rule]]
      name = "*.iso"
      dir = "/images"
      limit-rate = "2M"
      [[rule]]
      min-size = "1G"
      dir = "/large"
      queue = "slow"
      """)
    let text = lines.joined(separator: "\n")
    #expect(text.contains("\n  dir = /images (") && text.contains("\n  limit-rate = 2M ("), "\(text)")
    #expect(lines.last?.hasSuffix(" matches then: queue = slow") == true, "\(lines)")
  }
}
