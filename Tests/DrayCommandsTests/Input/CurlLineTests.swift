// Lines of curl as lines of `dray get`.

import ArgumentParser
import DrayKit
import Testing

@testable import DrayCommands

@Suite("Lines of curl")
struct CurlLineTests {
  private static let url = "https://h.example/f"

  @Test(
    "curl's options with curl's meaning",
    arguments: [
      ("URL", "URL"), ("-L -O -J -f -S URL", "URL"), ("-sSLO URL", "--quiet URL"),
      ("-sSLo x URL", "--quiet --output x URL"),
      ("-ox URL", "--output x URL"), ("-o - URL", "--output=- URL"), ("URL -o x", "--output x URL"),
      ("-x p:8080 URL", "--proxy p:8080 URL"), ("-xp:8080 URL", "--proxy p:8080 URL"),
      ("--proxy p URL", "--proxy p URL"),
      ("-U a:b URL", "--proxy-user a:b URL"), ("--socks5-hostname p URL", "--proxy socks5h://p URL"),
      ("-d a=1 -d b=2 URL", "--data a=1 --data b=2 URL"), ("-da=1 URL", "--data a=1 URL"),
      ("--data-raw -x URL", "--data-raw=-x URL"), ("--data-binary @f URL", "--data-binary @f URL"),
      ("--data-urlencode q=x URL", "--data-urlencode q=x URL"), ("--data-ascii x URL", "--data x URL"),
      ("--json {} URL", "--json-body {} URL"), ("--json [1 --json ,2] URL", "--json-body [1,2] URL"),
      ("-F a=@f URL", "--form a=@f URL"), ("-G -d q=1 URL", "--get --data q=1 URL"), ("-I URL", "--head URL"),
      ("-T f URL", "--upload-file f URL"), ("-XPOST URL", "--request POST URL"), ("-X PUT URL", "--request PUT URL"),
      ("-u a:b URL", "--user a:b URL"), ("-A me URL", "--user-agent me URL"),
      ("-e http://r/;auto URL", "--referer http://r/ URL"),
      ("-b a=b URL", "--cookie a=b URL"), ("-c jar URL", "--cookie-jar jar URL"), ("-C - URL", "--adopt-target URL"),
      ("-C- URL", "--adopt-target URL"), ("-C 0 URL", "URL"),
      ("-k URL", "--insecure URL"), ("--cacert f URL", "--cacert f URL"), ("-E c:p URL", "--cert c:p URL"),
      ("--key k URL", "--key k URL"), ("-m 10 URL", "--max-time 10 URL"), ("--max-time 0 URL", "URL"),
      ("--connect-timeout 5 URL", "--connect-timeout 5 URL"), ("--retry 3 URL", "--retries 3 URL"),
      ("--retry-delay 0 URL", "URL"), ("--max-redirs -1 URL", "--max-redirs 1000 URL"), ("--url URL", "URL"),
      ("-4 -g URL", "--ipv4 --globoff URL"), ("--compressed --tlsv1.2 --proto =https URL", "--proto =https URL"),
      ("-r 0- URL", "URL"),
      ("--no-clobber URL", "--on-conflict rename URL"), ("--no-compressed --no-verbose URL", "URL"),
      ("--noproxy * URL", "--proxy EMPTY URL"), ("--data-u q=x URL", "--data-urlencode q=x URL"),
      ("--max-time=7 URL", "--max-time 7 URL"), ("-- URL", "URL"), ("-H X:1 URL", "--header X:1 URL"),
      ("-HX:1 URL", "--header X:1 URL"), ("-H @f URL", "--header @f URL"), ("-H X; URL", "--header X; URL"),
      ("--url-query a=b URL", "--query a=b URL"), ("--limit-rate 0 --limit-rate 1M URL", "--limit-rate 1M URL"),
    ])
  func options(_ typed: String, _ expected: String) throws {
    let line = try Self.read(typed)
    #expect(Self.text(line) == expected)
    #expect(line.remark == nil)
  }

  @Test(
    "unused options are named in one line, and dray's own fields are left out",
    arguments: [
      ("-w %{x} --trace-time -w %{y} URL", "URL", ["-w, --trace-time mean nothing"]),
      ("-i URL", "URL", ["-i means nothing"]), ("-iw x URL", "URL", ["-i, -w mean"]),
      (
        "-H Accept-Encoding:gzip -H Range:bytes=0- URL", "URL",
        ["left out: Accept-Encoding, Range (dray sets these itself)"]
      ),
      (
        "-H connection:keep-alive -H TE:trailers -H Content-Length:3 URL", "URL",
        ["left out: connection, TE, Content-Length ("]
      ),
      ("-H :authority:h.example -H :method:GET -H X:1 URL", "--header X:1 URL", ["left out: :authority, :method ("]),
      ("-H authority:h.example -H path:/f -H scheme:https URL", "URL", ["left out: authority, path, scheme ("]),
      ("-H If-None-Match:\"x\" -H If-Modified-Since:y URL", "URL", ["left out: If-None-Match, If-Modified-Since ("]),
      ("-w x -H Range:bytes=0- URL", "URL", ["-w means nothing here; left out: Range (dray sets it itself)"]),
    ])
  func leftOut(_ typed: String, _ expected: String, _ says: [String]) throws {
    let line = try Self.read(typed)
    #expect(Self.text(line) == expected)
    let remark = try #require(line.remark)
    #expect(!remark.contains("\n"))
    for text in says { #expect(remark.contains(text), "\(remark)") }
  }

  @Test(
    "a redundant field is left out silently; other values of its name are kept",
    arguments: [
      ("-H Host:h.example URL", "URL"), ("-H HOST:H.Example URL", "URL"),
      ("-H Host:other.example URL", "--header Host:other.example URL"), ("-H Accept-Encoding: URL", "URL"),
      ("-H path:/f URL", "--header path:/f URL"),
    ])
  func unsaid(_ typed: String, _ expected: String) throws {
    let line = try Self.read(typed)
    #expect(Self.text(line) == expected && line.remark == nil)
  }

  @Test(
    "options that would change the request are refused by curl's name",
    arguments: [
      ("URL --next URL", "--next of curl"), ("-: URL", "-: of curl"), ("-K f URL", "-K of curl"),
      ("--aws-sigv4 x URL", "--aws-sigv4"), ("-r 0-9 URL", "-r of curl"), ("-C 100 URL", "-C of curl"),
      ("--unix-socket s URL", "network"), ("--connect-to a:1:b:2 URL", "--resolve"), ("--nonsense URL", "--nonsense"),
      ("-~ URL", "-~"), ("-o", "its value is missing"), ("-L", "no URL"), ("--expand-url x URL", "variables"),
      ("--json {} --json @f URL", "--json"), ("-V", "dray --version"), ("--proxy-c x URL", "--proxy-c"),
    ])
  func refused(_ typed: String, _ says: String) {
    let failure = #expect(throws: Failure.self) { try Self.read(typed) }
    #expect(failure?.kind == .usage && failure?.message.contains(says) == true, "\(failure?.message ?? "")")
  }

  @Test("each name appears once, and every named option exists in dray get")
  func table() throws {
    let options = try #require(try OptionCatalog.read(DrayRoot.self).command(["get"])).options
    var seen: Set<String> = []
    for option in CurlOption.all {
      for name in option.names { #expect(name.hasPrefix("-") && seen.insert(name).inserted, "\(name)") }
      guard case .words(let words) = option.meaning, let word = words.first, word != "%" else { continue }
      let own = options[String(word.dropFirst(2))]
      #expect(own != nil, "\(word)")
      #expect(own?.isFlag == !(words.count > 1), "\(word)")
    }
  }

  @Test("the result is a line that dray get accepts")
  func parses() throws {
    let typed = [
      "-X", "POST", "-H", "content-type: text/plain", "--data-raw", "------Boundary", "-b", "a=b", "--compressed", "-k",
      "-m",
      "3", Self.url,
    ]
    let get = try Get.parse(try CurlLine(typed).words)
    #expect(get.body.dataRaw == ["------Boundary"] && get.body.request == "POST" && get.request.insecure)
    #expect(get.request.header == ["content-type: text/plain"] && get.job.transfer.maxTime == "3")
    #expect(get.job.urls == [Self.url])
    #expect(try Get.parse(try CurlLine(["--data-raw", "", Self.url]).words).body.dataRaw == [""])
  }

  private static func read(_ typed: String) throws(Failure) -> CurlLine {
    try CurlLine(typed.split(separator: " ").map { $0 == "URL" ? url : String($0) })
  }

  private static func text(_ line: CurlLine) -> String {
    line.words.map { $0 == url ? "URL" : $0.isEmpty ? "EMPTY" : $0 }.joined(separator: " ")
  }
}
