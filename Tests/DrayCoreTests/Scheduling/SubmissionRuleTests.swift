// The meaning of an answer to a POST, PUT or DELETE, and the method after a redirect (P10).

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

  @Test(arguments: [(200, "Content-Length: 5"), (201, "Transfer-Encoding: chunked"), (207, "Content-Length: x")])
  func anAnswerThatIsNotKept(status: Int, line: String) {
    let action = SubmissionRule.action(
      on: ResponseHead(status, line), keepsAnswer: false, subject: "http://h/", now: 0)
    #expect(action == .done)
  }

  private static func request(_ method: String, _ body: Int64?, _ type: String?) throws -> TransferRequest {
    var request = TransferRequest(url: try RequestURL.parse("http://h/a.tar").url)
    request.method = method
    request.body = body.map { RequestBody(path: "/b", length: $0, contentType: type) }
    return request
  }

  /// Columns: the method, the type of its body, whether its answer is kept without a name, whether the URL names the
  /// answer.
  private static let uses: [(String, String?, Bool, Bool)] = [
    ("GET", nil, true, true), ("PUT", "application/x-tar", false, false), ("PATCH", "application/json", false, false),
    ("DELETE", nil, false, false), ("MKCOL", nil, false, false), ("POST", nil, true, true),
    ("PROPFIND", nil, true, true),
    ("POST", "application/x-www-form-urlencoded", true, true), ("POST", "application/json; charset=utf-8", true, true),
    ("POST", "application/vnd.api+json", true, true), ("POST", "multipart/form-data; boundary=x", false, false),
    ("POST", "application/octet-stream", false, false), ("POST", "", false, false),
  ]

  @Test(arguments: SubmissionRuleTests.uses)
  func whatAnswersAreFor(method: String, type: String?, isKept: Bool, isNamed: Bool) throws {
    let request = try Self.request(method, type == nil ? nil : 1, type == "" ? nil : type)
    #expect(SubmissionRule.keepsAnswer(to: request, output: nil) == isKept)
    #expect(SubmissionRule.keepsAnswer(to: request, output: "a.html"))
    #expect(SubmissionRule.urlNamesAnswer(to: request) == isNamed)
  }

  private static let notes: [(String, Int64?, ResponseHead?, String)] = [
    ("PUT", 300_000, ResponseHead(201), "sent 292.9 KiB: 201 Created"),
    ("PUT", 0, ResponseHead(204), "sent 0 B: 204 No Content"), ("DELETE", nil, ResponseHead(200), "DELETE: 200 OK"),
    ("POST", 5, ResponseHead(204), "sent 5 B: 204 No Content"),
    ("POST", nil, ResponseHead(204), "no file: the server answered 204 No Content without a body"),
    ("PUT", 5, ResponseHead(version: "ftp", status: 200), "sent 5 B"), ("PUT", 5, nil, "sent 5 B"),
    ("POST", 5, nil, "sent 5 B"), ("POST", nil, nil, "no file: the server answered nothing without a body"),
  ]

  @Test(arguments: SubmissionRuleTests.notes.indices)
  func noteOnAJobWithoutAFile(index: Int) throws {
    let (method, length, head, note) = Self.notes[index]
    #expect(SubmissionRule.note(on: try Self.request(method, length, nil), head) == note)
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
