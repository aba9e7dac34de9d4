// The settings for aria2's options, and refusals.

import DrayCore
import DrayDocuments
import Testing

@testable import DrayServer

@Suite struct Aria2OptionTests {
  private static func specification(_ options: String, grants: Aria2Grants = [], url: String = "http://host/f") throws
    -> JobSpecification
  {
    let members = try #require(try JSONNode.parse(Array(options.utf8), kind: "a test").object)
    let values = try Aria2Option.read(members, \.isOfJobs)
    var job = JobSpecification(request: TransferRequest(url: try RequestURL.parse(url).url), directory: "/base")
    try OptionMeaning.apply(Set(values.keys), of: values, to: &job, grants)
    return job
  }

  @Test(
    arguments: [
      (#"{"dir":"/d"}"#, "/d", 0, nil), (#"{"dir":"sub"}"#, "/base/sub", 0, nil), (#"{"dir":""}"#, "/base", 0, nil),
      (#"{"dir":"/d//e/./"}"#, "/d/e", 0, nil), (#"{"out":"f"}"#, "/base", 0, "f"),
      (#"{"out":"a/b/f"}"#, "/base/a/b", 2, "f"), (#"{"dir":"/d","out":"a/f"}"#, "/d/a", 1, "f"),
      (#"{"dir":["/d"]}"#, "/base", 0, nil), (#"{"dir":"s3://bucket/p/"}"#, "s3://bucket/p", 0, nil),
      (#"{"dir":"s3://bucket","out":"a/f"}"#, "s3://bucket/a", 1, "f"),
    ] as [(String, String, Int, String?)])
  func places(_ options: String, _ directory: String, _ depth: Int, _ output: String?) throws {
    let job = try Self.specification(options)
    #expect(job.directory == directory)
    #expect(job.foreignDepth == depth)
    #expect(job.output == output)
  }

  @Test(arguments: [
    #"{"dir":"s3://bucket/../e"}"#, #"{"dir":"s3://bucket//e"}"#, #"{"dir":"/d/../e"}"#, #"{"dir":".."}"#,
    #"{"dir":"/a\u0000b"}"#, #"{"out":"../f"}"#, #"{"out":"/etc/passwd"}"#,
    #"{"out":"a/../../f"}"#, #"{"out":"a//f"}"#, #"{"header":": x"}"#, #"{"header":["A: b\rC: d"]}"#,
    #"{"header":"A b: c"}"#, #"{"header":"X(y): 1"}"#, #"{"user-agent":"a\nb"}"#, #"{"referer":"\u007f"}"#,
    #"{"split":"0"}"#, #"{"split":"-1"}"#,
    #"{"max-download-limit":"9999999999999999M"}"#, #"{"timeout":"0"}"#, #"{"dry-run":"true"}"#,
    #"{"parameterized-uri":"true"}"#, #"{"checksum":"md5"}"#, #"{"all-proxy":"a b"}"#, #"{"seed-ratio":"nan"}"#,
    #"{"all-proxy":"proxy:8080"}"#, #"{"http-proxy":"http://proxy"}"#,
  ])
  func refused(_ options: String) {
    #expect(throws: RPCFailure.self) { try Self.specification(options) }
  }

  @Test func whatIsAskedFor() throws {
    let job = try Self.specification(
      """
      {"header":["A: 1","Range: bytes=0-","B:2","accept-encoding: gzip","no colon"],"referer":" http://r/ ","user-agent":"u",
      "http-user":"me","http-passwd":"pw","ftp-user":"other","http-no-cache":"true","timeout":"7","connect-timeout":"8"}
      """)
    #expect(job.request.headers == [HeaderField("A", "1"), HeaderField("B", "2")])
    #expect(job.request.referer == "http://r/")
    #expect(job.request.userAgent == "u")
    #expect(job.request.credentials == Credentials(user: "me", password: "pw"))
    #expect(job.request.cache == CachePolicy(noCache: true))
    #expect(job.request.stallTimeout == 7)
    #expect(job.request.connectTimeout == 8)
    let told = OptionMeaning.values(of: job)
    #expect(told["http-user"] == "me")
    #expect(told["http-passwd"] == nil)
    #expect(told["header"] == "A: 1\nB: 2\n")
  }

  @Test("a field that nobody may set is not sent", arguments: FieldRule.own.sorted() + ["host"])
  func ownFields(_ name: String) throws {
    let job = try Self.specification(#"{"header":["A: 1","\#(name): x"]}"#)
    #expect(job.request.headers == [HeaderField("A", "1")])
  }

  @Test func fieldsThatWereLeftEmpty() throws {
    let job = try Self.specification(#"{"header":"","referer":"","http-user":"","http-passwd":"","out":"","dir":""}"#)
    #expect(job.request == TransferRequest(url: job.request.url))
  }

  @Test func thePlaceIsToldAsItWasSaid() throws {
    let said = ["dir": "/base/below", "out": "f"]
    var job = try Self.specification(#"{"dir":"/base/below","out":"f"}"#)
    // The service adds this, where only /base is allowed.
    job.foreignDepth = 1
    #expect(OptionMeaning.values(of: job, said: said).filter { said.keys.contains($0.key) } == said)
    #expect(OptionMeaning.values(of: job)["out"] == "below/f")
  }

  @Test(
    arguments: [
      (#"{"split":"4","max-connection-per-server":"3"}"#, 3), (#"{"split":"100"}"#, 64), (#"{"split":"2"}"#, 2),
      (#"{"max-connection-per-server":"16"}"#, 16), ("{}", nil),
    ] as [(String, Int?)])
  func connections(_ options: String, _ count: Int?) throws {
    #expect(try Self.specification(options).options.maxConnections == count)
  }

  @Test(
    arguments: [
      (#"{"allow-overwrite":"true"}"#, .overwrite), (#"{"auto-file-renaming":"false"}"#, .fail),
      (#"{"auto-file-renaming":"true"}"#, .rename), (#"{"allow-overwrite":"false"}"#, .rename),
      (#"{"allow-overwrite":"true","auto-file-renaming":"false"}"#, .overwrite),
    ] as [(String, ConflictPolicy)])
  func targetsThatAreTaken(_ options: String, _ policy: ConflictPolicy) throws {
    #expect(try Self.specification(options).options.onConflict == policy)
  }

  @Test(
    arguments: [
      (#"{"max-tries":"0"}"#, JobOptions.retryRange.upperBound, 1), (#"{"max-tries":"1"}"#, 0, 1),
      (#"{"max-tries":"6","retry-wait":"9"}"#, 5, 9), (#"{"retry-wait":"0"}"#, 5, 1),
    ] as [(String, Int, Double)])
  func retries(_ options: String, _ retries: Int, _ wait: Double) throws {
    let job = try Self.specification(options)
    #expect(job.options.retries == retries)
    #expect(job.options.retryWait == wait)
  }

  @Test(
    arguments: [
      (#"{"all-proxy":"p:1"}"#, "http://h/", "http://p:1"),
      (#"{"all-proxy":"p:1","http-proxy":"https://q"}"#, "http://h/", "https://q"),
      (#"{"http-proxy":"q"}"#, "https://h/", nil), (#"{"https-proxy":""}"#, "https://h/", ""),
      (
        #"{"all-proxy":"p:1","all-proxy-user":"a@b","all-proxy-passwd":"c:d/é"}"#, "http://h/",
        "http://a%40b:c%3Ad%2F%C3%A9@p:1"
      ),
      (#"{"http-proxy":"http://x:y@p","http-proxy-user":"a"}"#, "http://h/", "http://x:y@p"),
      (#"{"ftp-proxy":"q"}"#, "ftp://h/f", "http://q"),
    ] as [(String, String, String?)])
  func proxies(_ options: String, _ url: String, _ proxy: String?) throws {
    #expect(try Self.specification(options, grants: .proxy, url: url).request.proxy == proxy)
  }

  @Test func noProxyNeedsNoPermission() throws {
    #expect(try Self.specification(#"{"all-proxy":""}"#).request.proxy == "")
    #expect(try Self.specification(#"{"all-proxy-user":"a"}"#).request.proxy == nil)
  }

  @Test func aProxyIsToldWithoutItsPassword() throws {
    let job = try Self.specification(#"{"http-proxy":"http://me:pw@p:1"}"#, grants: .proxy)
    #expect(OptionMeaning.values(of: job)["http-proxy"]?.contains("pw") == false)
    let kept = ["all-proxy": "http://me:pw@p:1", "http-proxy": "http://p:1", "http-proxy-passwd": "pw", "split": "2"]
    #expect(Aria2Option.withoutSecrets(kept) == ["http-proxy": "http://p:1", "split": "2"])
  }

  @Test(
    arguments: [
      (.size(0...Int64.max), "50K", "51200"), (.size(0...Int64.max), "1m", "1048576"), (.size(0...10), "11", nil),
      (.size(0...Int64.max), "1G", nil), (.size(0...Int64.max), "-1", nil), (.boolean, "TRUE", nil),
      (.integer(1...16), "016", "16"), (.integer(1...16), "17", nil), (.integer(1...16), "1.0", nil),
      (.choice(["a"]), "b", nil), (.lines, "a", "a\n"), (.lines, "a\n", "a\n"), (.lines, "", ""),
      (.decimal, "1.5", "1.5"), (.decimal, "inf", nil),
      (.digest, "sha-1=" + String(repeating: "A", count: 40), "sha-1=" + String(repeating: "a", count: 40)),
    ] as [(OptionForm, String, String?)])
  func forms(_ form: OptionForm, _ text: String, _ normal: String?) {
    #expect(form.normal(text) == normal)
  }

  @Test func namesAreUnique() {
    #expect(Set(Aria2Option.all.map(\.name)).count == Aria2Option.all.count)
    #expect(OptionMeaning.names.isSubset(of: Aria2Option.all.map(\.name)))
  }

  @Test(
    "a command line may abbreviate names, and use letters",
    arguments: [
      ("split", "split"), ("max-conn", "max-connection-per-server"), ("check-c", "check-certificate"), ("max", nil),
      ("", nil), ("en", nil), ("no-such-option", nil), ("no-conf", "no-conf"),
    ] as [(String, String?)])
  func namesOnALine(_ typed: String, _ name: String?) {
    #expect(Aria2Option.named(typed)?.name == name)
  }

  @Test func letters() {
    for (letter, name) in ["x": "max-connection-per-server", "Z": "force-sequential", "q": "quiet"] {
      #expect(Aria2Option.lettered(Character(letter))?.name == name)
    }
    #expect(Aria2Option.lettered("y") == nil)
    // Each letter leads to an option.
    #expect("acdDijklmMnoOpPqRsStTuUVxZ".allSatisfy { Aria2Option.lettered($0) != nil })
  }

  @Test func switches() throws {
    for name in ["continue", "quiet", "dry-run", "optimize-concurrent-downloads"] {
      #expect(Aria2Option.named(name)?.isSwitch == true)
    }
    #expect(Aria2Option.named("follow-torrent")?.isSwitch == false)
    let option = try #require(Aria2Option.named("continue"))
    #expect(option.accepts("false"))
    #expect(!option.accepts("no"))
  }

  @Test("what only a command line has is shown to clients, and no client sets it")
  func ofLine() throws {
    let given = Aria2Option.usual { $0.place != .jobOnly }
    #expect(given["conf-path"] == "" && given["quiet"] == "true")
    let job = try Self.specification(#"{"input-file":"x","quiet":"true"}"#)
    let plain = try Self.specification("{}")
    #expect(job == plain)
  }
}
