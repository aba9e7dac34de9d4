import DrayCore
import Testing

@testable import DrayDocuments

@Suite struct DocumentErrorTests {
  @Test func namesPlaceKindAndReason() {
    let failure = DocumentError("a feed", "the root is <html>\u{1B}[2J", line: 3).failure(
      "https://x/feed", .protocolViolation)
    #expect(failure.kind == .protocolViolation)
    #expect(failure.subject == "https://x/feed:3")
    #expect(failure.reason.hasPrefix("this is not a feed: the root is <html>"))
    #expect(!failure.reason.unicodeScalars.contains("\u{1B}"))
  }

  @Test(
    "a quote is short, and has no secret of a URL (P7)",
    arguments: [
      ("plain", "\"plain\""), ("'https://me:pw@h/a' b x", "\"'https://…@h/a' b x\""),
      ("https://h/a?token=secret", "\"https://h/a?token=…\""),
      ("https://me:\(String(repeating: "p", count: 80))@h/a", "\"https://…@h/a\""),
      (String(repeating: "é", count: 61), "\"\(String(repeating: "é", count: 60))…\""),
    ])
  func quotes(_ text: String, _ expected: String) { #expect(quote(text) == expected) }
}
