// What a status that brings no file means: H2, H6, H7, H8 and R20 of the cases.

import Testing

@testable import DrayCore

@Suite struct StatusRuleTests {
  @Test(
    arguments: [
      (401, .authentication, .keep), (403, .authentication, .keep), (407, .authentication, .keep),
      (404, .status, .keep), (410, .status, .keep), (400, .status, .keep), (416, .status, .keep), (451, .status, .keep),
      (408, .status, .retry), (425, .status, .retry), (429, .status, .retry), (500, .status, .retry),
      (502, .status, .retry), (503, .status, .retry), (504, .status, .retry), (599, .status, .retry),
      (101, .protocolViolation, .keep), (204, .protocolViolation, .keep), (205, .protocolViolation, .keep),
      (304, .protocolViolation, .keep), (300, .protocolViolation, .keep), (99, .protocolViolation, .keep),
      (0, .protocolViolation, .keep), (600, .protocolViolation, .keep), (999, .protocolViolation, .keep),
    ] as [(Int, Failure.Kind, Failure.Recovery)])
  func kinds(status: Int, kind: Failure.Kind, recovery: Failure.Recovery) {
    let failure = StatusRule.failure(ResponseHead(status), subject: "http://h/f", now: 0)
    #expect(failure.kind == kind)
    #expect(failure.recovery == recovery)
    #expect(failure.httpStatus == status)
    #expect(failure.message(.plain).hasPrefix("http://h/f: "))
    #expect(failure.reason.contains("\(status)"))
    #expect(failure.advice != nil)
  }

  @Test(arguments: [
    (401, "server"), (407, "proxy"), (403, "another URL"), (404, "another URL"), (410, "another URL"),
  ])
  func theMessageSaysWhat(status: Int, word: String) {
    #expect(StatusRule.failure(ResponseHead(status), subject: "u", now: 0).message(.plain).contains(word))
  }

  @Test(
    arguments: [
      (503, "7", 7), (429, "Sun, 06 Nov 1994 08:49:37 GMT", 10), (503, "soon", nil), (404, "7", nil), (503, nil, nil),
    ] as [(Int, String?, Int64?)])
  func theServersWaitIsTaken(status: Int, value: String?, expected: Int64?) {
    let head = ResponseHead(status, value.map { ["Retry-After: \($0)"] } ?? [])
    #expect(StatusRule.failure(head, subject: "u", now: 784_111_767).retryAfter == expected)
  }
}
