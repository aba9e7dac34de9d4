// Which hosts a pattern means, which pattern comes first, and what a rule does to a request.

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

  @Test("the most specific has the word, key by key")
  func precedence() throws {
    let patterns = ["*", "*.org", "*.example.org", "a.example.org", "https://a.example.org", "a.example.org:443"]
    let rules = HostRules(
      try patterns.enumerated().map { index, text in
        var settings = HostSettings()
        settings["user-agent"] = .text(text)
        if index == 1 { settings["referer"] = .text("https://r/") }
        if index == 2 { settings.headers = [HeaderField("X-A", "wild"), HeaderField("X-B", "wild")] }
        if index == 3 { settings.headers = [HeaderField("x-a", "exact")] }
        return .init(try HostPattern.parse(text), settings)
      })
    let found = try #require(rules.settings(for: try origin("https://a.example.org/")))
    #expect(found["user-agent"] == .text("a.example.org:443") && found["referer"] == .text("https://r/"))
    #expect(found.headers == [HeaderField("x-a", "exact"), HeaderField("X-B", "wild")])
    #expect(rules.settings(for: try origin("https://b.example.org/"))?["user-agent"] == .text("*.example.org"))
    #expect(rules.settings(for: try origin("https://x.net/"))?["user-agent"] == .text("*"))
  }

  private func secrets(_ pattern: String) throws -> HostRules {
    var settings = HostSettings()
    settings.credentials = Credentials(user: "ann", password: "pw")
    settings.headers = [HeaderField("X-Key", "7")]
    settings["user-agent"] = .text("agent")
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

  @Test("the job's own settings take precedence")
  func jobsOwn() throws {
    var request = TransferRequest(url: try RequestURL.parse("https://a.example/").url)
    request.headers = [HeaderField("x-key", "own")]
    request.credentials = Credentials(user: "own", password: "")
    request.userAgent = "own"
    #expect(try secrets("a.example").request(request, at: request.url) == request)
  }

  @Test("at another origin nothing of the job's own is left (P7)")
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

  /// Settings of every key, as a configuration could have them.
  private func everything() throws -> HostSettings {
    var settings = HostSettings()
    settings.headers = [HeaderField("X-Key", "7")]
    settings.bearer = "token"
    for key in HostSettingKey.all {
      switch key.form {
      case .fields, .user, .password, .bearer: continue
      case .fieldValue, .proxy, .file: settings[key.name] = .text(key.name)
      case .flag: settings[key.name] = .flag(true)
      case .rate: settings[key.name] = .number(1000)
      case .count(let range): settings[key.name] = .number(Int64(range.upperBound))
      case .seconds: settings[key.name] = .seconds(7)
      }
    }
    return settings
  }

  @Test("each key does something, at a hop or when a job is added")
  func everyKey() throws {
    let url = try RequestURL.parse("https://a.example/").url
    let all = try everything()
    for key in HostSettingKey.all where all[key.name] != nil {
      var one = HostSettings()
      one[key.name] = all[key.name]
      let rules = HostRules([.init(try HostPattern.parse("a.example"), one)])
      let plain = TransferRequest(url: url)
      var (request, options) = (plain, JobOptions())
      one.apply(to: &request, given: [])
      one.apply(to: &options, given: [])
      let isFixed = request != plain || options != JobOptions()
      #expect(isFixed || rules.request(plain, at: url) != plain, "\(key.name)")
      (request, options) = (plain, JobOptions())
      one.apply(to: &request, given: [key.name])
      one.apply(to: &options, given: [key.name])
      #expect(request == plain && options == JobOptions(), "\(key.name) was given")
    }
  }

  @Test("which keys apply to a hop, and which to a new job")
  func allKeys() throws {
    let url = try RequestURL.parse("https://a.example/").url
    let all = try everything()
    let hop = HostRules([.init(try HostPattern.parse("a.example"), all)]).request(TransferRequest(url: url), at: url)
    #expect(hop.cookie == "cookie" && hop.userAgent == "user-agent" && hop.referer == "referer")
    #expect(hop.proxy == "proxy" && hop.caFile == "cacert" && hop.isInsecure && hop.authentication?.bearer == "token")
    #expect(hop.connectTimeout == 30 && hop.stallTimeout == 30 && hop.headers == [HeaderField("X-Key", "7")])
    // The settings for all hosts are removed, so that the hop finds the host's own.
    var added = TransferRequest(url: url)
    (added.cookie, added.userAgent, added.referer, added.proxy, added.caFile) = ("own", "all", "all", "all", "all")
    var options = JobOptions()
    all.apply(to: &added, given: ["referer"])
    all.apply(to: &options, given: [])
    #expect(added.cookie == "own" && added.userAgent == nil && added.referer == "all" && added.proxy == nil)
    #expect(added.caFile == nil && added.isInsecure && added.connectTimeout == 7 && added.stallTimeout == 7)
    #expect(options.rateLimit == 1000 && options.maxConnections == 64 && options.retries == 1_000_000)
    #expect(options.retryWait == 7)
  }

  @Test("secrets stay with the hosts of their pattern; other keys need not")
  func secretKeys() throws {
    let open = try everything().withoutSecrets
    #expect(open.headers.isEmpty && open.bearer == nil && open["cookie"] == nil)
    #expect(Set(open.values.keys) == Set(HostSettingKey.all.filter { !$0.isSecret }.map(\.name)))
  }

  @Test("names of keys are unique")
  func unique() { #expect(Set(HostSettingKey.all.map(\.name)).count == HostSettingKey.all.count) }
}
