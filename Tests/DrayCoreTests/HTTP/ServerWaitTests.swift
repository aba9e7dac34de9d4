// How long an answer asks to wait: status by fields. H9, H20 and H21 of the cases.

import Testing

@testable import DrayCore

@Suite struct ServerWaitTests {
  /// The server's clock is two hours behind.
  private static let date = "Date: Sat, 28 Nov 2026 10:00:00 GMT"
  private static let server: Int64 = 1_795_860_000
  private static let now = server + 7200

  private static func wait(_ status: Int, _ lines: [String]) -> ServerWait {
    ServerWait(ResponseHead(status, lines), now: now)
  }

  @Test(
    "H20 the fields of rate limits, of a 429",
    arguments: [
      (["RateLimit: \"default\";r=0;t=7"], 7), (["RateLimit: default;r=0;t=7"], 7), (["ratelimit: \"a\";r=0;t=0"], 1),
      // Named policies: those that are used up count, the longest of them.
      (["RateLimit: \"burst\";r=3;t=90, \"daily\";r=0;t=30"], 30), (["RateLimit: \"a\";r=0;t=9, \"b\";r=0;t=30"], 30),
      (["RateLimit: \"a\";r=0;t=9", "RateLimit: \"b\";r=0;t=30"], 30), (["RateLimit: \"a\";r=3;t=9"], nil),
      (["RateLimit: \"a\";r=0", "RateLimit-Policy: \"b\";q=5;w=10, \"a\";q=20;w=60"], 60),
      (["RateLimit: \"c\";r=0", "RateLimit-Policy: \"b\";q=5;w=10, \"a\";q=20;w=60"], 60),
      (["RateLimit: \"c\";r=0"], nil), (["RateLimit: \"c\";t=8"], 8), (["RateLimit: \"c\";r=0;t=5;pk=:YQ==:"], 5),
      // Earlier drafts.
      (["RateLimit: limit=20, remaining=0, reset=7"], 7), (["RateLimit: limit=20, remaining=4, reset=7"], nil),
      (["RateLimit: remaining=0", "RateLimit-Policy: 20;w=60"], 60),
      (["RateLimit-Limit: 20", "RateLimit-Remaining: 0", "RateLimit-Reset: 7"], 7),
      (["RateLimit-Limit: 20, 20;w=60", "RateLimit-Remaining: 0"], 60), (["RateLimit-Reset: 7"], 7),
      (["ratelimit-limit: 100;w=21600", "ratelimit-remaining: 0;w=21600"], 21600),
      (["ratelimit-limit: 100;w=21600", "ratelimit-remaining: 3;w=21600"], nil),
      // Of vendors: seconds, seconds since 1970, milliseconds since 1970, a date, by the server's clock.
      (["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 7"], 7), (["X-RateLimit-Reset: 7"], 7),
      (["X-Rate-Limit-Remaining: 0", "X-Rate-Limit-Reset: 7"], 7), (["X-RateLimit-Reset: 6.2"], 7),
      ([date, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(server + 7)"], 7),
      (["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(now + 7)"], 7),
      ([date, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(server + 6)999"], 7),
      ([date, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: Sat, 28 Nov 2026 10:00:07 GMT"], 7),
      ([date, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(server - 5)"], 1),
      (["X-RateLimit-Remaining: -2", "X-RateLimit-Reset: 7"], 7), (["X-RateLimit-Remaining: 0"], nil),
      (["X-RateLimit-Remaining: 5", "X-RateLimit-Reset: 7"], nil),
      (["X-RateLimit-Remaining: 5, 0", "X-RateLimit-Reset: 90, 7"], 7),
      // Retry-After comes first, unless it says nothing.
      (["Retry-After: 3", "RateLimit: \"a\";r=0;t=90"], 3), (["Retry-After: 0", "RateLimit: \"a\";r=0;t=90"], 0),
      (["Retry-After: soon", "RateLimit: \"a\";r=0;t=90"], 90),
      // Invalid, or too long to be read.
      (["RateLimit: \"a;r=0;t=9"], nil), (["RateLimit: \"a\";r=\"0\";t=9"], 9), (["X-RateLimit-Reset: x"], nil),
      (["RateLimit: \(String(repeating: "\"a\";r=0;t=9, ", count: 200))\"a\""], nil), ([], nil),
      (["X-RateLimit-Reset: 99999999999999999999"], nil), (["X-RateLimit-Reset: 900000000"], RetryAfter.longest),
    ] as [([String], Int64?)])
  func fields(lines: [String], delay: Int64?) { #expect(Self.wait(429, lines).delay == delay, "\(lines)") }

  /// The columns: with Retry-After, with no requests left, with a reset only, with requests left.
  @Test(
    "H20 the status by the fields",
    arguments: [
      (429, 3, 7, 7, nil), (503, 3, 7, nil, nil), (500, 3, 7, nil, nil), (408, 3, 7, nil, nil), (403, 3, 7, nil, nil),
      (200, nil, 7, nil, nil), (206, nil, 7, nil, nil), (302, nil, 7, nil, nil), (304, nil, 7, nil, nil),
      (404, nil, 7, nil, nil), (401, nil, 7, nil, nil),
    ] as [(Int, Int64?, Int64?, Int64?, Int64?)])
  func statuses(status: Int, after: Int64?, used: Int64?, only: Int64?, left: Int64?) {
    let fields = [
      ["Retry-After: 3"], ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 7"], ["RateLimit-Reset: 7"],
      ["RateLimit: \"a\";r=2;t=7"],
    ]
    #expect(fields.map { Self.wait(status, $0).delay } == [after, used, only, left])
  }

  @Test(
    "H20 a 403 without requests left is no refusal of access",
    arguments: [
      (["X-RateLimit-Remaining: 0"], true), (["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 7"], true),
      (["Retry-After: 7"], true), (["RateLimit: \"a\";r=0;t=7"], true), (["X-RateLimit-Remaining: 3"], false),
      (["X-RateLimit-Reset: 7"], false), (["Retry-After: soon"], false), ([], false),
    ])
  func forbidden(lines: [String], isLimit: Bool) {
    let head = ResponseHead(403, lines)
    #expect(ServerWait(head, now: 0).isLimit == isLimit)
    let failure = StatusRule.failure(head, subject: "u", now: 0)
    #expect((failure.recovery, failure.kind) == (isLimit ? .retry : .keep, isLimit ? .status : .authentication))
    var decision = AnswerDecision(
      recorded: Checkpoint(), asked: .rest(from: 5, to: nil, .unconditional), subject: "u", now: 0)
    decision.recorded.size = 10
    if isLimit {
      #expect(decision.action(on: head) == .stop(failure))
    } else {
      guard case .askAgain(.whole, _) = decision.action(on: head) else {
        Issue.record("the whole is requested once")
        return
      }
    }
  }

  @Test(
    "H21 a date is read against the server's clock",
    arguments: [
      ([date, "Retry-After: Sat, 28 Nov 2026 10:00:20 GMT"], 20), ([date, "Retry-After: 20"], 20),
      ([date, "Age: 15", "Retry-After: Sat, 28 Nov 2026 10:00:20 GMT"], 5),
      ([date, "Retry-After: Sat, 28 Nov 2026 09:59:00 GMT"], 0),
      (["Retry-After: Sat, 28 Nov 2026 12:00:20 GMT"], 20),
      (["Date: yesterday", "Retry-After: Sat, 28 Nov 2026 12:00:20 GMT"], 20),
    ] as [([String], Int64)])
  func dates(lines: [String], delay: Int64) {
    #expect(Self.wait(503, lines).delay == delay)
    let document = S3Element("Error")
    #expect(S3Refusal(ResponseHead(503, lines), document, now: Self.now).retryAfter == delay)
    let date = ResponseHead(503, lines).first("date")
    guard ResponseHead(503, lines).first("age") == nil else { return }
    let refused = StatusRule.tunnelRefusal(
      503, proxy: "p", subject: "u", wait: ResponseHead(503, lines).first("retry-after"), date: date, now: Self.now)
    #expect(refused?.retryAfter == delay)
  }

  @Test(
    arguments: [
      (["RateLimit: \"a\";r=7;t=9, \"b\";r=2;t=30"], 2, 30),
      (["X-RateLimit-Remaining: 5", "X-RateLimit-Reset: 7"], 5, 7),
      (["X-RateLimit-Remaining: 5"], 5, nil), (["X-RateLimit-Limit: 5"], nil, nil),
      (["RateLimit-Policy: \"a\";q=5;w=9"], nil, nil),
    ] as [([String], Int64?, Int64?)])
  func whatIsLeft(lines: [String], remaining: Int64?, reset: Int64?) {
    let wait = Self.wait(200, lines)
    #expect((wait.remaining, wait.reset, wait.delay) == (remaining, reset, nil))
  }
}
