// R31: answers with status 200 that explain an error, and files that changed.

import Testing

@testable import DrayCore

@Suite struct SoftErrorRuleTests {
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let later = "Mon, 07 Nov 1994 08:49:37 GMT"
  private static let strong = Validators(etag: "\"v1\"")
  private static let dated = Validators(lastModified: date, date: later)

  private func isSoftError(
    _ lines: [String], _ validators: Validators, _ type: String? = "application/octet-stream", kept: Int64 = 1000
  ) throws -> Bool {
    let url = try RequestURL.parse("http://h/f").url
    let recorded = Checkpoint(
      segments: SegmentSet(0..<kept), size: 5000, validators: validators,
      provenance: Provenance(url: url, mediaType: type))
    let head = ResponseHead(200, lines)
    let length = (try? ContentLength.parse(head.all("content-length"))) ?? nil
    return SoftErrorRule(recorded: recorded).isSoftError(head, length: length)
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
      ("application/json", ["Content-Type: application/json"], false), (nil, ["Content-Type: application/json"], true),
      ("text/html", ["Content-Type: application/json"], true), ("application/zip", [], false),
    ] as [(String?, [String], Bool)])
  func recordedTypes(type: String?, lines: [String], expected: Bool) throws {
    #expect(try isSoftError(lines + ["Content-Length: 19"], Self.strong, type) == expected)
  }

  @Test func anEmptyAnswerNeedsNoType() throws {
    #expect(try isSoftError(["Content-Length: 0"], Self.strong))
    #expect(try !isSoftError(["Content-Length: 0"], Self.strong, nil))
    #expect(try !isSoftError(["Content-Length: 0", "ETag: \"v2\""], Self.strong))
    #expect(try !isSoftError(["Content-Type: text/plain", "Content-Length: 0"], Self.strong, kept: 0))
  }
}
