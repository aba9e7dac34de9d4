// The table of settings, row by row: valid and invalid texts, and the resulting job.

import Testing

@testable import DrayCore

@Suite struct SettingTableTests {
  /// For each plain setting, a text other than the default, and the text that is then shown.
  private static let samples: [String: (text: String, shown: String)] = [
    "priority": ("5", "5"), "after": ("3, 4,3", "3"), "start-at": ("@1700000000", "@1700000000.0"),
    "queue": ("films", "films"), "label": ("a,site=n,a", "a,site=n"),
    "between": ("1:00-7:00", "01:00-07:00"), "on-conflict": ("rename", "rename"), "resume": ("always", "always"),
    "checksum": ("crc32=00112233", "crc32=00112233"), "size": ("7", "7"), "expect-type": ("image/*", "image/*"),
    "allow-type": ("text/html,image/*", "text/html,image/*"), "mirror": ("http://m/f", "http://m/f"),
    "max-connections": ("4", "4"), "limit-rate": ("1k", "1024"), "max-time": ("2m", "120"),
    "max-filesize": ("1k", "1024"),
    "retries": ("9", "9"), "retry-wait": ("0.5", "0.5"), "max-retry-wait": ("2h", "7200"),
    "retry-status": ("403, 5XX,403", "403,5xx"), "user-agent": ("a", "a"),
    "referer": ("http://r/", "http://r/"), "proxy": ("p:1", "http://p:1"), "resolve": ("*:80:[::1]", "*:80:[::1]"),
    "interface": ("lo, eth0", "lo,eth0"), "connect-timeout": ("7", "7"), "stall-timeout": ("1.5", "1.5"),
    "pace": ("30/1m", "30/m"), "jitter": ("1m", "60"), "max-redirs": ("3", "3"),
    "proto": ("=HTTPS, http", "=http,https"),
    "hostpubsha256": ("SHA256:\(String(repeating: "a", count: 43))=", String(repeating: "a", count: 43)),
    "storage-class": ("glacier", "GLACIER"), "sse": ("aes256", "AES256"), "acl": ("Private", "private"),
    "meta": ("A=b", "a=b"), "tag": ("A=b", "A=b"), "upload-memory": ("64M", "67108864"),
    "checksum-source": ("Metalink", "Metalink"), "part-stem": ("x", "x"), "cookies-taken": ("a\tb", "a\tb"),
  ]

  private static let plain = Setting.all.filter(\.isPlain)

  @Test("a text becomes a value, the value is shown, and no text resets it", arguments: plain.map(\.name))
  func oneByOne(_ name: String) throws {
    // These need several texts, or another setting.
    guard !["pieces", "aws-session-token"].contains(name) else { return }
    let setting = try #require(Setting.named(name))
    let sample = setting.isFlag ? ("yes", "yes") : try #require(Self.samples[name], "give \(name) a sample")
    var job = JobSpecification.plain
    #expect(setting.isUnset(in: job) && setting.isReset(in: job))
    try setting.set([sample.0], in: &job)
    #expect(setting.values(job).first == sample.1 && !setting.isUnset(in: job))
    var copied = JobSpecification.plain
    setting.copy(job, &copied)
    #expect(setting.values(copied) == setting.values(job))
    try setting.set(setting.values(job), in: &copied)
    #expect(setting.values(copied) == setting.values(job), "it reads what it shows")
    try setting.set([], in: &job)
    if name != "if-changed" { #expect(job == JobSpecification.plain) }
  }

  /// Settings that clients may not name, and why a job that has them by other means needs no permission.
  private static let refusedByName = [
    "pass": "needs cert", "proxy-user": "needs proxy", "pinnedpubkey": "trusts less", "endpoint-url": "a signature",
    "aws-profile": "a signature", "target-profile": "the place", "storage-class": "the place", "sse": "the place",
    "acl": "the place", "meta": "the place", "tag": "the place", "upload-memory": "the place",
  ]

  /// The rule in the setting's row applies to every call of a client (P22).
  @Test(
    "a setting refused to clients needs a permission, and a field of theirs none", arguments: Setting.all.map(\.name))
  func clients(_ name: String) throws {
    let setting = try #require(Setting.named(name))
    if case .refused = setting.client {
      #expect((setting.outside == nil) == (Self.refusedByName[name] != nil))
    } else {
      #expect(setting.outside == nil && Self.refusedByName[name] == nil)
    }
    guard setting.isPlain, let text = setting.isFlag ? "yes" : Self.samples[name]?.text else { return }
    var job = JobSpecification.plain
    try setting.set([text], in: &job)
    #expect(OutsideRule.wants(job) == [setting.outside?.want].compactMap(\.self))
  }

  @Test(
    "an invalid text is refused, and the job is unchanged",
    arguments: [
      ("pace", "0"), ("pace", "10/"), ("jitter", "-1"), ("retries", "x"), ("retries", "-1"),
      ("interface", "a,,b"), ("interface", "a,a"), ("interface", "a,b,c,d,e,f,g,h,i"), ("retry-status", "200"),
      ("retry-status", "4x"), ("retry-status", "403,"),
      ("stall-timeout", "0"), ("limit-rate", "0"), ("max-filesize", "0"),
      ("user-agent", "a\nb"), ("referer", "a\0"), ("proxy", "gopher://p"), ("proxy", "http://p/x"), ("resolve", "h:80"),
      ("insecure", "maybe"), ("on-conflict", "x"), ("max-redirs", "1001"), ("proto", "=gopher"), ("proto", "-all"),
      ("max-connections", "0"), ("after", "1,x"), ("queue", "a b"), ("queue", "-x"), ("label", "a b"), ("label", "a,"),
      ("storage-class", "a b"), ("storage-class", ""), ("sse", "x"), ("acl", "a,b"), ("meta", "a"),
      ("meta", "dray-x=1"),
      ("tag", "aws:a=b"), ("upload-memory", "15M"), ("upload-memory", "0"),
      ("mirror", "x"), ("size", "-7"), ("start-at", "yesterday"), ("hostpubsha256", "x"), ("pieces", "sha-256"),
    ])
  func refused(_ name: String, _ text: String) throws {
    let setting = try #require(Setting.named(name))
    var job = JobSpecification.plain
    #expect(throws: SettingProblem.self) { try setting.set([text], in: &job) }
    #expect(job == JobSpecification.plain)
  }

  @Test(
    "schemes, as curl writes them",
    arguments: [
      ("=https", ["https"]), ("=https,http", ["http", "https"]), ("-all,https", ["https"]), ("=ftp,gopher", ["ftp"]),
      ("-http,-ftp,-ftps,-sftp,-s3,-file", ["https"]), ("https", Scheme.all.map(\.name)),
    ])
  func schemes(_ text: String, _ allowed: [String]) throws {
    var job = JobSpecification.plain
    try #require(Setting.named("proto")).set([text], in: &job)
    #expect(job.request.redirects?.schemes == allowed)
  }

  @Test("defaults are shown in readable form")
  func defaults() {
    let shown = [
      "retries", "retry-wait", "max-retry-wait", "stall-timeout", "max-redirs", "max-connections", "on-conflict",
    ]
    .map { Setting.named($0)?.usual ?? "" }
    #expect(shown == ["5", "1 s", "1 h", "30 s", "20", "auto", "fail"])
  }

  @Test("switching a flag off removes only its own value")
  func siblings() throws {
    var job = JobSpecification.plain
    job.request.addressFamily = .ipv6
    try #require(Setting.named("ipv4")).set(["no"], in: &job)
    #expect(job.request.addressFamily == .ipv6)
    try #require(Setting.named("ipv6")).set(["no"], in: &job)
    #expect(job.request.addressFamily == .any)
    #expect(Setting.contradiction(in: ["ipv4", "ipv6", "http2"])?.names == ["ipv4", "ipv6"])
    #expect(Setting.contradiction(in: ["ipv4", "http2"]) == nil)
  }

  @Test("names and JSON fields are unique, and groups name existing settings")
  func names() {
    #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
    #expect(Set(ListLine.names).count == ListLine.names.count)
    for setting in Setting.all {
      for other in setting.group { #expect(Setting.named(other) != nil, "\(setting.name): \(other)") }
    }
  }

  @Test("settings for one server are never given to the job of a client")
  func clients() {
    for setting in Setting.all where setting.isOfOneServer || setting.name == "header" {
      #expect(!setting.isForClients, "\(setting.name)")
    }
  }
}
