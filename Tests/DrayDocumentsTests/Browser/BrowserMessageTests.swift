// The messages of the extension for browsers.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Messages of browsers")
struct BrowserMessageTests {
  private static func read(_ text: String) -> BrowserMessage { BrowserMessage(text.utf8, now: 1000) }

  private static func download(_ fields: String) throws -> BrowserDownload {
    let message = read(#"{"id":1,"type":"add",\#(fields)}"#)
    guard case .add(let download) = try message.order.get() else { throw BrowserProblem(.invalid, "no download") }
    return download
  }

  @Test("orders")
  func orders() throws {
    let link = try RequestURL.parse("http://a.example/f").url
    let table: [(String, BrowserOrder)] = [
      (#""type":"hello","version":1,"extension":"1.0.0""#, .hello(version: 1)),
      (#""type":"list""#, .list),
      (#""type":"pause","job":"7""#, .act(.pause, job: "7")),
      (#""type":"remove","job":"A-B""#, .act(.remove, job: "A-B")),
      (#""type":"matches","url":"http://a.example/f","size":null"#, .matches(link, name: nil, size: nil)),
      (#""type":"matches","url":"http://a.example/f","name":"x y","size":9"#, .matches(link, name: "x y", size: 9)),
      (#""type":"matches","url":"http://a.example/f","size":-1"#, .matches(link, name: nil, size: nil)),
      (#""type":"add","url":"http://a.example/f#part","origin":"link""#, .add(BrowserDownload(url: link))),
      (#""type":"relink","job":"7","url":"http://a.example/f""#, .relink(job: "7", BrowserDownload(url: link))),
    ]
    for (fields, order) in table {
      for id in ["1", #""a""#] { #expect(Self.read("{\"id\":\(id),\(fields)}").order == .success(order), "\(fields)") }
    }
    #expect(Self.read(#"{"id":12,"type":"list"}"#).id == .number(12))
    #expect(Self.read(#"{"id":"x","type":"list"}"#).id == .text("x"))
  }

  @Test(
    "what is no message",
    arguments: [
      "", "{", "[]", "7", "{}", #"{"id":1}"#, #"{"id":true,"type":"list"}"#, #"{"id":"","type":"list"}"#,
      #"{"id":1,"type":"serve"}"#, #"{"id":1,"type":7}"#, #"{"id":1,"type":"hello"}"#,
      #"{"id":1,"type":"hello","version":"1"}"#, #"{"id":1,"type":"pause"}"#, #"{"id":1,"type":"pause","job":7}"#,
      #"{"id":1,"type":"add"}"#, #"{"id":1,"type":"add","url":7}"#, #"{"id":1,"type":"add","url":"a.example/f"}"#,
      #"{"id":1,"type":"add","url":"data:text/plain,x"}"#, #"{"id":1,"type":"add","url":"blob:http://a.example/7"}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","name":"../x"}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","name":"a/b"}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","name":"a\\b"}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","name":".."}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","userAgent":"x\r\nHost: b"}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","cookies":{}}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","post":"no"}"#,
    ])
  func refused(text: String) {
    guard case .failure(let problem) = Self.read(text).order else {
      Issue.record("\(text) is refused")
      return
    }
    #expect(problem.code == .invalid)
  }

  @Test("bytes that are not UTF-8 are refused; limits hold")
  func limits() {
    #expect(BrowserMessage([0x7B, 0xFF, 0x7D], now: 0).id == nil)
    let long = String(repeating: "x", count: 70_000)
    let table = [
      #"{"id":"\#(String(repeating: "x", count: 65))","type":"list"}"#,
      #"{"id":1,"type":"add","url":"http://a.example/\#(long)"}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","name":"\#(long)"}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","userAgent":"\#(long)"}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","cookies":[\#(Array(repeating: "{}", count: 1001).joined(separator: ","))]}"#,
      #"{"id":1,"type":"add","url":"http://a.example/f","cookies":[{"name":"a","value":"\#(long)","domain":"a.example"}]}"#,
    ]
    for text in table {
      guard case .failure = Self.read(text).order else {
        Issue.record("\(text.prefix(80)) is refused")
        continue
      }
    }
  }

  @Test(
    "names are safe, or the server names the file",
    arguments: [("big.iso", "big.iso"), ("", nil), ("a\\u0000b", "ab"), ("-rf", "_-rf"), ("b\\nc", "bc")]
      as [(String, String?)])
  func names(typed: String, expected: String?) throws {
    let name = try Self.download(#""url":"http://a.example/f","name":"\#(typed)""#).name
    #expect(name == (expected.flatMap { FileName.safe($0) }))
    #expect(name.map { !$0.contains("/") && !$0.hasPrefix("-") } ?? true)
  }

  @Test("a user name in the URL is separate")
  func user() throws {
    let download = try Self.download(#""url":"http://ann:secret@a.example/f""#)
    #expect(download.url.string == "http://a.example/f")
    #expect(download.user?.password == "secret")
  }

  struct CookieRow: Sendable {
    var cookie: String
    var url = "https://www.a.example/d/f"
    var isSent: Bool
  }

  @Test(
    "cookies for the URL only (RFC 6265 §5.1.3, §5.1.4, §5.4)",
    arguments: [
      CookieRow(cookie: #""domain":"www.a.example","hostOnly":true"#, isSent: true),
      CookieRow(cookie: #""domain":"WWW.A.Example","hostOnly":true"#, isSent: true),
      CookieRow(cookie: #""domain":".a.example","hostOnly":false"#, isSent: true),
      CookieRow(cookie: #""domain":".a.example""#, isSent: true),
      CookieRow(cookie: #""domain":"a.example","hostOnly":true"#, isSent: false),
      CookieRow(cookie: #""domain":"a.example""#, isSent: false),
      CookieRow(cookie: #""domain":".example.a","hostOnly":false"#, isSent: false),
      CookieRow(cookie: #""domain":"ww.a.example","hostOnly":false"#, isSent: false),
      CookieRow(cookie: #""domain":"x.www.a.example","hostOnly":false"#, isSent: false),
      CookieRow(cookie: #""domain":"b.example","hostOnly":false"#, isSent: false),
      CookieRow(cookie: #""domain":".0.0.1","hostOnly":false"#, url: "http://127.0.0.1/f", isSent: false),
      CookieRow(cookie: #""domain":"127.0.0.1","hostOnly":true"#, url: "http://127.0.0.1:81/f", isSent: true),
      CookieRow(cookie: #""domain":"[::1]","hostOnly":true"#, url: "http://[::1]/f", isSent: true),
      CookieRow(cookie: #""domain":"www.a.example","path":"/d""#, isSent: true),
      CookieRow(cookie: #""domain":"www.a.example","path":"/d/""#, isSent: true),
      CookieRow(cookie: #""domain":"www.a.example","path":"/d/f""#, isSent: true),
      CookieRow(cookie: #""domain":"www.a.example","path":"/d/f/g""#, isSent: false),
      CookieRow(cookie: #""domain":"www.a.example","path":"/e""#, isSent: false),
      CookieRow(cookie: #""domain":"www.a.example","path":"/D""#, isSent: false),
      CookieRow(cookie: #""domain":"www.a.example","path":"/d""#, url: "https://www.a.example/dd", isSent: false),
      CookieRow(cookie: #""domain":"www.a.example","secure":true"#, isSent: true),
      CookieRow(cookie: #""domain":"www.a.example","secure":true"#, url: "http://www.a.example/d/f", isSent: false),
      CookieRow(cookie: #""domain":"localhost","secure":true"#, url: "http://localhost:8080/f", isSent: true),
      CookieRow(cookie: #""domain":"www.a.example","expirationDate":1000.5"#, isSent: false),
      CookieRow(cookie: #""domain":"www.a.example","expirationDate":0"#, isSent: false),
      CookieRow(cookie: #""domain":"www.a.example","expirationDate":1001.5,"httpOnly":true"#, isSent: true),
      CookieRow(cookie: #""domain":7"#, isSent: false),
    ])
  func cookies(row: CookieRow) throws {
    let download = try Self.download(#""url":"\#(row.url)","cookies":[{"name":"n","value":"v=1",\#(row.cookie)}]"#)
    #expect(download.cookie == (row.isSent ? "n=v=1" : nil))
    #expect(download.hasCookies)
  }

  @Test("longer paths first; what cannot be sent is dropped")
  func cookieOrder() throws {
    func one(_ name: String, _ value: String, _ path: String = "/") -> String {
      #"{"name":"\#(name)","value":"\#(value)","domain":"a.example","path":"\#(path)"}"#
    }
    let list = [
      one("a", "1"), one("b", "2", "/d"), one("c", "3"), one("a", "4"), one("d\\r\\nX", "5"), one("e", "x; f=1"),
      one("g=", "1"), one("", "1"), "7", "null",
    ]
    let download = try Self.download(#""url":"http://a.example/d/f","cookies":[\#(list.joined(separator: ","))]"#)
    #expect(download.cookie == "b=2; a=4; c=3")
    #expect(try Self.download(#""url":"http://a.example/f""#).hasCookies == false)
  }

  @Test(
    "the referer has no user name and no fragment, and does not leave https",
    arguments: [
      ("https://a.example/page#x", "https://a.example/f", "https://a.example/page"),
      ("https://ann:pw@a.example/page", "https://a.example/f", "https://a.example/page"),
      ("https://a.example/page", "http://a.example/f", nil),
      ("http://b.example/", "http://a.example/f", "http://b.example/"),
      ("about:blank", "http://a.example/f", nil), ("", "http://a.example/f", nil),
      ("file:///etc/x", "http://a.example/f", nil), ("chrome-extension://x/y", "http://a.example/f", nil),
    ] as [(String, String, String?)])
  func referer(page: String, url: String, expected: String?) throws {
    #expect(try Self.download(#""url":"\#(url)","referrer":"\#(page)""#).referer == expected)
  }

  @Test("a request gets what the message has, and keeps the rest")
  func putting() throws {
    let url = try RequestURL.parse("http://a.example/f").url
    var request = TransferRequest(url: url)
    (request.cookie, request.referer, request.userAgent) = ("old=1", "http://old/", "old")
    try Self.download(#""url":"http://a.example/f""#).put(into: &request)
    #expect(request.cookie == "old=1" && request.referer == "http://old/" && request.userAgent == "old")
    #expect(request.cookies == nil)
    let all = #""cookies":[],"referrer":"http://new/","userAgent":"Browser/1""#
    try Self.download(#""url":"http://a.example/f",\#(all)"#).put(into: &request)
    #expect(request.cookie == nil && request.referer == "http://new/" && request.userAgent == "Browser/1")
    #expect(request.cookies?.ignoresOwnJar == true)
  }
}
