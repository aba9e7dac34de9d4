import DrayCore
import DrayDocuments
import Testing

@Suite struct DocumentErrorTests {
  @Test func namesPlaceKindAndReason() {
    let failure = DocumentError("a feed", "the root is <html>\u{1B}[2J", line: 3).failure(
      "https://x/feed", .protocolViolation)
    #expect(failure.kind == .protocolViolation)
    #expect(failure.subject == "https://x/feed:3")
    #expect(failure.reason.hasPrefix("this is not a feed: the root is <html>"))
    #expect(!failure.reason.unicodeScalars.contains("\u{1B}"))
  }
}
