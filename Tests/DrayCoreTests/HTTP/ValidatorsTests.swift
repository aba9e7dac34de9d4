// Which validators are strong, and when two answers speak of the same version (RFC 9110 §8.8).

import Testing

@testable import DrayCore

@Suite struct ValidatorsTests {
  static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

  @Test(
    arguments: [
      ("\"v1\"", "\"v1\""), ("\"\"", "\"\""), ("W/\"v1\"", nil), ("w/\"v1\"", nil), ("v1", nil), ("\"v1", nil),
      ("\"", nil), ("", nil), ("\"a\"b\"", nil), ("\"a\", \"b\"", nil), (nil, nil),
    ] as [(String?, String?)])
  func strongETags(etag: String?, expected: String?) {
    #expect(Validators(etag: etag).strongETag == expected)
  }

  @Test(
    arguments: [
      (nil, modified, later, modified), (nil, modified, modified, nil), (nil, later, modified, nil),
      (nil, modified, nil, nil), (nil, nil, later, nil), (nil, "yesterday", later, nil), (nil, modified, "now", nil),
      ("\"v1\"", modified, later, nil), ("W/\"v1\"", modified, later, nil),
      // The stored string is sent unchanged, in any form.
      (nil, "Sunday, 06-Nov-94 08:49:37 GMT", later, "Sunday, 06-Nov-94 08:49:37 GMT"),
    ] as [(String?, String?, String?, String?)])
  func strongDates(etag: String?, modified: String?, date: String?, expected: String?) {
    let validators = Validators(etag: etag, lastModified: modified, date: date)
    #expect(validators.strongLastModified == expected)
    #expect(validators.isWeak == (expected == nil && etag != "\"v1\""))
  }

  @Test(
    arguments: [
      (Validators(etag: "\"a\"", lastModified: modified), Validators(etag: "\"a\"", lastModified: later), true),
      (Validators(etag: "\"a\""), Validators(etag: "\"b\""), false),
      (Validators(etag: "\"a\""), Validators(etag: "W/\"a\""), false),
      (Validators(etag: "\"a\"", lastModified: modified), Validators(lastModified: modified), false),
      (Validators(lastModified: modified), Validators(lastModified: later), false),
      (Validators(lastModified: modified), Validators(), true),
      (Validators(lastModified: modified), Validators(etag: "\"a\"", lastModified: modified), true),
      (Validators(etag: "W/\"a\""), Validators(etag: "W/\"a\""), true),
      (Validators(etag: "W/\"a\""), Validators(etag: "\"a\""), true),
      (Validators(etag: "W/\"a\""), Validators(etag: "W/\"b\""), false),
      (Validators(etag: "W/\"a\"", lastModified: modified), Validators(etag: "W/\"a\"", lastModified: later), false),
      (Validators(), Validators(etag: "\"a\"", lastModified: modified), true),
    ])
  func agreement(recorded: Validators, answer: Validators, expected: Bool) {
    #expect(recorded.agree(with: answer) == expected)
  }

  @Test func theyAreReadFromTheHead() {
    let head = ResponseHead(200, "etag: \"a\"", "LAST-MODIFIED: \(ValidatorsTests.modified)", "Date: x", "ETag: \"a\"")
    #expect(head.validators == Validators(etag: "\"a\"", lastModified: ValidatorsTests.modified, date: "x"))
  }

  @Test func severalThatDifferIdentifyNothing() {
    let head = ResponseHead(
      200, "ETag: \"a\"", "ETag: \"b\"", "Last-Modified: \(ValidatorsTests.modified)", "Date: \(ValidatorsTests.later)",
      "Last-Modified: \(ValidatorsTests.later)")
    #expect(head.validators.isWeak)
    #expect(!Validators(etag: "\"a\"").agree(with: head.validators))
    #expect(Validators(lastModified: ValidatorsTests.modified, date: ValidatorsTests.later).isWeak == false)
    #expect(Validators(date: ValidatorsTests.later).agree(with: head.validators))
  }
}
