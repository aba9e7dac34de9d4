// URLs that were typed with patterns, and the names of their files.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("Patterns in URLs")
struct PatternTests {
  @Test("each URL is a job, named by the server or by the values of the patterns")
  func jobs() throws {
    let plain = try specifications(["http://h/[1-2].bin", "http://h/c"])
    #expect(plain.map(\.request.url.path) == ["/1.bin", "/2.bin", "/c"] && plain.allSatisfy { $0.output == nil })
    let named = try specifications(["-d", "dir", "-o", "sub/#2-#1.bin", "http://h/{a,b}/[01-02]"])
    #expect(named.map(\.output) == ["01-a.bin", "02-a.bin", "01-b.bin", "02-b.bin"])
    #expect(named.allSatisfy { $0.directory == "/base/dir/sub" && $0.foreignDepth == 0 })
    #expect(try specifications(["-o", "/abs/#1/x", "http://h/{a,b}"]).map(\.directory) == ["/abs/a", "/abs/b"])
    #expect(try specifications(["-o", "#1", "http://h/{a}"]).map(\.output) == ["a"])
    #expect(try specifications(["-o", "#1", "http://h/a"]).map(\.output) == ["#1"])
    #expect(
      try specifications(["h.example/[1-2]"]).map(\.request.url.string) == [
        "https://h.example/1", "https://h.example/2",
      ])
  }

  @Test("several names are for the URLs in their order, as with curl")
  func pairs() throws {
    let jobs = try specifications(["-d", "dir", "-o", "a", "http://h/1", "-o", "sub/#1", "http://h/2"])
    #expect(jobs.map(\.output) == ["a", "#1"] && jobs.map(\.directory) == ["/base/dir", "/base/dir/sub"])
    let patterns = try specifications(["-o", "a#1", "-o", "b", "http://h/[1-2]", "http://h/3"])
    #expect(patterns.map(\.output) == ["a1", "a2", "b"])
  }

  @Test("no patterns in lists or after -g; an IPv6 address is not a pattern")
  func off() throws {
    #expect(try specifications(["-g", "http://h/{a}[1-2]"]).map(\.request.url.path) == ["/%7Ba%7D%5B1-2%5D"])
    #expect(try specifications(["-i", "-"], .fixed(input: "http://h/{a,b}\n")).count == 1)
    #expect(try specifications(["http://[::1]:8080/f"]).map(\.request.url.host) == ["[::1]"])
    #expect(try specifications(["[::1]:8080/f"]).map(\.request.url.host) == ["[::1]"])
  }

  @Test(
    "impossible combinations are refused before any request",
    arguments: [
      (["http://h/[1"], "position 10"), (["http://ann:secret@h/[1"], "position 21"),
      (["-o", "x", "http://h/[1-2]"], "cannot have one name"),
      (["-o", "#2", "http://h/{a,b}{c}"], "several files would be \"c\""),
      (["-o", "#1", "http://h/{a,b}", "http://h/c"], "one name"),
      (["-o", "#1", "http://h/{a,b}", "http://h/{b,c}"], "several files would be \"b\""),
      (["http://h/[0-100000]"], "100000"),
      (["-o", "#1", "http://h/{,a}"], "names no file"), (["--mirror", "http://m/f", "http://h/{a,b}"], "--mirror"),
      (["--max-time", "0", "http://h/f"], "--max-time"), (["--max-filesize", "0", "http://h/f"], "--max-filesize"),
      (["--max-filesize", "x", "http://h/f"], "--max-filesize"), (["-i", "http://h/f"], "dray info"),
    ])
  func refused(_ arguments: [String], _ says: String) {
    let failure = refusal(arguments)
    #expect(failure?.kind == .usage && failure?.message.contains(says) == true, "\(failure?.message ?? "none")")
    #expect(failure?.message.contains("secret") != true)
  }

  @Test(
    "a * in a URL leads to -r",
    arguments: [
      ("http://h/pub/*.iso", "--include '*.iso' http://h/pub/"), ("http://h/*", "--include '*' http://h/"),
      ("http://h/a*/f", nil), ("http://h/f?q=*", nil), ("http://h*", nil), ("*.iso", nil),
    ])
  func wildcard(_ typed: String, _ arguments: String?) throws {
    #expect(URLWildcard(typed)?.arguments == arguments)
    guard let arguments else { return }
    #expect(
      try specificationList([typed]).remarks.contains {
        $0.hasSuffix("`dray get -r \(arguments)` fetches all that match")
      })
    #expect(try specificationList(["-g", typed]).remarks.isEmpty)
  }

  @Test("a curl line belongs to another command")
  func curl() {
    #expect(refusal(["-q", "curl", "http://h/f"])?.message.contains("`dray curl …`") == true)
  }
}
