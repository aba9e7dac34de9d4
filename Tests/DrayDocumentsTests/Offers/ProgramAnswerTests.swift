// What a source's program gets and answers: every field, and every lie.

import DrayCore
import DrayDocuments
import Testing

@Suite("Sources by programs: requests and answers")
struct ProgramAnswerTests {
  private static let name = SourceName(scheme: "reports", rest: "2026")
  private static let hex = String(repeating: "ab", count: 32)

  private func parse(_ text: String) throws -> ProgramAnswer {
    try ProgramAnswer.parse(Array(text.utf8), of: Self.name)
  }

  private func files(_ text: String) throws -> SourceAnswer {
    guard case .files(let answer) = try parse(text) else { throw DocumentError("it", "an error") }
    return answer
  }

  @Test("a request is one line of JSON, without the secrets of a URL")
  func requests() throws {
    let find = String(decoding: ProgramRequest.find(SourceName(scheme: "x", rest: "a\"\u{1B}b")), as: UTF8.self)
    #expect(
      find == #"{"version":1,"action":"find","name":"x:a\"\u001bb","scheme":"x","rest":"a\"\u001bb"}"# + "\n")
    let url = try RequestURL.parse("https://ann:geheim@h.example/f?a=1&token=geheim&b=2").url
    let reference = SourceReference(name: "x:y", revision: "r7", path: "d/f")
    let renew = ProgramRequest.renew(SourceName(scheme: "x", rest: "y@r7"), reference, url: url, status: 403)
    let text = String(decoding: renew, as: UTF8.self)
    #expect(text.hasPrefix(#"{"version":1,"action":"renew","name":"x:y@r7","scheme":"x","rest":"y@r7","path":"d/f","#))
    #expect(
      text.contains(#""revision":"r7""#) && text.contains(#""status":403"#) && text.contains("a=1&b=2"), "\(text)")
    #expect(!text.contains("geheim") && text.hasSuffix("}\n"), "\(text)")
  }

  @Test("every field of a file")
  func whole() throws {
    let answer = try files(
      """
      {"name": "reports:2026@r7", "revision": "r7"}

      {"path": "a/b.bin", "url": "https://h.example/b?k=1", "urls": ["https://m.example/b", "https://h.example/b?k=1"], \
      "size": 12, "digest": {"md5": "\(String(repeating: "0", count: 32))", "sha-256": "\(Self.hex)"}, \
      "headers": {"X-Key": " k ", "user-agent": "u/1", "Range": "bytes=0-", "Host": "evil.example"}, \
      "referer": "https://h.example/", "revision": "r7"}\r
      {"path": "c", "urls": ["http://h.example/c"], "size": null, "digest": null, "headers": null, "referer": null}
      """)
    #expect(answer.pinned == SourceName(scheme: "reports", rest: "2026@r7") && answer.revision == "r7")
    #expect(answer.entries.map(\.path) == ["a/b.bin", "c"])
    let file = try #require(answer.entries.first?.file)
    #expect(file.urls.map(\.string) == ["https://h.example/b?k=1", "https://m.example/b"])
    #expect(file.name == "a/b.bin" && file.size == 12 && file.digest?.description == "sha-256=\(Self.hex)")
    #expect(file.digestSource?.rawValue == "reports")
    #expect(file.headers == [HeaderField("X-Key", "k")] && file.userAgent == "u/1")
    #expect(file.referer == "https://h.example/")
    #expect(answer.remarks == ["left out: Range (dray sets it itself)", "left out: Host (dray sets it itself)"])
    #expect(answer.entries.last?.file == OfferedFile(urls: [try RequestURL.parse("http://h.example/c").url], name: "c"))
  }

  @Test("the name that was asked for is the pinned one unless the program says another")
  func plain() throws {
    let answer = try files(#"{"path":"f","url":"https://h.example/f","digest":"sha-256:\#(Self.hex)"}"#)
    #expect(answer.pinned == Self.name && answer.revision == nil && answer.remarks == [])
    #expect(answer.entries.first?.file.digest?.hex == Self.hex)
    #expect(try files("") == SourceAnswer(pinned: Self.name, revision: nil, entries: []))
    #expect(try files(" \n\r\n").entries == [])
  }

  @Test("a path that the disk cannot have gets a safe name, and identifies the file as it was written")
  func safe() throws {
    let entry = try files(#"{"path":"-x/con","url":"https://h.example/f"}"#).entries.first
    #expect(entry?.path == "-x/con" && entry?.file.name == "_-x/_con")
  }

  @Test("an error, before or after files, is the whole answer")
  func errors() throws {
    let file = #"{"path":"f","url":"https://h.example/f"}"# + "\n"
    let long = String(repeating: "x", count: 5000)
    let rows: [(String, ProgramAnswer.Refusal)] = [
      (#"{"error":"no such report"}"#, .init("no such report")),
      (
        file + #"{"error":" gone ","advice":"log in","retry":true}"#, .init("gone", advice: "log in", isTemporary: true)
      ),
      (#"{"error":"\u001b[31m","advice":null}"#, .init(#"\u{1B}[31m"#)),
      (#"{"error":"at https://h.example/?token=geheim"}"#, .init("at https://h.example/?token=…")),
      (#"{"error":"\#(long)"}"#, .init(String(long.prefix(1000)))),
    ]
    for (text, refusal) in rows { #expect(try parse(text) == .refusal(refusal), "\(text.prefix(80))") }
  }

  private static func file(_ fields: String) -> String { #"{"path":"f","url":"https://h.example/f",\#(fields)}"# }

  /// A second line, and a part of the reason why it is refused.
  static let lies: [(String, String)] = [
    ("no JSON", "it is not JSON"), ("{", "it is not JSON"), ("[]", "must be an object"), ("null", "must be an object"),
    (#"{"path":"f","path":"g"}"#, "occurs twice"), ("{}", "\"path\" is missing"),
    (#"{"pth":"f"}"#, "did you mean path?"), (#"{"path":1,"url":"https://h.example/"}"#, "must be a string"),
    (#"{"path":"","url":"https://h.example/"}"#, "is empty"),
    (#"{"path":"../f","url":"https://h.example/"}"#, "must be relative"),
    (#"{"path":"a/../../f","url":"https://h.example/"}"#, "must be relative"),
    (#"{"path":"/etc/passwd","url":"https://h.example/"}"#, "must be relative"),
    (#"{"path":"a//b","url":"https://h.example/"}"#, "must be relative"),
    (#"{"path":"a\\..\\b","url":"https://h.example/"}"#, "must be relative"),
    (#"{"path":"a\u0000b","url":"https://h.example/"}"#, "control character"),
    (#"{"path":"\#(String(repeating: "x", count: 1025))","url":"https://h.example/"}"#, "longer than 1024 bytes"),
    (#"{"path":"first","url":"https://h.example/"}"#, "same path"),
    (#"{"path":"first/f","url":"https://h.example/"}"#, "is a file"),
    (#"{"path":"f"}"#, "\"url\" or \"urls\" is missing"), (#"{"path":"f","urls":[]}"#, "is missing"),
    (#"{"path":"f","urls":"https://h.example/"}"#, "must be an array"),
    (#"{"path":"f","urls":[1]}"#, "not only strings"),
    (#"{"path":"f","url":"file:///etc/passwd"}"#, "cannot be used"), (#"{"path":"f","url":"/f"}"#, "cannot be used"),
    (#"{"path":"f","url":"javascript:1"}"#, "cannot be used"),
    (
      #"{"path":"f","urls":[\#((0..<33).map { #""https://h.example/\#($0)""# }.joined(separator: ","))]}"#,
      "more than 32 URLs"
    ),
    (file(#""size":-1"#), "number of bytes"), (file(#""size":1.5"#), "number of bytes"),
    (file(#""size":"12""#), "number of bytes"), (file(#""size":99999999999999999999"#), "number of bytes"),
    (file(#""digest":{"sha-256":"abcd"}"#), "64 hexadecimal digits"),
    (file(#""digest":{"sha-257":"ab"}"#), "is unknown"),
    (file(#""digest":{}"#), "is empty"), (file(#""digest":["ab"]"#), "must be an object"),
    (file(#""digest":{"md5":1}"#), "must be a string"),
    (file(#""headers":["X: y"]"#), "must be an object"), (file(#""headers":{"X y":"z"}"#), "is not the name"),
    (file(#""headers":{"X":"a\r\nY: b"}"#), "control character"), (file(#""headers":{"X":1}"#), "must be a string"),
    (file(#""user-agent":"a\nb""#), "control character"), (file(#""referer":7"#), "must be a string"),
    (file(#""revision":"other""#), "differs"), (#"{"name":"hf:org/model"}"#, "begins with reports:"),
    (#"{"name":"reports:"}"#, "begins with reports:"), (#"{"name":"reports:a","path":"f"}"#, "no field \"path\""),
    (#"{"error":""}"#, "is empty"), (#"{"error":7}"#, "must be a string"),
    (#"{"error":"x","retry":1}"#, "true or false"),
    (#"{"error":"x","url":"https://h.example/"}"#, "no field \"url\""),
  ]

  @Test("one lie refuses the whole answer, with its line", arguments: lies)
  func lie(_ line: String, _ part: String) {
    let text = #"{"path":"first","url":"https://h.example/","revision":"r"}"# + "\n\(line)\n"
    #expect {
      _ = try parse(text)
    } throws: { error in
      let error = error as? DocumentError
      return error?.line == 2 && error?.reason.contains(part) ?? false
    }
  }

  @Test("a directory of one file cannot be another file")
  func directories() {
    let text = #"{"path":"a/b","url":"https://h.example/"}"# + "\n" + #"{"path":"a","url":"https://h.example/"}"#
    #expect(throws: DocumentError.self) { try parse(text) }
  }

  @Test("no message contains the value of a header field or a secret of a URL")
  func secrets() {
    for line in [
      Self.file(#""headers":{"Authorization":"Bearer PLANTED\n"}"#),
      #"{"path":"f","url":"gopher://h.example/?token=PLANTED"}"#,
    ] {
      #expect {
        _ = try parse(line)
      } throws: { !"\($0)".contains("PLANTED") }
    }
  }

  @Test("lines, files and header fields are bounded")
  func limits() throws {
    let long = #"{"path":"f","url":"https://h.example/\#(String(repeating: "x", count: 256 << 10))"}"#
    #expect(throws: DocumentError("the answer of a source", "it is longer than 256 KiB", line: 1)) { try parse(long) }
    let many = (0...ProgramAnswer.entryLimit).map { #"{"path":"\#($0)","url":"https://h.example/"}"# }
    #expect(try files(many.dropLast().joined(separator: "\n")).entries.count == ProgramAnswer.entryLimit)
    #expect(throws: DocumentError.self) { try parse(many.joined(separator: "\n")) }
    let fields = (0...64).map { #""X-\#($0)":"v""# }.joined(separator: ",")
    #expect(throws: DocumentError.self) { try parse(Self.file(#""headers":{\#(fields)}"#)) }
  }
}
