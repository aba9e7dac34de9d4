// Lists as lines of JSON, and mirrors in both kinds of lists.

import DrayKit
import Testing

@testable import DrayCommands

@Suite("Lists of JSON lines")
struct JSONLineTests {
  private func read(_ text: String) throws -> InputList {
    var list = InputList()
    try list.read(Array(text.utf8), name: "list")
    return list
  }

  @Test("every field; blank lines; a JSON list begins with a brace")
  func fields() throws {
    let sha = String(repeating: "0f", count: 32)
    let list = try read(
      """

      {"url": "http://h/a b", "out": "x", "dir": "d", "headers": {"X-A": "1", "X-B": "2"}, "checksum": "sha-256=\(sha)", \
      "size": 7, "priority": -3, "max-connections": 3, "user-agent": "T", "referer": "http://r/", "mirrors": ["http://m/a", "http://n/a"]}\r

      {"url": "http://ann:pw@h/c"}
      """)
    #expect(list.entries.map(\.url.string) == ["http://h/a%20b", "http://h/c"])
    #expect(list.entries.map(\.line) == [2, 4])
    let own = list.options(of: list.entries[0])
    #expect(
      own.out == "x" && own.dir == "d" && own.size == 7 && own["priority"] == "-3" && own["max-connections"] == "3"
        && own.digest?.hex == sha)
    #expect(own.headers == [HeaderField("X-A", "1"), HeaderField("X-B", "2")])
    #expect(own.mirrors.map(\.host) == ["m", "n"] && own["user-agent"] == "T" && own["referer"] == "http://r/")
    #expect(list.options(of: list.entries[1]).userInfo?.user == "ann")
  }

  @Test(
    "errors are reported with their line and the nearest name",
    arguments: [
      ("{\"url\": \"http://h/a\"}\n{\"url\": }", "list:2", "not JSON"),
      ("{\"url\": \"http://h/a\"}\n[1]", "list:2", "an array"),
      ("{\"out\": \"x\"}", "list:1", "url"), ("{\"url\": 1}", "list:1", "url"),
      ("{\"url\": \"gopher://h/\"}", "list:1", "http"),
      ("{\"url\": \"http://h/a\", \"ouy\": \"x\"}", "list:1", "did you mean out?"),
      ("{\"url\": \"http://h/a\", \"size\": \"7\"}", "list:1", "an integer"),
      ("{\"url\": \"http://h/a\", \"max-connections\": \"4\"}", "list:1", "an integer"),
      ("{\"url\": \"http://h/a\", \"max-connection-per-server\": 65}", "list:1", "1 to 64"),
      ("{\"url\": \"http://h/a\", \"size\": -7}", "list:1", "bytes"),
      ("{\"url\": \"http://h/a\", \"headers\": [\"a\"]}", "list:1", "an object"),
      ("{\"url\": \"http://h/a\", \"headers\": {\"Range\": \"x\"}}", "list:1", "dray sets"),
      ("{\"url\": \"http://h/a\", \"mirrors\": \"http://m/\"}", "list:1", "an array"),
      ("{\"url\": \"http://h/a\"}\nhttp://h/b", "list:2", "not JSON"),
    ])
  func wrong(_ text: String, _ place: String, _ part: String) {
    #expect {
      _ = try read(text)
    } throws: { error in
      let failure = error as? Failure
      return failure?.subject == place && failure?.kind == .usage && failure?.message.contains(part) ?? false
    }
  }

  @Test(
    "P22: a list names sources of dray, but no program and no link; an export of the user has both",
    arguments: [
      ("hf:o/n@main", false, "hf:o/n@main", 0, "dray import"), ("hf:o/n@main", true, "hf:o/n@main", 1, nil),
      ("reports:a", false, nil, 0, "cannot choose"), ("reports:a", true, "reports:a", 1, "configured"),
    ] as [(String, Bool, String?, Int, String?)])
  func sources(_ name: String, _ isOwn: Bool, _ expected: String?, _ count: Int, _ remark: String?) throws {
    var list = InputList()
    list.isOwn = isOwn
    let line = """
      {"url": "http://h/a", "source": {"name": "\(name)", "revision": "c1", "path": "f", "arrangements": [{"links": ["l"]}]}}
      """
    try list.read(Array(line.utf8), name: "list")
    let source = list.options(of: list.entries[0]).source
    #expect(source?.name == expected && source?.arrangements.count ?? 0 == count)
    #expect(remark.map { part in list.remarks.contains { $0.contains(part) } } ?? list.remarks.isEmpty)
  }

  @Test("URLs after tabs are mirrors, as in aria2's lists")
  func mirrors() throws {
    let list = try read("http://h/a\thttp://m/a\t http://n/a \n  out=x\n")
    #expect(list.entries.count == 1)
    let own = list.options(of: list.entries[0])
    #expect(own.mirrors.map(\.host) == ["m", "n"] && own.out == "x")
    let made = try specifications(["-i", "-"], .fixed(input: "http://h/a\thttp://m/a\n  size=9\n"))
    #expect(made.first?.options.mirrors?.count == 1 && made.first?.options.expectedSize == 9)
  }

  @Test("a local Metalink file: its names, sizes, digests and mirrors")
  func metalink() throws {
    let text = """
      <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="sub/tool"><size>30</size>
      <url priority="1">http://a/tool</url><url priority="2">http://b/tool</url></file></metalink>
      """
    for arguments in [["-M", "x.meta4"], ["x.meta4"], ["--metalink-file=x.meta4", "-d", "dir"]] {
      let made = try specifications(arguments, .fixed(files: ["/base/x.meta4": text]))
      #expect(made.count == 1 && made.first?.output == "tool")
      #expect(made.first?.directory == (arguments.contains("-d") ? "/base/dir/sub" : "/base/sub"))
      #expect(made.first?.options.mirrors?.first?.host == "b" && made.first?.options.expectedSize == 30)
    }
    #expect(try specifications(["-M", "x", "-o", "mine"], .fixed(files: ["/base/x": text])).first?.output == "mine")
    let evil = text.replacing("sub/tool", with: "../../etc/passwd")
    let refused = refusal(["-M", "x"], .fixed(files: ["/base/x": evil]))
    #expect(refused?.message.contains("leads out of its directory") ?? false, "\(String(describing: refused))")
  }
}
