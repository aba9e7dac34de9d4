// The hosts that a pattern matches, the order of patterns, and the effect of a rule on a request.

import Testing

@testable import DrayCore

@Suite("Host rules")
struct HostRulesTests {
  private func origin(_ url: String) throws -> Origin { try RequestURL.parse(url).url.origin }

  @Test(
    "patterns and origins",
    arguments: [
      ("example.org", "https://example.org/", true), ("example.org", "http://example.org:81/", true),
      ("example.org", "https://www.example.org/", false), ("EXAMPLE.org", "https://example.org/", true),
      ("*.example.org", "https://a.example.org/", true), ("*.example.org", "https://a.b.example.org/", true),
      ("*.example.org", "https://example.org/", false), ("*.example.org", "https://badexample.org/", false),
      ("*", "http://anything/", true), ("https://a.example", "https://a.example/", true),
      ("https://a.example", "http://a.example/", false), ("https://a.example", "https://a.example:8443/", false),
      ("https://a.example:8443", "https://a.example:8443/", true), ("a.example:8443", "http://a.example:8443/", true),
      ("a.example:8443", "http://a.example/", false), ("bücher.example", "https://xn--bcher-kva.example/", true),
      ("[::1]", "http://[::1]:80/", true), ("[::1]:81", "http://[::1]:81/", true), ("http://*", "https://x/", false),
    ])
  func matches(_ pattern: String, _ url: String, _ expected: Bool) throws {
    #expect(try HostPattern.parse(pattern).matches(try origin(url)) == expected)
  }

  @Test(
    "invalid patterns", arguments: ["", "a.*.org", "*x.org", "a b", "a:0", "a:99999", "://a", "https://", "a/b"])
  func refused(_ text: String) {
    #expect(throws: HostPatternError.self) { try HostPattern.parse(text) }
  }

  @Test("the most specific pattern decides, key by key")
  func precedence() throws {
    let patterns = ["*", "*.org", "*.example.org", "a.example.org", "https://a.example.org", "a.example.org:443"]
    let rules = HostRules(
      try patterns.enumerated().map { index, text in
        var settings = HostSettings()
        settings["user-agent"] = text
        if index == 1 { settings["referer"] = "https://r/" }
        if index == 2 { settings.headers = [HeaderField("X-A", "wild"), HeaderField("X-B", "wild")] }
        if index == 3 { settings.headers = [HeaderField("x-a", "exact")] }
        return .init(try HostPattern.parse(text), settings)
      })
    let found = try #require(rules.settings(for: try origin("https://a.example.org/")))
    #expect(found["user-agent"] == "a.example.org:443" && found["referer"] == "https://r/")
    #expect(found.headers == [HeaderField("x-a", "exact"), HeaderField("X-B", "wild")])
    #expect(rules.settings(for: try origin("https://b.example.org/"))?["user-agent"] == "*.example.org")
    #expect(rules.settings(for: try origin("https://x.net/"))?["user-agent"] == "*")
  }

  private func secrets(_ pattern: String) throws -> HostRules {
    var settings = HostSettings()
    settings.credentials = Credentials(user: "ann", password: "pw")
    settings.headers = [HeaderField("X-Key", "7")]
    settings["user-agent"] = "agent"
    return HostRules([.init(try HostPattern.parse(pattern), settings)])
  }

  @Test("secrets go over http only where the pattern says so (P7)")
  func plainHTTP() throws {
    let request = TransferRequest(url: try RequestURL.parse("http://a.example/").url)
    let loose = try secrets("a.example").request(request, at: request.url)
    #expect(loose.credentials == nil && loose.headers.isEmpty && loose.userAgent == "agent")
    let strict = try secrets("http://a.example").request(request, at: request.url)
    #expect(strict.credentials?.user == "ann" && strict.headers.count == 1)
  }

  @Test(
    "whether secrets are withheld",
    arguments: [
      (["a.example"], "http://a.example/", true), (["a.example"], "https://a.example/", false),
      (["http://a.example"], "http://a.example/", false), (["a.example"], "http://b.example/", false),
      (["a.example"], "ftp://a.example/f", false), ([], "http://a.example/", false),
      // The settings of the first pattern are complete.
      (["http://a.example", "a.example"], "http://a.example/", false),
    ] as [([String], String, Bool)])
  func withholding(_ patterns: [String], _ url: String, _ expected: Bool) throws {
    let rules = HostRules(try patterns.flatMap { try secrets($0).rules })
    #expect(rules.withholdsSecrets(from: try origin(url)) == expected)
    var harmless = HostSettings()
    harmless["limit-rate"] = "1000"
    let others = HostRules(try patterns.map { .init(try HostPattern.parse($0), harmless) })
    #expect(try others.withholdsSecrets(from: origin(url)) == false)
  }

  @Test("the job's own settings take precedence")
  func jobsOwn() throws {
    var request = TransferRequest(url: try RequestURL.parse("https://a.example/").url)
    request.headers = [HeaderField("x-key", "own")]
    request.credentials = Credentials(user: "own", password: "")
    request.userAgent = "own"
    #expect(try secrets("a.example").request(request, at: request.url) == request)
  }

  @Test("at another origin none of the job's own settings are left (P7)")
  func otherOrigin() throws {
    var request = TransferRequest(url: try RequestURL.parse("https://home.example/").url)
    request.headers = [HeaderField("Authorization", "secret")]
    (request.cookie, request.referer, request.netrcFile) = ("c", "r", "/n")
    request.authentication = AuthenticationOptions()
    request.authentication?.bearer = "secret"
    let hop = try RequestURL.parse("https://a.example/f").url
    let sent = try secrets("a.example").request(request, at: hop)
    #expect(sent.url == hop && sent.headers == [HeaderField("X-Key", "7")] && sent.credentials?.user == "ann")
    #expect(sent.cookie == nil && sent.referer == nil && sent.netrcFile == nil && sent.authentication?.bearer == nil)
    let elsewhere = try RequestURL.parse("https://b.example/f").url
    #expect(try secrets("a.example").request(request, at: elsewhere) == request)
  }

  /// A text for each setting that is valid in a section.
  private static let texts = [
    "cookie": "a=b", "user-agent": "agent", "referer": "http://r/", "proxy": "http://p:1", "cacert": "/ca.pem",
    "insecure": "yes", "limit-rate": "1000", "max-connections": "64", "retries": "1000000", "retry-wait": "7",
    "retry-status": "403", "connect-timeout": "7", "stall-timeout": "7", "max-redirs": "3", "pace": "30/m",
    "jitter": "7",
  ]

  private func everything() throws -> HostSettings {
    var settings = HostSettings()
    settings.headers = [HeaderField("X-Key", "7")]
    settings.bearer = "token"
    for (name, text) in Self.texts { settings[name] = text }
    return settings
  }

  @Test("each setting has an effect, at a hop or when a job is added", arguments: HostSettings.settings.map(\.name))
  func everyKey(_ name: String) throws {
    let url = try RequestURL.parse("https://a.example/").url
    var one = HostSettings()
    let text: String = try #require(Self.texts[name], "give \(name) a text")
    one[name] = text
    let rules = HostRules([.init(try HostPattern.parse("a.example"), one)])
    let plain = JobSpecification(request: TransferRequest(url: url), directory: "/")
    var job = plain
    one.apply(to: &job, given: [])
    let hop = rules.request(plain.request, at: url)
    #expect(job != plain || hop != plain.request)
    job = plain
    one.apply(to: &job, given: [name])
    #expect(job == plain, "it was given")
  }

  @Test("which keys apply to a hop, and which to a new job")
  func allKeys() throws {
    let url = try RequestURL.parse("https://a.example/").url
    let all = try everything()
    let hop = HostRules([.init(try HostPattern.parse("a.example"), all)]).request(TransferRequest(url: url), at: url)
    #expect(hop.cookie == "a=b" && hop.userAgent == "agent" && hop.referer == "http://r/")
    #expect(hop.proxy == "http://p:1" && hop.caFile == "/ca.pem" && hop.isInsecure)
    #expect(hop.authentication?.bearer == "token")
    #expect(hop.connectTimeout == 30 && hop.stallTimeout == 30 && hop.headers == [HeaderField("X-Key", "7")])
    // The settings for all hosts are removed, so that the hop finds the host's own.
    var job = JobSpecification(request: TransferRequest(url: url), directory: "/")
    (job.request.cookie, job.request.userAgent, job.request.referer) = ("own", "all", "all")
    (job.request.proxy, job.request.caFile) = ("http://all:1", "all")
    all.apply(to: &job, given: ["referer"])
    let (added, options) = (job.request, job.options)
    #expect(added.cookie == "own" && added.userAgent == nil && added.referer == "all" && added.proxy == nil)
    #expect(added.caFile == nil && added.isInsecure && added.connectTimeout == 7 && added.stallTimeout == 7)
    #expect(options.rateLimit == 1000 && options.maxConnections == 64 && options.retries == 1_000_000)
    #expect(options.retryWait == 7)
  }

  @Test("secrets stay with the hosts of their pattern; other keys need not")
  func secretKeys() throws {
    let open = try everything().withoutSecrets
    #expect(open.headers.isEmpty && open.bearer == nil && open["cookie"] == nil)
    #expect(Set(open.values.keys) == Set(Self.texts.keys).subtracting(["cookie"]))
  }

  @Test("names of keys are unique")
  func unique() { #expect(Set(HostSettings.keys).count == HostSettings.keys.count) }
}
