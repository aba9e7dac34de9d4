// The answers of object stores as elements.

import DrayCore
import DrayDocuments
import Testing

@Suite struct ObjectDocumentTests {
  @Test(
    arguments: [
      "<Error><Code>SlowDown</Code><Message>a &amp; b</Message></Error>",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        + "<Code> SlowDown </Code><Message>a &amp; b</Message></Error>",
      "<x:Error xmlns:x=\"urn:other\"><x:Code>SlowDown</x:Code><x:Message>a &amp; b</x:Message></x:Error>",
    ])
  func theSameInAnyNamespace(_ text: String) throws {
    let root = try #require(ObjectDocument.parse(Array(text.utf8)))
    #expect(root.name == "Error" && root.value("Code") == "SlowDown" && root.value("Message") == "a & b")
  }

  @Test(arguments: ["", "no XML", "<a>", "<!DOCTYPE a><a/>"])
  func whatIsNoDocument(_ text: String) { #expect(ObjectDocument.parse(Array(text.utf8)) == nil) }
}
