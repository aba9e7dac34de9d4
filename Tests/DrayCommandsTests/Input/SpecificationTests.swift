// From options to specifications: each option by its effect.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("Specifications")
struct SpecificationTests {
  static let url = "https://h.example/a/f.bin"
  static let sha = String(repeating: "ab", count: 32)

  struct Row: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let shows: @Sendable (JobSpecification) -> Bool
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ arguments: String..., shows: @escaping @Sendable (JobSpecification) -> Bool) {
      self.arguments = arguments
      self.shows = shows
    }
  }

  static let table: [Row] = [
    Row { $0 == JobSpecification(request: TransferRequest(url: $0.request.url), directory: "/base") },
    Row { $0.request.url.string == url },
    Row("-o", "x.bin") { $0.output == "x.bin" && $0.directory == "/base" },
    Row("-o", "sub/x.bin") { $0.output == "x.bin" && $0.directory == "/base/sub" },
    Row("-o", "/abs/x.bin") { $0.output == "x.bin" && $0.directory == "/abs" },
    Row("-o", "/x.bin") { $0.output == "x.bin" && $0.directory == "/" },
    Row("-d", "new/./deep/", "-o", "x") { $0.output == "x" && $0.directory == "/base/new/deep" },
    Row("-d", "/abs//dir") { $0.directory == "/abs/dir" && $0.output == nil },
    Row("-d", "~/isos") { $0.directory == "/home/ann/isos" }, Row("-d", "~") { $0.directory == "/home/ann" },
    Row("-d", "./~") { $0.directory == "/base/~" }, Row("-d", "~bob") { $0.directory == "/base/~bob" },
    Row("-o", "~/x") { $0.directory == "/home/ann" && $0.output == "x" },
    Row("-b", "~/.netrc") { $0.request.cookies?.files == ["/home/ann/.netrc"] },
    Row("-H", "X-One: 1", "-H", "X-Two: a: b") {
      $0.request.headers == [HeaderField("X-One", "1"), HeaderField("X-Two", "a: b")]
    },
    Row("-H", "Accept:") { $0.request.headers == [HeaderField("Accept", "")] },
    Row("-u", "ann:pa:ss") { $0.request.credentials == Credentials(user: "ann", password: "pa:ss") },
    Row("-u", "ann:") { $0.request.credentials == Credentials(user: "ann", password: "") },
    Row("-A", "Tester/1") { $0.request.userAgent == "Tester/1" },
    Row("-e", "http://from/") { $0.request.referer == "http://from/" },
    Row("-b", "a=1; b=2") { $0.request.cookie == "a=1; b=2" },
    Row("-b", "a=1", "-b", "b=2") { $0.request.cookie == "a=1; b=2" && $0.request.cookies == nil },
    Row("-b", "file") { $0.request.cookie == nil && $0.request.cookies?.files == ["/base/file"] },
    Row("--cookie-jar", "jar") { $0.request.cookies?.jar == "/base/jar" },
    Row("--no-cookies") { $0.request.cookies?.ignoresOwnJar == true },
    Row("-u", "ann:pw", "--digest") { $0.request.authentication?.scheme == .digest },
    Row("-u", "ann:pw", "--anyauth") { $0.request.authentication?.scheme == .any },
    Row("--oauth2-bearer", "t") { $0.request.authentication?.bearer == "t" },
    Row("--cert", "ca.pem", "--pass", "x") {
      $0.request.authentication?.clientCertificate == "/base/ca.pem"
        && $0.request.authentication?.clientKeyPassword == "x"
    },
    Row("--capath", "dir") { $0.request.authentication?.caPath == "/base/dir" },
    Row("--pinned-public-key", "ca.pem") { $0.request.authentication?.pinnedPublicKey == "/base/ca.pem" },
    Row("--proxy-user", "p:q", "--proxy-digest") {
      $0.request.authentication?.proxyCredentials == Credentials(user: "p", password: "q")
        && $0.request.authentication?.proxyScheme == .digest
    },
    Row("--proxy", "proxy:8080") { $0.request.proxy == "http://proxy:8080" },
    Row("--proxy", "socks5h://u:p@proxy:1080") { $0.request.proxy == "socks5h://u:p@proxy:1080" },
    Row("--proxy", "") { $0.request.proxy == "" },
    Row("--cacert", "ca.pem") { $0.request.caFile == "/base/ca.pem" },
    Row("-k") { $0.request.isInsecure },
    Row("--netrc") { $0.request.netrcFile == "/home/ann/.netrc" },
    Row("--netrc-file", "file") { $0.request.netrcFile == "/base/file" },
    Row("-4") { $0.request.addressFamily == .ipv4 },
    Row("-6") { $0.request.addressFamily == .ipv6 },
    Row("--connect-timeout", "1.5") { $0.request.connectTimeout == 1.5 },
    Row("--stall-timeout", "2m") { $0.request.stallTimeout == 120 },
    Row("--pace", "30/m") { $0.request.pace?.pause == 2 },
    Row("--pace", "off") { $0.request.pace == nil },
    Row("--jitter", "500ms") { $0.request.jitter == 0.5 },
    Row("--limit-rate", "1.5k") { $0.options.rateLimit == 1536 },
    Row("--max-time", "1.5m") { $0.options.maxTime == 90 },
    Row("--max-filesize", "1.5k") { $0.options.maxSize == 1536 },
    Row("-g") { $0.request.url.string == url },
    Row("-x", "1") { $0.options.maxConnections == 1 },
    Row("--max-connections=64") { $0.options.maxConnections == 64 },
    Row("--mirror", "https://m.example/g", "--mirror", "http://n.example/h", "--mirror", url) {
      $0.options.mirrors?.map(\.string) == ["https://m.example/g", "http://n.example/h"] && $0.request.url.string == url
    },
    Row("--retries", "0") { $0.options.retries == 0 },
    Row("--retry-wait", "500ms") { $0.options.retryWait == 0.5 },
    Row("--max-retry-wait", "2h") { $0.options.maxRetryWait == 7200 },
    Row("--retry-status", "404,4XX", "--retry-status", "404") {
      $0.options.retryStatuses?.map(\.description) == ["404", "4xx"]
    },
    Row("--on-conflict", "rename") { $0.options.onConflict == .rename },
    Row("--resume", "always") { $0.options.resume == .always },
    Row("--expect-type", "Image/*") { $0.options.expectedType?.description == "image/*" },
    Row("--priority=-3") { $0.priority == -3 },
    Row("--checksum", "sha-256=\(sha)") { $0.options.digest?.hex == sha },
  ]

  @Test("~ in a list is the home directory, as on a command line")
  func homeInLists() throws {
    let list = Surroundings.fixed(files: ["/base/l": "http://h/a\n  dir=~/isos\nhttp://h/b\n  out=~/x\n"])
    let jobs = try specifications(["-i", "l"], list)
    #expect(jobs.map(\.directory) == ["/home/ann/isos", "/base/~"], "a name stays below the directory")
  }

  @Test("an option does what it says", arguments: table)
  func option(_ row: Row) throws {
    let made = try specifications(row.arguments + [Self.url])
    let one = try #require(made.first)
    #expect(made.count == 1)
    #expect(row.shows(one), "\(one)")
  }

  @Test(
    "too many connections cause a warning, wherever they are set",
    arguments: [(["-x", "16"], "", 0), (["-x", "17"], "", 1), ([], "  max-connections=40\n", 1), ([], "", 0)])
  func manyConnections(_ arguments: [String], _ line: String, _ count: Int) throws {
    let surroundings = Surroundings.fixed(input: "\(Self.url)\n\(line)")
    let list = try specificationList(arguments + ["-i", "-"], surroundings)
    #expect(list.remarks.count == count && list.remarks.allSatisfy { $0.contains("--max-connections") })
  }

  @Test("the user name and password of a URL are used unless -u gives others")
  func userInfo() throws {
    let url = "http://ann:p%40ss@h/f"
    #expect(try specifications([url]).first?.request.credentials == Credentials(user: "ann", password: "p@ss"))
    #expect(try specifications([url]).first?.request.url.string == "http://h/f")
    let other = try specifications(["-u", "bob:x", url]).first?.request.credentials
    #expect(other == Credentials(user: "bob", password: "x"))
  }

  @Test("-u without a password takes it from DRAY_PASSWORD, else asks, else refuses")
  func password() throws {
    let arguments = ["-u", "ann", Self.url]
    let given = try specifications(arguments, .fixed(environment: ["DRAY_PASSWORD": "env"]))
    #expect(given.first?.request.credentials?.password == "env")
    var asking = Surroundings.fixed()
    asking.askPassword = { prompt in prompt.contains("ann") ? "typed" : nil }
    #expect(try specifications(arguments, asking).first?.request.credentials?.password == "typed")
    #expect(refusal(arguments)?.message.contains("DRAY_PASSWORD") == true)
  }

  @Test("-H @FILE reads a field a line")
  func headerFile() throws {
    let surroundings = Surroundings.fixed(files: ["/base/fields": "X-One: 1\r\n\nX-Two: 2\n"])
    let made = try specifications(["-H", "@fields", "-H", "X-Three: 3", Self.url], surroundings)
    #expect(made.first?.request.headers.map(\.name) == ["X-One", "X-Two", "X-Three"])
    let bad = Surroundings.fixed(files: ["/base/fields": "X-One: 1\nnonsense\n"])
    #expect(refusal(["-H", "@fields", Self.url], bad)?.subject == "fields:2")
  }
}
