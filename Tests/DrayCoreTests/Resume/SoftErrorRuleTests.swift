// R31: answers with status 200 that explain an error, and files that changed.

import Testing

@testable import DrayCore

@Suite struct SoftErrorRuleTests {
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let later = "Mon, 07 Nov 1994 08:49:37 GMT"
  private static let strong = Validators(etag: "\"v1\"")
  private static let dated = Validators(lastModified: date, date: later)

  private func isSoftError(
    _ lines: [String], _ validators: Validators, _ type: String? = "application/octet-stream", kept: Int64 = 1000,
    start: [UInt8] = Array(#"{"error":"expired"}"#.utf8)
  ) throws -> Bool {
    let url = try RequestURL.parse("http://h/f").url
    let recorded = Checkpoint(
      segments: SegmentSet(0..<kept), size: 5000, validators: validators,
      provenance: Provenance(url: url, mediaType: type))
    return SoftErrorRule(recorded: recorded).isSoftError(ResponseHead(200, lines), start: start)
  }

  @Test(
    arguments: [
      ("text/html", true), ("application/xhtml+xml", true), ("application/json", true),
      ("application/json; charset=utf-8", true), ("text/json", true), ("application/problem+json", true),
      ("application/vnd.api+json", true), ("application/xml", true), ("text/xml", true),
      ("application/soap+xml", true), ("Text/Plain", true), ("image/svg+xml", false), ("application/zip", false),
      ("text/csv", false), ("application/octet-stream", false), ("video/mp4", false),
    ])
  func types(type: String, expected: Bool) throws {
    #expect(try isSoftError(["Content-Type: \(type)", "Content-Length: 19"], Self.strong) == expected)
  }

  /// A file that changed keeps its type, has a validator, or is not so small.
  @Test(
    arguments: [
      ("lost", ["Content-Length: 19"], strong, true), ("chunked", ["Transfer-Encoding: chunked"], strong, true),
      ("empty", ["Content-Length: 0"], strong, true), ("as long", ["Content-Length: 1000"], strong, false),
      ("another ETag", ["Content-Length: 19", "ETag: \"v2\""], strong, false),
      ("of a framework", ["Content-Length: 19", "ETag: W/\"13-x\""], strong, true),
      ("a date", ["Content-Length: 19", "Last-Modified: \(date)"], strong, false),
      ("lost date", ["Content-Length: 19"], dated, true),
      ("another date", ["Content-Length: 19", "Last-Modified: \(later)"], dated, false),
      ("lost weak ETag", ["Content-Length: 19"], Validators(etag: "W/\"a\""), true),
      ("another weak ETag", ["Content-Length: 19", "ETag: W/\"b\""], Validators(etag: "W/\"a\""), false),
      ("had none", ["Content-Length: 19"], Validators(), true),
    ] as [(String, [String], Validators, Bool)])
  func validators(row: String, lines: [String], recorded: Validators, expected: Bool) throws {
    #expect(try isSoftError(["Content-Type: application/json"] + lines, recorded) == expected)
  }

  @Test(
    arguments: [
      ("application/json", ["Content-Type: application/json"], false), (nil, ["Content-Type: application/json"], false),
      ("text/html", ["Content-Type: application/json"], true), ("application/zip", [], false),
    ] as [(String?, [String], Bool)])
  func recordedTypes(type: String?, lines: [String], expected: Bool) throws {
    #expect(try isSoftError(lines + ["Content-Length: 19"], Self.strong, type) == expected)
  }

  /// Programs that send files often call them HTML or plain text.
  @Test(
    arguments: [
      ("a page", Array("\n\n<!doctype html>".utf8), [], true), ("a text", Array("Session expired".utf8), [], true),
      ("nothing", [], [], true), ("a ZIP archive", Array("PK\u{3}\u{4}".utf8), [], false),
      ("a PDF document", Array("%PDF-1.7\n".utf8), [], false), ("other bytes", [0x41, 0, 0x42], [], false),
      ("compressed", [0x1F, 0x8B, 8, 0], ["Content-Encoding: gzip"], true),
    ] as [(String, [UInt8], [String], Bool)])
  func firstBytes(row: String, start: [UInt8], lines: [String], expected: Bool) throws {
    for type in ["text/html", "text/plain"] {
      let head = ["Content-Type: \(type)", "Transfer-Encoding: chunked"] + lines
      #expect(try isSoftError(head, Self.strong, start: start) == expected)
    }
  }

  @Test func anEmptyAnswerNeedsNoType() throws {
    #expect(try isSoftError(["Content-Length: 0"], Self.strong, start: []))
    #expect(try !isSoftError(["Content-Length: 0"], Self.strong, nil, start: []))
    #expect(try !isSoftError(["Content-Length: 0", "ETag: \"v2\""], Self.strong, start: []))
    #expect(try !isSoftError(["Content-Type: text/plain", "Content-Length: 0"], Self.strong, kept: 0, start: []))
  }
}
