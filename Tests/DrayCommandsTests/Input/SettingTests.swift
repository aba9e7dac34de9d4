// The settings of jobs: typed, edited, and written as complete lines.

import ArgumentParser
import DrayKit
import DrayWire
import Foundation
import Testing

@testable import DrayCommands

@Suite struct SettingTests {
  private func sample(_ change: (inout JobSpecification) -> Void = { _ in }) throws -> JobSpecification {
    let url = try RequestURL.parse("http://h/f").url
    var job = JobSpecification(request: TransferRequest(url: url), directory: "/base")
    change(&job)
    return job
  }

  private func job(_ specification: JobSpecification) -> Job {
    Job(id: 7, uuid: UUID(), specification: specification, addedAt: 1)
  }

  /// The job after `dray set 7 WORDS`.
  private func set(
    _ words: [String], _ before: JobSpecification, _ surroundings: Surroundings = .fixed()
  ) throws -> JobSpecification {
    let (_, settings) = try SettingWords.parse(words)
    return try JobEditing.change(
      job(before), settings.given(for: before), prerequisites: [], surroundings
    ).specification
  }

  private func said(_ words: [String], _ before: JobSpecification) -> String {
    do {
      _ = try set(words, before)
      return ""
    } catch {
      return (error as? Failure)?.message ?? "\(error)"
    }
  }

  /// Options that together set everything that a line can say.
  private static let everything: [[String]] = [
    [
      "-o", "name", "-d", "dir", "--priority", "5", "--on-conflict", "rename", "--resume", "always", "--checksum",
      "md5=00112233445566778899aabbccddeeff", "--expect-type", "image/*", "--verify", "auto", "--verify-key",
      "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3", "--mirror", "http://m/f", "--mirror", "http://n/f",
      "-x", "3", "--limit-rate", "500k", "--retries", "0", "--retry-wait", "0.5", "--max-retry-wait", "2h",
      "--no-mtime", "--retry-status", "403,5xx", "--xattr",
    ],
    [
      "-H", "X-A: 1", "-H", "X-B;", "-H", "Accept:", "-A", "agent", "-e", "http://r/", "-b", "a=b", "-b", "file",
      "--no-cookies", "--proxy", "socks5://p:1", "--cacert", "file", "-k", "-4", "--resolve",
      "h:80:127.0.0.1", "--resolve", "*:*:[::1]", "--interface", "lo", "--http1.1", "--connect-timeout", "7",
      "--stall-timeout", "1.5", "--pace", "1/2s", "--jitter", "0.5",
      "--no-cache", "-u", "ann:pw:x", "--digest", "--pinnedpubkey",
      "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "--capath", "dir", "--proxy-user", "p:q",
      "--proxy-digest",
    ],
    ["--proxy", "", "-6", "--http2", "--oauth2-bearer", "token", "--start-at", "2100-01-01T10:00", "--if-changed"],
    [
      "-k", "--netrc-file", "file", "-u", "ann", "--cert", "file", "--key", "ca.pem", "--pass", "p", "--cookie-jar",
      "jar", "--temp-dir", "unfinished", "--seed", "file", "--seed", "ca.pem", "--zsync", "http://m/f.zsync?k=1",
    ],
    [
      "--storage-class", "GLACIER", "--sse", "aws:kms/k", "--acl", "private", "--meta", "a=b", "--meta", "c=d", "--tag",
      "e=f", "--upload-memory", "64M",
    ],
    ["--on-complete", "notify 'a b' it\\'s", "--on-error", "sh -c 'x; y'"],
  ]

  @Test("a line is complete: it becomes an equal job", arguments: everything.indices)
  func roundTrip(_ index: Int) throws {
    let before = try #require(try specifications(Self.everything[index] + ["http://h/f"]).first)
    let line = ExportLine(job(before), prerequisites: [], sums: BlockSums(), reveals: true)
    var list = InputList()
    list.isOwn = true
    try list.read(line.json.bytes, name: "list")
    var arguments = try SettingArguments.parse([])
    arguments.job.inputFile = "list"
    let template = try JobTemplate(arguments.job, arguments.request, .fixed())
    var after = try #require(try SpecificationList(list, template, arguments.job, .fixed(), .plain).first)
    after.given = nil
    #expect(after == before, "\(line.json.text)")
    // `dray add -i` reads the line in the same way, unless it has settings reserved for the user.
    if index < 3 {
      #expect(try specifications(["-i", "-"], .fixed(input: line.json.text)) == [before])
    }
  }

  @Test("without --reveal a line has no secret, and all omitted secrets are counted")
  func secrets() throws {
    let before = try #require(try specifications(Self.everything[1] + ["http://h/f"]).first)
    let line = ExportLine(job(before), prerequisites: [], sums: BlockSums(), reveals: false)
    for secret in ["pw:x", "a=b", "p:q", "X-A"] { #expect(!line.json.text.contains(secret)) }
    #expect(line.secrets == 4, "\(line.json.text)")
    #expect(line.json.text.contains("agent") && line.json.text.contains("Accept:"))
    let url = try sample { $0.request.url = (try? RequestURL.parse("http://h/f?token=x").url) ?? $0.request.url }
    #expect(ExportLine.objection(to: job(url), reveals: false) != nil)
    #expect(ExportLine.objection(to: job(url), reveals: true) == nil)
  }

  @Test(
    "a list from elsewhere runs nothing, writes nothing, and reads no files",
    arguments: [
      #""on-complete": "rm x""#, #""on-error": "rm x""#, #""cookie-jar": "/base/jar""#, #""netrc-file": "/base/file""#,
      #""oauth2-bearer": "@/base/file""#, #""cert": "/base/file""#, #""user": "ann""#,
    ])
  func foreign(_ field: String) {
    let failure = refusal(["-i", "-"], .fixed(input: "{\"url\": \"http://h/f\", \(field)}\n"))
    #expect(
      failure?.kind == .usage && failure?.subject.hasPrefix("standard input:1") ?? false,
      "\(String(describing: failure))")
  }

  private static let wordCases: [(words: [String], change: @Sendable (inout JobSpecification) -> Void)] = [
    (["retries=9"], { $0.options.retries = 9 }), (["limit-rate=1k"], { $0.options.rateLimit = 1024 }),
    (["limit-rate=off"], { _ in }), (["priority=-3"], { $0.priority = -3 }),
    (["header=A: 1", "header=B: 2"], { $0.request.headers = [HeaderField("A", "1"), HeaderField("B", "2")] }),
    (["user=ann:pw"], { $0.request.credentials = Credentials(user: "ann", password: "pw") }),
    (["proxy=off"], { $0.request.proxy = "" }), (["insecure=yes"], { $0.request.isInsecure = true }),
    (["out=x"], { $0.output = "x" }), (["out=dir/x"], { ($0.directory, $0.output) = ("/base/dir", "x") }),
    (["dir=dir"], { $0.directory = "/base/dir" }),
    (["dir=/base/dir", "out=x"], { ($0.directory, $0.output) = ("/base/dir", "x") }),
    (["retries="], { _ in }), (["size=9"], { $0.options.expectedSize = 9 }),
  ]

  @Test("words", arguments: wordCases.indices)
  func words(_ index: Int) throws {
    let (words, change) = Self.wordCases[index]
    let (after, expected) = (try set(words, try sample()), try sample(change))
    #expect(after == expected, "\(words)")
  }

  @Test("KEY= removes, += adds, and a header field replaces the field of the same name")
  func adding() throws {
    let before = try sample {
      $0.request.headers = [HeaderField("X-Key", "old"), HeaderField("B", "2")]
      $0.options.retries = 9
      $0.request.addressFamily = .ipv6
    }
    let added = try set(["header+=x-key: new", "retries="], before)
    #expect(added.request.headers == [HeaderField("B", "2"), HeaderField("x-key", "new")])
    #expect(added.options.retries == 5)
    #expect(try set(["header="], before).request.headers.isEmpty)
    // Missing values do not come from the sibling.
    #expect(try set(["ipv4="], before).request.addressFamily == .ipv6)
    #expect(try set(["ipv6="], before).request.addressFamily == .any)
  }

  @Test("a token replaces user and password, and vice versa; a password comes from the environment")
  func credentials() throws {
    let user = try set(["user=ann"], try sample(), .fixed(environment: ["DRAY_PASSWORD": "pw"]))
    #expect(user.request.credentials == Credentials(user: "ann", password: "pw"))
    let token = try set(["oauth2-bearer=t"], user)
    #expect(token.request.credentials == nil && token.request.authentication?.bearer == "t")
    let again = try set(["user=bob:x"], token)
    #expect(again.request.credentials?.user == "bob" && again.request.authentication == nil)
  }

  @Test("a list's file below a directory stays below the new one, and still follows no links")
  func foreignPlace() throws {
    let before = try sample { ($0.directory, $0.foreignDepth, $0.output) = ("/base/a/b", 2, "x") }
    let moved = try set(["dir=/base/dir"], before)
    #expect((moved.directory, moved.foreignDepth, moved.output) == ("/base/dir/a/b", 2, "x"))
    let renamed = try set(["out=a/c/y"], before)
    #expect((renamed.directory, renamed.foreignDepth, renamed.output) == ("/base/a/c", 2, "y"))
    #expect(said(["out=../y"], before).contains("out="))
  }

  @Test(
    "errors name the setting and contain no secrets",
    arguments: [
      (["foo=1"], "not a setting"), (["retires=1"], "did you mean retries=?"), (["retries=x"], "retries="),
      (["retries=1", "retries=2"], "twice"), (["retries+=1"], "one value"), (["url=http://x/"], "set-url"),
      (["on-conflict=x"], "rename"), (["insecure=maybe"], "yes nor no"), (["user=ann"], "user="),
      (["checksum=md5=00"], "checksum="), (["dir="], "name one"), (["out=a/.."], "out="),
      (["pieces=x"], "not a setting"),
      (["header=Range: x"], "Range"), (["cert=/none"], "/none"),
    ] as [([String], String)])
  func wrong(_ words: [String], _ part: String) throws {
    let text = said(words, try sample())
    #expect(text.contains(part), "\(text)")
    #expect(!said(["header=secret"], try sample()).contains("secret"))
  }

  @Test("an edited text: untouched values stay, hidden secrets included")
  func edited() throws {
    let before = try sample {
      $0.request.headers = [HeaderField("Authorization", "key"), HeaderField("Accept", "text/html")]
      $0.request.credentials = Credentials(user: "ann", password: "pw")
      ($0.options.retries, $0.output) = (9, "x")
    }
    let edited = EditedJob(before, reveals: false)
    let text = edited.text(["job 7"])
    #expect(
      !text.contains("pw") && !text.contains(": key") && text.contains("retries = 9") && text.contains("authorization"))
    #expect(try edited.changes(in: text) == [])
    func given(_ text: String) throws -> [String: [String]] {
      Dictionary(uniqueKeysWithValues: try edited.changes(in: text).map { ($0.name, $0.values) })
    }
    let all = "dir = /base\nout = x\nretries = 9\nheader = Accept: text/html\n"
    #expect(try given(all) == [:])
    #expect(try given(all.replacing("9", with: "3")) == ["retries": ["3"]])
    #expect(try given("dir = /base\nout = x\nheader = Accept: text/html") == ["retries": []])
    #expect(try given(all + "user =") == ["user": []])
    #expect(try given(all + "user = bob:x") == ["user": ["bob:x"]])
    #expect(try given(all + "header = B: 2")["header"] == ["Accept: text/html", "B: 2", "Authorization: key"])
    #expect(try given(all + "header = authorization: new")["header"] == ["Accept: text/html", "authorization: new"])
    let open = EditedJob(before, reveals: true)
    #expect(open.text([]).contains("user = ann:pw") && open.text([]).contains("header = Authorization: key"))
    for (line, part) in [("x", "KEY = VALUE"), ("foo = 1", "not a setting"), ("retries = 1\nretries = 2", "twice")] {
      let problem = #expect(throws: Failure.self) { try edited.changes(in: "\n" + line) }
      #expect(problem?.subject.hasPrefix("line ") == true && problem?.message.contains(part) == true)
    }
  }

  @Test("the additional fields of dray export are read back")
  func kept() throws {
    var exported = job(try sample())
    exported.state = .paused
    exported.fileName = "name"
    var sums = BlockSums()
    sums.insert(0..<10, CRC32C())
    exported.checkpoint = Checkpoint(
      segments: SegmentSet(0..<10), size: 20, validators: Validators(etag: "\"1\"", lastModified: "x", date: "y"))
    let line = ExportLine(exported, prerequisites: [3, 4], sums: sums, reveals: true)
    var list = InputList()
    try list.read(line.json.bytes, name: "list")
    let kept = list.options(of: list.entries[0]).exported
    #expect((kept.id, kept.waitsFor, kept.state, kept.uuid) == (7, [3, 4], .paused, exported.uuid))
    let checkpoint = try #require(kept.checkpoint)
    exported.checkpoint.sums = sums
    #expect(checkpoint.checkpoint == exported.checkpoint && checkpoint.name == "name")
  }

  @Test("the URL that sent the bytes keeps its query only with --reveal", arguments: [false, true])
  func secretSource(reveals: Bool) throws {
    var exported = job(try sample())
    exported.state = .paused
    exported.checkpoint = Checkpoint(segments: SegmentSet(0..<10), size: 20, validators: Validators())
    let url = try RequestURL.parse("http://cdn/f?token=hidden").url
    exported.checkpoint.provenance = Provenance(url: url, codings: ["gzip"])
    let line = ExportLine(exported, prerequisites: [], sums: BlockSums(), reveals: reveals)
    #expect(line.json.text.contains("hidden") == reveals)
    var list = InputList()
    try list.read(line.json.bytes, name: "list")
    let provenance = try #require(list.options(of: list.entries[0]).exported.checkpoint?.checkpoint.provenance)
    #expect(provenance.url == (reveals ? url : url.withoutQuery))
    #expect(provenance.codings == ["gzip"] && provenance.isImported)
  }
}
