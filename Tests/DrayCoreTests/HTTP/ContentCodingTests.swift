// Tells values of Content-Encoding that change the bytes from others (H18, R26).

import DrayCore
import Testing

@Suite struct ContentCodingTests {
  @Test(
    arguments: [
      "gzip", "x-gzip", "deflate", "br", "compress", "x-compress", "zstd", "dcb", "dcz", "exi", "pack200-gzip",
      "aes128gcm", "GZip", " gzip ", "gzip; level=9", "\tBR",
    ])
  func registered(value: String) {
    let name = value.prefix { $0 != ";" }.trimmingSpaces().lowercased()
    #expect(ContentCoding(value) == .registered(name))
  }

  @Test(
    arguments: [
      ("utf-8", "utf-8"), ("UTF8", "utf8"), ("none", "none"), ("binary", "binary"), ("8bit", "8bit"), ("7bit", "7bit"),
      ("base64", "base64"), ("aws-chunked", "aws-chunked"), ("text/html; charset=utf-8", "text/html"),
      ("application/gzip", "application/gzip"), ("gzipped", "gzipped"), ("\"gzip\"", "\"gzip\""), ("*", "*"),
      (String(repeating: "x", count: 200), String(repeating: "x", count: 40)),
    ])
  func meaningless(value: String, name: String) {
    #expect(ContentCoding(value) == .meaningless(name))
  }

  @Test(arguments: ["identity", "Identity", "", " ", ";q=1"])
  func identity(value: String) {
    #expect(ContentCoding(value) == .identity)
  }

  @Test(
    arguments: [
      ([], [], []), (["identity"], [], []), (["gzip"], ["gzip"], []),
      ([" GZIP , br", "identity", ""], ["gzip", "br"], []), (["aws-chunked,gzip"], ["gzip"], ["aws-chunked"]),
      (["utf-8", "UTF-8, none"], [], ["utf-8", "none"]), (["a,b,c,d,e"], [], ["a", "b", "c"]),
    ] as [([String], [String], [String])])
  func ofAHead(values: [String], codings: [String], ignored: [String]) {
    let head = ResponseHead(206, values.map { "Content-Encoding: \($0)" })
    #expect(head.contentCodings == codings)
    #expect(head.ignoredCodings == ignored)
  }

  @Test func notes() {
    #expect(ResponseHead(200, "Content-Encoding: identity").codingNotes == [])
    #expect(
      ResponseHead(200, "Content-Encoding: aws-chunked, gzip").codingNotes == [
        "stored as sent: the server compressed it (gzip) without being asked",
        "ignored Content-Encoding aws-chunked: no compression",
      ])
  }

  /// A part of such an answer is a part of the file (RFC 9110 §15.3.7).
  @Test(arguments: [("utf-8", true), ("aws-chunked", true), ("gzip", false), ("none, br", false)])
  func parts(value: String, isUsable: Bool) {
    let asked = Ask.rest(from: 10, to: nil, .ifRange("\"v1\""))
    let recorded = Checkpoint(segments: SegmentSet(0..<10), size: 100, validators: Validators(etag: "\"v1\""))
    let head = ResponseHead(
      206, "Content-Range: bytes 10-99/100", "Content-Length: 90", "ETag: \"v1\"", "Content-Encoding: \(value)")
    let action = AnswerDecision(recorded: recorded, asked: asked, subject: "u", now: 0).action(on: head)
    if case .write(at: 10, until: 100, total: 100, _, startOver: nil) = action {
      #expect(isUsable)
    } else {
      #expect(!isUsable, "\(action)")
    }
  }
}
