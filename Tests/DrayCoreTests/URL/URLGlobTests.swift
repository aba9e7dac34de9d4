// URLs that stand for several: curl's patterns.

import Testing

@testable import DrayCore

@Suite struct URLGlobTests {
  @Test(arguments: [
    ("http://h/f", ["http://h/f"]),
    ("http://h/v[01-03].mp4", ["http://h/v01.mp4", "http://h/v02.mp4", "http://h/v03.mp4"]),
    ("http://h/[8-11]", ["http://h/8", "http://h/9", "http://h/10", "http://h/11"]),
    ("http://h/[08-11:2]", ["http://h/08", "http://h/10"]),
    ("http://h/[0-100:50]", ["http://h/0", "http://h/50", "http://h/100"]),
    ("http://h/[5-5]", ["http://h/5"]), ("http://h/[1-3:100]", ["http://h/1"]),
    ("http://h/[a-c]", ["http://h/a", "http://h/b", "http://h/c"]),
    ("http://h/[a-e:2]", ["http://h/a", "http://h/c", "http://h/e"]),
    ("http://h/[X-Z]", ["http://h/X", "http://h/Y", "http://h/Z"]),
    ("http://{a,b}.example/f", ["http://a.example/f", "http://b.example/f"]),
    ("{http,https}://h/", ["http://h/", "https://h/"]), ("http://h/{a}", ["http://h/a"]),
    ("http://h/{a,,b}", ["http://h/a", "http://h/", "http://h/b"]), ("http://h/{,x}", ["http://h/", "http://h/x"]),
    ("http://h/{a,b}[1-2]", ["http://h/a1", "http://h/a2", "http://h/b1", "http://h/b2"]),
    ("http://h/{ä,ö}?q={x y}", ["http://h/ä?q=x y", "http://h/ö?q=x y"]),
    ("http://[::1]:8080/[1-2]", ["http://[::1]:8080/1", "http://[::1]:8080/2"]),
    ("[::1]/f", ["[::1]/f"]), ("http://[fe80::1%25eth0]/f", ["http://[fe80::1%25eth0]/f"]),
    ("http://[::ffff:192.0.2.1]/{a}", ["http://[::ffff:192.0.2.1]/a"]),
    (#"http://h/\{a,b\}\[1-2\]"#, ["http://h/{a,b}[1-2]"]), (#"http://h/{a\,b,c\}}"#, ["http://h/a,b", "http://h/c}"]),
    (#"http://h/a\b\"#, [#"http://h/a\b\"#]), ("", [""]), ("http://h/a,b-c:d", ["http://h/a,b-c:d"]),
  ])
  func standsFor(_ typed: String, _ urls: [String]) throws {
    let glob = try URLGlob(typed)
    #expect((0..<glob.count).map(glob.url) == urls)
  }

  @Test(arguments: [
    ("http://h/[1", "unmatched [ at position 10"), ("http://h/1]", "unmatched ] at position 11"),
    ("http://h/{a", "unmatched { at position 10"), ("http://h/a}", "unmatched } at position 11"),
    ("http://h/{}", "nothing within the braces at position 11"), ("http://h/{a{b}}", "within braces at position 12"),
    ("http://h/{a[1-2]}", "within braces at position 12"), ("http://h/{a]}", "unmatched ] at position 12"),
    ("http://h/[]", "bad range at position 10"), ("http://h/[1]", "bad range at position 10"),
    ("http://h/x[3-1]", "bad range at position 11"), ("http://h/[c-a]", "bad range"), ("http://h/[a-Z]", "bad range"),
    ("http://h/[1-a]", "bad range"), ("http://h/[aa-bb]", "bad range"), ("http://h/[1-5:0]", "bad range"),
    ("http://h/[1-5:x]", "bad range"), ("http://h/[1-5:]", "bad range"), ("http://h/[-1-5]", "bad range"),
    ("http://h/?filter[name]=1", "bad range at position 17"), ("http://h/[1-99999999999999999999]", "bad range"),
    ("http://h/[0-100000]", "more than 100000 URLs"), ("http://h/[1-1000][1-1000]", "more than 100000 URLs"),
    ("http://h/[1-99999][1-99999][1-99999][1-99999][1-99999]", "more than 100000 URLs"),
    ("http://h/[0-999999999999999999][0-999999999999999999]", "more than 100000 URLs"),
    ("http://h/[1-100000]" + String(repeating: "x", count: 4000), "MiB together"),
  ])
  func refused(_ typed: String, _ says: String) {
    let error = #expect(throws: URLGlobError.self) { try URLGlob(typed) }
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }

  @Test("the largest allowed number of URLs, from the first to the last")
  func most() throws {
    let glob = try URLGlob("http://h/[1-100000]")
    #expect(glob.count == 100_000 && glob.url(0) == "http://h/1" && glob.url(99_999) == "http://h/100000")
  }

  @Test(arguments: [
    ("#1", "b", true), ("x-#2.#1", "x-3.b", true), ("#1#1", "bb", true), ("#3", "#3", false), ("#0", "#0", false),
    ("#", "#", false), ("a#b", "a#b", false), ("#12", "#12", false),
    ("#99999999999999999999", "#99999999999999999999", false),
    ("##1", "#b", true), ("plain", "plain", false), ("#3-#2", "#3-3", true),
  ])
  func names(_ template: String, _ name: String, _ depends: Bool) throws {
    let glob = try URLGlob("http://h/{a,b}/[1-3]")
    #expect(glob.name(template, 5) == name)
    #expect(glob.names(template) == depends)
  }

  @Test("literal text has no patterns and no names")
  func verbatim() throws {
    let glob = URLGlob(verbatim: #"http://h/{a,b}[1\]"#)
    #expect(glob.count == 1 && glob.url(0) == #"http://h/{a,b}[1\]"#)
    #expect(!glob.names("#1") && glob.name("#1", 0) == "#1")
    #expect(try URLGlob("http://[::1]/f").count == 1)
  }
}
