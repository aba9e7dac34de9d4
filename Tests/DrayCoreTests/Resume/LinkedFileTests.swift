// The identity that a hub gives to a file before it redirects to a content network.

import Testing

@testable import DrayCore

@Suite struct LinkedFileTests {
  static let sha256 = String(repeating: "ab", count: 32)
  static let git = String(repeating: "0c", count: 20)

  @Test(
    arguments: [
      ("\"\(sha256)\"", "sha-256=\(sha256)"), ("W/\"\(git)\"", "git-sha1=\(git)"), (git, "git-sha1=\(git)"),
      ("\"v1\"", nil), ("\"\(sha256.dropLast())g\"", nil), ("\"", nil), ("", nil),
    ])
  func tag(text: String, digest: String?) throws {
    let linked = try #require(LinkedFile([ResponseHead(302, "X-Linked-Etag: \(text)", "ETag: \"other\"")]))
    #expect(linked.digest?.description == digest)
  }

  @Test func theFirstAnswerThatNamesItCounts() {
    let silent = ResponseHead(307, "ETag: \"a\"")
    let first = ResponseHead(302, "X-Linked-Size: 5")
    #expect(LinkedFile([silent]) == nil)
    #expect(LinkedFile([silent, first, ResponseHead(200, "X-Linked-Size: 6")]) == LinkedFile(digest: nil, size: 5))
    #expect(LinkedFile([ResponseHead(302, "X-Linked-Size: -5")])?.size == nil)
    #expect(LinkedFile([ResponseHead(302, "X-Linked-Size: 99999999999999999999")])?.size == nil)
  }

  @Test(
    arguments: [
      ("\"\(sha256)\"", "5", nil), ("\"\(sha256.replacing("a", with: "b"))\"", "5", "X-Linked-Etag"),
      ("\"\(sha256)\"", "6", "6 bytes, expected 5"), ("\"\(git)\"", "5", nil), ("\"v1\"", "5", nil),
    ])
  func difference(tag: String, size: String, reason: String?) throws {
    var decision = AnswerDecision(recorded: Checkpoint(), asked: .whole, subject: "https://h/f", now: 0)
    decision.expected = ExpectedFile(size: 5, digest: try DigestValue.parse("sha-256=\(Self.sha256)"))
    decision.linked = LinkedFile([ResponseHead(302, "X-Linked-Etag: \(tag)", "X-Linked-Size: \(size)")])
    let action = decision.action(on: ResponseHead(200, "Content-Length: 5"))
    if let reason {
      guard case .stop(let failure) = action else { return #expect(Bool(false), "\(action)") }
      #expect(failure.kind == .integrity && failure.reason.contains(reason), "\(failure)")
    } else {
      #expect(action == .write(at: 0, until: 5, total: 5))
    }
  }
}
