// Links of web pages that a desktop hands to dray.

import DrayCore
import Testing

@testable import DrayDocuments

@Suite("Links of the desktop")
struct DesktopLinkTests {
  @Test(
    "the URL of a link",
    arguments: [
      ("web+dray:https://example.org/a.iso", "https://example.org/a.iso"),
      ("WEB+DRAY:http://example.org/a%20b?x=%2F", "http://example.org/a%20b?x=%2F"),
      ("web+dray:https%3A%2F%2Fexample.org%2Fa%2520b", "https://example.org/a%20b"),
      ("web+dray:ftp://example.org/a", "ftp://example.org/a"),
    ])
  func url(link: String, url: String) throws {
    #expect(try DesktopLink.url(link).string == url)
  }

  @Test(
    "what is not followed",
    arguments: [
      "https://example.org/", "web+dray:", "web+dray:file:///etc/passwd", "web+dray:sftp://example.org/x",
      "web+dray:s3://bucket/key", "web+dray:https://ann:secret@example.org/", "web+dray:--config=x",
      "web+dray:file%3A%2F%2F%2Fetc%2Fpasswd", "web+dray:javascript:alert(1)", "web+dray:web+dray:https://example.org/",
      "web+dray:https://example.org/\u{1B}[2J",
    ])
  func refused(link: String) {
    #expect(throws: BrowserProblem.self) { try DesktopLink.url(link) }
  }

  @Test("a link says nothing but its URL")
  func message() throws {
    let bytes = DesktopLink.message(adding: try DesktopLink.url("web+dray:https://example.org/a"))
    let order = try BrowserMessage(bytes, now: 0).order.get()
    guard case .add(let download) = order else {
      Issue.record("\(order)")
      return
    }
    #expect(download == BrowserDownload(url: download.url) && download.url.string == "https://example.org/a")
  }
}
