// Lists of URLs (`-i`): accepted lines, and the line that an error names.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("Lists")
struct InputListTests {
  private func read(_ text: String) throws -> InputList {
    var list = InputList()
    try list.read(Array(text.utf8), name: "list")
    return list
  }

  @Test("comments, blank lines, CR LF, a byte order mark, no line end at the end")
  func shapes() throws {
    let list = try read("\u{FEFF}# all\r\n\r\nhttp://h/a \r\n   \nhttp://h/b\n  # indented\nhttp://h/c")
    #expect(list.entries.map(\.url.string) == ["http://h/a", "http://h/b", "http://h/c"])
    #expect(list.entries.map(\.line) == [3, 5, 7])
    #expect(list.options.isEmpty)
  }

  @Test(
    "a comment after a URL, and a name before it",
    arguments: [
      ("http://h/a  # the first", "http://h/a", nil, 0), ("http://h/a#b", "http://h/a", nil, 0),
      ("http://h/a\t# x", "http://h/a", nil, 0), ("http://h/a\thttp://m/a # x", "http://h/a", nil, 1),
      ("b.iso\thttp://h/a", "http://h/a", "b.iso", 0),
      ("d/b.iso \t http://h/a\thttp://m/a", "http://h/a", "d/b.iso", 1),
      ("my file\thttp://h/a", "http://h/a", "my file", 0), ("h.example/a\thttp://m/a", "https://h.example/a", nil, 1),
    ] as [(String, String, String?, Int)])
  func names(_ line: String, _ url: String, _ name: String?, _ mirrors: Int) throws {
    let list = try read(line)
    let own = list.options(of: list.entries[0])
    #expect(list.entries.map(\.url.string) == [url] && own.out == name && own.mirrors.count == mirrors)
  }

  @Test("two URLs on a line are two files, options after them are refused, and invisible characters are named")
  func several() throws {
    let list = try read("http://h/a http://h/b\nhttp://h/c\u{200B}\n out=x\n")
    #expect(list.entries.map(\.url.string) == ["http://h/a", "http://h/b", "http://h/c"])
    #expect(list.entries.map(\.line) == [1, 1, 2] && list.options(of: list.entries[2]).out == "x")
    #expect(list.remarks == ["list:2: invisible characters around the URL were cut off (U+200B)"])
    for (text, says) in [
      ("http://h/a http://h/b\n out=x\n", "list:2: the line above has 2 URLs"),
      ("http://h/a http://h/b\thttp://m/b\n", "list:1: 2 URLs without a tab"),
      ("n\thttp://h/a http://h/b\n", "list:1: 2 URLs without a tab"),
    ] {
      let failure = try #require(throws: Failure.self) { try read(text) }
      #expect(failure.message.contains(says), "\(failure.message)")
    }
    var typed = InputList()
    try typed.append(typed: "http://h/a http://h/[1-2]", isPlain: false, output: nil)
    #expect(typed.entries.map(\.url.string) == ["http://h/a", "http://h/1", "http://h/2"])
  }

  @Test(
    "an error in an option names its own line",
    arguments: [
      (" priority=1\n proxy=ftp://x\n", "list:3"), ("\n # c\n out=/\n", "list:4"), (" limit-rate=x\n", "list:2"),
      (" out=a\n max-tries=x\n", "list:3"),
    ])
  func ownLine(_ options: String, _ place: String) throws {
    let surroundings = Surroundings.fixed(files: ["/base/list": "http://h/a\n" + options])
    let failure = try #require(refusal(["-i", "list"], surroundings))
    #expect(failure.subject.hasPrefix(place + ":") || failure.subject == place, "\(failure.message)")
  }

  @Test("an option's value may have a #")
  func hash() throws {
    let list = try read("http://h/a\n  user-agent=a #1\n")
    #expect(list.options(of: list.entries[0])["user-agent"] == "a #1")
  }

  @Test("indented lines belong to the URL above")
  func options() throws {
    let sha = String(repeating: "0f", count: 32)
    let list = try read(
      """
      http://h/a
        out=first.bin
      \tdir=sub
        header=X-One: 1
        header=X-Two: 2
        checksum=sha-256=\(sha)
        priority=7
        max-connection-per-server=4
        user-agent=T/1
        referer=http://r/
      http://ann:pw@h/b
      """)
    let own = list.options(of: list.entries[0])
    #expect(own.out == "first.bin" && own.dir == "sub" && own["priority"] == "7" && own["max-connections"] == "4")
    #expect(own.headers.map(\.value) == ["1", "2"] && own.digest?.hex == sha)
    #expect(own["user-agent"] == "T/1" && own["referer"] == "http://r/")
    #expect(list.options(of: list.entries[1]).userInfo?.user == "ann")
    #expect(list.entries[1].url.string == "http://h/b")
  }

  @Test("options of aria2 are used if they apply")
  func foreign() throws {
    let list = try read(
      """
      http://h/a
        split=16
        max-connection-per-server=8
        max-download-limit=1M
        max-tries=3
        retry-wait=2
        timeout=7
        allow-overwrite=true
        http-user=ann
        http-passwd=secret
        all-proxy=p:8080
        check-certificate=false
        continue=true
        file-allocation=none
        max-filesize=1k
        max-time=1m
        pause=true
      http://h/b
        max-connection-per-server=8
        split=100
        max-download-limit=0
        pause=false
        allow-overwrite=false
      http://h/c
        split=100
      """)
    let own = list.options(of: list.entries[0])
    #expect(own["max-connections"] == "8" && own["limit-rate"] == "1M" && own["retries"] == "2")
    #expect(own["retry-wait"] == "2" && own["stall-timeout"] == "7" && own["on-conflict"] == "overwrite")
    #expect(own.user == "ann" && own.password == "secret" && own["proxy"] == "p:8080" && own.isInsecure && own.isPaused)
    #expect(own["max-filesize"] == "1k" && own["max-time"] == "1m" && list.remarks.isEmpty)
    let second = list.options(of: list.entries[1])
    #expect(
      second["max-connections"] == "8" && second["limit-rate"] == nil && second["on-conflict"] == nil
        && !second.isPaused)
    #expect(list.options(of: list.entries[2])["max-connections"] == "64")
  }

  @Test("options of aria2 that do not apply are named once, with their first line")
  func ignored() throws {
    let list = try read(
      "http://h/a\n gid=1\n bt-max-peers=5\nhttp://h/b\n gid=2\n load-cookies=x\n parameterized-uri=true\n dry-run=true\n"
    )
    let lines = list.remarks.map { $0.prefix { $0 != "=" } }
    #expect(
      lines == [
        "list:2: gid", "list:3: bt-max-peers", "list:6: load-cookies", "list:7: parameterized-uri", "list:8: dry-run",
      ])
    let made = try specificationList(["-i", "-"], .fixed(input: "http://h/a\n gid=1\n"))
    #expect(made.remarks.count == 1)
  }

  @Test("a list's settings for a URL go into its job")
  func applied() throws {
    let text =
      "http://h/a\n limit-rate=1k\n retries=0\n on-conflict=rename\n http-user=ann\n http-passwd=pw\n pause=true\nhttp://h/b\n"
    let list = try specificationList(["--limit-rate", "5k", "-u", "bob:x", "-i", "-"], .fixed(input: text))
    #expect(list.map(\.options.rateLimit) == [1024, 5120] && list.map(\.options.retries) == [0, 5])
    #expect(
      list.map(\.options.onConflict) == [.rename, .fail] && list.map(\.request.credentials?.user) == ["ann", "bob"])
    #expect(list.paused == [0])
  }

  @Test(
    "a list knows whether any of its lines skips certificate checks",
    arguments: [
      ("http://h/a\nhttp://h/b\n check-certificate=false\n", true), ("http://h/a\n insecure=yes\n", true),
      ("http://h/a\n insecure=no\n", false), ("http://h/a\n check-certificate=true\n", false),
      ("{\"url\": \"http://h/a\"}\n{\"url\": \"http://h/b\", \"insecure\": true}\n", true),
    ])
  func insecure(_ text: String, _ isInsecure: Bool) throws {
    let list = try specificationList(["-i", "-"], .fixed(input: text))
    #expect(list.isInsecure == isInsecure && list.contains { $0.request.isInsecure } == isInsecure)
  }

  @Test(
    "errors are reported with their line",
    arguments: [
      ("http://h/a\ngopher://h/\n", "list:2"), ("  out=x\nhttp://h/a\n", "list:1"),
      ("http://h/a\n  no-such=1\n", "list:2"), ("http://h/a\n  tries=1\n", "list:2"),
      ("http://h/a\n  split=0\n", "list:2"),
      ("http://h/a\n  on-conflict=x\n", "list:2"), ("http://h/a\n  max-tries=x\n", "list:2"),
      ("http://h/a\n\n  checksum=sha-256=12\n", "list:3"),
      ("http://h/a\tgopher://mirror/a\n", "list:1"), ("http://h/a\n  size=big\n", "list:2"),
      ("http://h/a\n  max-connections=0\n", "list:2"),
      ("http://h/a\n  out\n", "list:2"),
      ("http://h/a\n  header=Range: x\n", "list:2"), ("http://h/a\n  priority=high\n", "list:2"), ("", "list"),
    ])
  func wrong(_ text: String, _ place: String) {
    #expect {
      _ = try read(text)
    } throws: { error in
      (error as? Failure)?.subject == place && (error as? Failure)?.kind == .usage
    }
  }

  @Test(
    "a wrong line is quoted without its secrets, and nothing was queued",
    arguments: [
      ("http://h/a\ngopher://h/\n", "\"gopher://h/\""), ("http://h/a\ngopher://ann:pw@h/\n", "gopher://"),
      ("http://h/a\n  out\n", "\"out\" is not an option"),
    ])
  func quoted(_ text: String, _ words: String) {
    let failure = refusal(["-i", "-"], .fixed(input: text))
    let message = failure?.message(.plain) ?? ""
    #expect(failure?.subject == "standard input:2" && message.contains(words), "\(message)")
    #expect(message.hasSuffix("; nothing was queued") && !message.contains("pw@"), "\(message)")
  }

  @Test("bytes that are not UTF-8 are refused with their line")
  func notUTF8() {
    var list = InputList()
    let failure = #expect(throws: Failure.self) {
      try list.read(Array("http://h/\n".utf8) + [0xFF, 0x0A], name: "list")
    }
    #expect(failure?.subject == "list:2", "\(String(describing: failure))")
    #expect(failure?.kind == .usage)
  }

  @Test("dir= starts from the current directory, out= from -d; both are checked")
  func places() throws {
    let text = "http://h/a\n  out=x\nhttp://h/b\n  dir=other\n  out=sub/y\nhttp://h/c\n"
    let made = try specifications(["-d", "dir", "-i", "-"], .fixed(input: text))
    #expect(made.map(\.directory) == ["/base/dir", "/base/other/sub", "/base/dir"])
    #expect(made.map(\.output) == ["x", "y", nil])
    #expect(made.map(\.foreignDepth) == [0, 1, 0])
    let bad = refusal(["-i", "-"], .fixed(input: "http://h/a\nhttp://h/b\n  dir=file\n"))
    #expect(bad?.message.contains("standard input:3") == true, "\(String(describing: bad))")
  }

  @Test(
    "out= stays below the directory, and does not count as the user's", arguments: ["../x", "/x", "a/../x", "a/.."])
  func upwards(_ out: String) throws {
    let bad = refusal(["-i", "-"], .fixed(input: "http://h/a\n  out=\(out)\n"))
    #expect(bad?.kind == .usage)
    #expect(bad?.subject.contains("standard input:2: out=") == true, "\(String(describing: bad))")
    let made = try specifications(["-o", "a/../x", "http://h/a"], .fixed())
    #expect(made.map(\.foreignDepth) == [0])
    let deep = try specifications(["-i", "-"], .fixed(input: "http://h/a\n  out=.//a/./b/x..y\n"))
    #expect(deep.map(\.place) == [DirectoryPlace(base: "/base", below: "a/b")])
  }

  @Test("100,000 lines: entries share their common values")
  func many() throws {
    let text = (0..<100_000).map { "http://h.example/file-\($0).bin\n" }.joined()
    let list = try read(text)
    #expect(list.entries.count == 100_000 && list.options.isEmpty)
    #expect(MemoryLayout<InputList.Entry>.stride <= 64)
  }
}
