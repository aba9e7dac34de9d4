// Bad input: refused with one line that names the error and a valid form, as kind `usage`.

import DrayCore
import DrayKit
import Testing

@testable import DrayCommands

@Suite("Bad input")
struct BadInputTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let says: String
    var input = ""
    var testDescription: String { arguments.joined(separator: " ") + input }
  }

  private static let url = "http://h/f"

  static let table: [Row] = [
    Row(arguments: [], says: "no URL"),
    Row(arguments: ["gopher://h/f"], says: "use http, https"),
    Row(arguments: ["http:///f"], says: "host"),
    Row(arguments: ["file"], says: "it is a file here; -i reads URLs from it"),
    Row(arguments: ["/base/file"], says: "it is a file here; -i reads URLs from it"),
    Row(arguments: ["http://h/a\nb"], says: "control character"),
    Row(arguments: ["-o", "x", url, url + "2"], says: "-o"),
    Row(arguments: ["-o", "x", "-o", "y", url], says: "-o: several for one URL"),
    Row(arguments: ["-o", "x", "-o", "y", url, url + "2", url + "3"], says: "-o: 2 names for 3 URLs"),
    Row(arguments: ["-o", "x", "-o", "x", url, url + "2"], says: "several files would be \"x\""),
    Row(arguments: ["-o", "x", "-o", "-", url, url + "2"], says: "-o -: it takes one file"),
    Row(arguments: ["-o", "x", "-o", "y", "-i", "-"], says: "-o: 2 names", input: url),
    Row(arguments: ["-o", "", url], says: "names no file"),
    Row(arguments: ["-o", "x/", url], says: "names no file"),
    Row(arguments: ["-o", "..", url], says: "names no file"),
    Row(arguments: ["-o", "file/x", url], says: "is a file"),
    Row(arguments: ["-o", String(repeating: "x", count: 256), url], says: "255"),
    Row(arguments: ["-o", "/abs/x", "-d", "dir", url], says: "conflicts with"),
    Row(arguments: ["-d", "file", url], says: "is a file"),
    Row(arguments: ["-d", "", url], says: "empty"),
    Row(arguments: ["--limit-rate=-5", url], says: "not a rate"),
    Row(arguments: ["--limit-rate=0", url], says: "no limit"),
    Row(arguments: ["--limit-rate=1Q", url], says: "not a rate"),
    Row(arguments: ["--retries=-1", url], says: "--retries"),
    Row(arguments: ["--priority=high", url], says: "--priority"),
    Row(arguments: ["-x", "0", url], says: "1 to 64"), Row(arguments: ["-x", "65", url], says: "1 to 64"),
    Row(arguments: ["-x", "2.5", url], says: "1 to 64"), Row(arguments: ["-x", "many", url], says: "1 to 64"),
    Row(arguments: ["--mirror", "http://m/f", url, url + "2"], says: "there are 2"),
    Row(arguments: ["--mirror", "m/f\n", url], says: "--mirror"),
    Row(arguments: ["--mirror", "http://ann:pw@m/f", url], says: "first URL only"),
    Row(arguments: ["--mirror", "http://m/f", "-i", "-"], says: "there are 2", input: "\(url)\n\(url)2\n"),
    Row(arguments: ["--adopt", "", url], says: "name a file"),
    Row(arguments: ["--adopt", "file", url, url + "2"], says: "there are 2"),
    Row(arguments: ["--adopt", "file", "ftp://h/f"], says: "over HTTP only"),
    Row(arguments: ["--adopt", "file", "--resume", "never", url], says: "--resume never"),
    Row(arguments: ["--adopt", "file", "--if-changed", url], says: "--if-changed"),
    Row(arguments: ["--adopt", "no/such/file", url], says: "cannot be adopted"),
    Row(arguments: ["--connect-timeout=0", url], says: "greater than 0"),
    Row(arguments: ["--stall-timeout=soon", url], says: "span of time"),
    Row(arguments: ["--checksum", "sha-256=abcd", url], says: "64"),
    Row(arguments: ["--checksum", "crc=abcd", url], says: "sha-256"),
    Row(arguments: ["--proxy", "::::", url], says: "proxy"),
    Row(arguments: ["--proxy", "ftp://h", url], says: "socks5"),
    Row(arguments: ["--proxy", "http://h/path", url], says: "no path"),
    Row(arguments: ["-H", "nonsense", url], says: "colon"),
    Row(arguments: ["-H", "X: a\r\nY: b", url], says: "line break"),
    Row(arguments: ["-H", "Range: bytes=0-1", url], says: "dray sets Range itself"),
    Row(arguments: ["-H", "accept-encoding: gzip", url], says: "dray sets"),
    Row(arguments: ["-H", "Proxy-Authorization: s3cret", url], says: "write --proxy-user for the proxy"),
    Row(arguments: ["-H", "X(y): 1", url], says: "not a valid field name"),
    Row(arguments: ["-H", "Bad Name: x", url], says: "letters, digits"),
    Row(arguments: ["-H", "X Empty;", url], says: "letters, digits"),
    Row(arguments: ["-A", "a\nb", url], says: "--user-agent"),
    Row(arguments: ["--max-redirs", "x", url], says: "--max-redirs"),
    Row(arguments: ["-4", "-6", url], says: "--ipv4 and --ipv6"),
    Row(arguments: ["--cacert", "missing.pem", url], says: "missing.pem"),
    Row(arguments: ["--netrc-file", "dir", url], says: "directory"),
    Row(arguments: ["--digest", "--ntlm", url], says: "--digest and --ntlm"),
    Row(arguments: ["--oauth2-bearer", "t", "-u", "a:b", url], says: "--user"),
    Row(arguments: ["--oauth2-bearer", "t", "--basic", url], says: "scheme"),
    Row(arguments: ["--oauth2-bearer", "a\nb", url], says: "control character"),
    Row(arguments: ["--password-stdin", url], says: "--user NAME"),
    Row(arguments: ["--password-stdin", "-u", "a:b", url], says: "without a password"),
    Row(arguments: ["--password-stdin", "-u", "a", "-i", "-"], says: "both read standard input"),
    Row(arguments: ["--pinnedpubkey", "sha256//AAAA", url], says: "base64"),
    Row(arguments: ["--capath", "file", url], says: "not an existing directory"),
    Row(arguments: ["--key", "file", url], says: "--cert"),
    Row(arguments: ["--proxy-user", "p", url], says: "DRAY_PROXY_PASSWORD"),
    Row(arguments: ["-b", "missing", url], says: "missing"),
    Row(arguments: ["--cookie-jar", "dir", url], says: "not a writable file"),
    Row(arguments: ["--cookie-jar", "gone/jar", url], says: "directory"),
    Row(arguments: ["--cookies-from-browser", "chrome", url], says: "encrypts"),
    Row(arguments: ["-i", "missing"], says: "missing"),
    Row(arguments: ["-i", "dir"], says: "directory"),
    Row(arguments: ["-i", "file"], says: "contains no URL"),
    Row(arguments: ["-i", "-"], says: "standard input", input: "\n# only this\n"),
  ]

  @Test("bad input is refused", arguments: table)
  func refused(_ row: Row) throws {
    let failure = try #require(refusal(row.arguments, .fixed(input: row.input)))
    #expect(failure.kind == .usage && failure.exitStatus.rawValue == 2)
    #expect(failure.message.contains(row.says), "\(failure.message)")
    let line = Messages.line(failure.message)
    #expect(line.hasPrefix("dray: ") && !line.contains("\n") && !line.contains("\u{1B}"))
  }

  @Test("a directory at the target exists: refused with 3, unless the policy names another way (N5)")
  func directoryAtTarget() throws {
    for policy in ["fail", "overwrite"] {
      let failure = try #require(refusal(["-o", "dir", "--on-conflict", policy, Self.url], .fixed()))
      #expect(failure.kind == .file && failure.exitStatus.rawValue == 3)
      #expect(failure.message.contains("dir: it is a directory; -d names"), "\(failure.message)")
    }
    for policy in ["rename", "skip"] {
      #expect(refusal(["-o", "dir", "--on-conflict", policy, Self.url], .fixed()) == nil, "\(policy)")
    }
  }

  @Test("secrets in refused input are not repeated")
  func secrets() {
    for arguments in [
      ["gopher://ann:s3cret@h/f"], ["-H", "s3cret", Self.url], ["--proxy", "http://u:s3cret@h:99999", Self.url],
      ["-H", "Range: s3cret", Self.url], ["scp://h/f?token=s3cret"],
    ] {
      #expect(refusal(arguments)?.message.contains("s3cret") == false, "\(arguments)")
    }
  }

  @Test("the parser's own errors are one line, and unknown commands get a suggestion")
  func parserErrors() {
    #expect(UsageText(DrayRoot.all).unknownCommand(["gt", "http://h/"])?.contains("`dray get`") == true)
    #expect(UsageText(DrayRoot.all).unknownCommand(["http://u:s3cret@h/"])?.contains("s3cret") == false)
    #expect(
      UsageText(DrayRoot.all).unknownCommand(["list"]) == nil
        && UsageText(DrayRoot.all).unknownCommand(["rm", "1"]) == nil)
    for (typed, suggested, said) in [
      ("--chekcsum", "--checksum", "; did you mean '--checksum'?"), ("--limt", "--dir", "; see `dray help get`"),
      ("--xyz", "--dir", "; see `dray help get`"),
    ] {
      let message = "Unknown option '\(typed)'. Did you mean '\(suggested)'?"
      let line = UsageText(DrayRoot.all).line(message, arguments: ["get", typed])
      #expect(line == "unknown option '\(typed)'\(said)")
    }
    let line = UsageText(DrayRoot.all).line("Bad\n  thing '\u{1B}[2J'.", arguments: ["get"])
    #expect(line == "bad thing '\\u{1B}[2J'; see `dray help get`")
  }

  @Test(
    "errors of the parser end with 2, help with 0",
    arguments: [
      (["get", "--limit-rate=", url], DrayCore.ExitStatus.usage),
      (["get", "--no-such-option", url], DrayCore.ExitStatus.usage), (["fetch", url], .usage), (["show"], .usage),
      (["list", "--state", "asleep"], .usage), (["get", "-j", "0", url], .usage), (["show", "x"], .usage),
    ])
  func exitStatus(_ arguments: [String], _ status: DrayCore.ExitStatus) async {
    #expect(await DrayProgram.run(arguments) == status)
  }

  @Test(
    "words one typing error away are suggested",
    arguments: [
      ("lst", "list"), ("pasue", "pause"), ("resum", "resume"), ("seturl", "set-url"), ("xyzzy", nil),
    ] as [(String, String?)])
  func nearest(_ word: String, _ meant: String?) {
    #expect(NearestName.find(word, among: UsageText(DrayRoot.all).names) == meant)
  }
}
