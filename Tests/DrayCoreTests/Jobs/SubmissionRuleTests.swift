// What the answer to a POST, PUT or DELETE means, and with which method a redirect of one is followed (P10).

import DrayCore
import Testing

@Suite struct SubmissionRuleTests {
  enum Outcome: Equatable, Sendable {
    case write(Int64?)
    case done
    case fail(Failure.Kind)
  }

  private static let answers: [(Int, [String], Outcome)] = [
    (200, ["Content-Length: 5"], Outcome.write(5)), (201, ["Content-Length: 5"], .write(5)),
    (202, ["Transfer-Encoding: chunked"], .write(nil)), (203, [], .write(nil)), (207, ["Content-Length: 1"], .write(1)),
    (200, ["Content-Length: 0"], .done), (201, ["Content-Length: 0"], .done), (204, [], .done), (205, [], .done),
    (204, ["Content-Length: 7"], .done), (206, ["Content-Range: bytes 0-4/9"], .fail(.protocolViolation)),
    (200, ["Content-Length: 1", "Content-Length: 2"], .fail(.protocolViolation)), (304, [], .fail(.protocolViolation)),
    (401, [], .fail(.authentication)), (404, [], .fail(.status)), (409, [], .fail(.status)), (503, [], .fail(.status)),
  ]

  @Test(arguments: SubmissionRuleTests.answers)
  func answer(status: Int, lines: [String], expected: Outcome) {
    let outcome: Outcome =
      switch SubmissionRule.action(on: ResponseHead(status, lines), subject: "http://h/", now: 0) {
      case .write(let length): .write(length)
      case .done: .done
      case .fail(let failure): .fail(failure.kind)
      }
    #expect(outcome == expected)
  }

  @Test func whatWasNotAnsweredIsAskedAbout() {
    let failure = SubmissionRule.unanswered(.network, "POST", subject: "http://h/", reason: "cut off", job: 7)
    #expect(failure.message(.plain).contains("POST may have taken effect"))
    #expect(failure.message(.plain).contains("resuming job 7"))
    #expect(failure.recovery == .wait, "the job is interrupted, not failed")
    let alone = SubmissionRule.unanswered(.network, "P\u{1B}", subject: "http://h/", reason: "cut off", job: nil)
    #expect(!alone.message(.plain).contains("resuming"))
    #expect(!alone.message(.plain).contains("\u{1B}"))
  }

  private static let methods: [(Int, String, Set<Int>, String)] = [
    (301, "POST", [], "GET"), (302, "POST", [], "GET"), (303, "POST", [], "GET"), (307, "POST", [], "POST"),
    (308, "POST", [], "POST"), (301, "PUT", [], "PUT"), (303, "PUT", [], "GET"), (303, "DELETE", [], "GET"),
    (303, "HEAD", [], "HEAD"), (302, "POST", [302], "POST"), (301, "POST", [302], "GET"), (303, "PUT", [303], "PUT"),
    (301, "GET", [], "GET"),
  ]

  @Test(arguments: SubmissionRuleTests.methods)
  func method(status: Int, method: String, keeping: Set<Int>, expected: String) {
    #expect(RedirectPolicy.method(after: status, of: method, keeping: keeping) == expected)
  }

  @Test(arguments: [
    ("GET", false, true), ("HEAD", false, true), ("POST", false, false), ("PUT", true, false), ("DELETE", false, false),
    ("GET", true, false),
  ])
  func whichRequestsAreSafe(method: String, hasBody: Bool, isSafe: Bool) throws {
    var request = TransferRequest(url: try RequestURL.parse("http://h/").url)
    request.method = method
    if hasBody { request.body = RequestBody(path: "/b", length: 1, contentType: nil) }
    #expect(request.isSafe == isSafe)
  }
}
