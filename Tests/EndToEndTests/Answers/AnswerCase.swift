// One row of the Answers table of CASES.md: a transfer from nothing, and what must come of it.

import FaultServer
import Testing

/// A `dray get` of one resource.
struct AnswerCase: Sendable, CustomTestStringConvertible {
  /// The row of CASES.md.
  let id: String

  /// What the server does, in a few words.
  let what: String

  /// How the requests are answered.
  var script: [Answer] = []

  /// Options after the URL.
  var options: [String] = []

  /// The exit status.
  var status: Int32 = 0

  /// Other exit statuses that are as good, where a file that is there must be exact.
  var orStatus: Int32?

  /// The state of the job afterwards; nil for what follows from the exit status.
  var state: String?

  /// Part of what must be said.
  var says: String?

  /// How many requests come; nil for any number.
  var requests: Int?

  var testDescription: String { "\(id) \(what)" }

  static let version = Version.named("v1", size: 200_000)
}

extension AnswerCase {
  static let table = interim + odd + errors + bounded + broken + slow

  private static let interim: [AnswerCase] = [
    .init(
      id: "H1", what: "103 with headers, then 200",
      script: [
        Answer { $0.interim = .init(103, headers: ["Link: </x>", "Content-Length: 3", "ETag: \"early\""]) }
      ], requests: 1),
    .init(id: "H1", what: "100 twice, then 200", script: [Answer { $0.interim = .init(100, count: 2) }]),
    .init(
      id: "H1", what: "20,000 × 100", script: [Answer { $0.interim = .init(100, count: 20_000) }], status: 7,
      state: "failed"),
  ]

  private static let odd: [AnswerCase] =
    [204, 205, 304].map { .init(id: "H2", what: "\($0)", script: [.status($0)], status: 7, requests: 1) }
    + [
      .init(id: "H2", what: "302 without Location", script: [.status(302)], status: 7, requests: 1),
      raw("H2", "101", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
      raw("H2", "HTTP/0.9", ""),
      raw("H2", "a status under 100", "HTTP/1.1 099 Odd\r\nContent-Length: 5\r\n\r\n"),
      raw("H2", "a status over 599", "HTTP/1.1 600 Odd\r\nContent-Length: 5\r\n\r\n"),
      raw("H2", "a status over 999", "HTTP/1.1 2000 Odd\r\nContent-Length: 5\r\n\r\n"),
      .init(id: "R13", what: "206 of the whole, not asked for", script: [Answer(206)]),
      .init(
        id: "R13", what: "206 of a part, not asked for", script: [Answer(206) { $0.start = .at(100) }],
        status: 7),
      .init(
        id: "R13", what: "206 without Content-Range, not asked for",
        script: [Answer(206) { $0.without = ["Content-Range"] }], status: 7),
    ]

  private static let errors: [AnswerCase] =
    [404, 410, 400, 405, 451].map {
      .init(
        id: "H7", what: "\($0)", script: [.status($0)], status: 8, state: "failed", says: "\($0)", requests: 1
      )
    }
    + [401, 403].map {
      .init(
        id: "H6", what: "\($0)", script: [.status($0)], status: 6, state: "failed", says: "\($0)", requests: 1
      )
    }
    + [408, 425, 429, 500, 502, 503, 504].map {
      .init(
        id: "H8", what: "\($0) each time", script: [.status($0)], options: ["--retries", "2"], status: 8,
        state: "failed", says: "\($0)", requests: 3)
    }
    + [408, 429, 500, 503].map {
      .init(
        id: "H8", what: "\($0) twice, then the file", script: [.status($0), .status($0), .normal], requests: 3
      )
    }
    + [
      .init(
        id: "H8", what: "503 with --retries 0", script: [.status(503)], options: ["--retries", "0"],
        status: 8,
        state: "failed", requests: 1)
    ]

  private static let bounded: [AnswerCase] = [
    .init(
      id: "H10", what: "300 KB of headers",
      script: [
        Answer { $0.headers = (0..<3000).map { "X-Pad-\($0): \(String(repeating: "p", count: 90))" } }
      ], status: 7),
    .init(
      id: "H10", what: "one header of 300 KB",
      script: [Answer { $0.headers = ["X-Pad: " + String(repeating: "p", count: 300_000)] }], status: 7),
    .init(
      id: "H10", what: "400,000 trailers",
      script: [
        Answer {
          $0.framing = .chunked(.init { $0.trailers = Array(repeating: "X-T: trailer", count: 400_000) })
        }
      ], options: ["--retries", "1"], status: 7),
    .init(
      id: "H10", what: "2 MB of chunk extension",
      script: [
        Answer {
          $0.framing = .chunked(
            .init {
              $0.size = 100_000
              $0.extensionBytes = 2 << 20
            })
        }
      ], status: 7, orStatus: 0),
  ]

  private static let broken: [AnswerCase] =
    ["xyz", "-5", "", "FFFFFFFFFFFFFFFFFF", "1;a\u{0}b"].map { text in
      .init(
        id: "H11", what: "chunk size \(text.debugDescription)",
        script: [
          Answer { $0.framing = .chunked(.init { $0.badSize = (1, text) }) },
          Answer {
            $0.framing = .chunked(.init { $0.badSize = (0, text) })
            $0.closes = true
          },
        ], options: ["--retries", "1"], status: 7, orStatus: 4)
    }
    + [
      raw("H11", "NUL in a header", "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\nContent-Length: 5\r\n\r\n"),
      raw("H11", "CR in a header", "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 5\r\n\r\n", or: 0),
      raw("H11", "a line without colon", "HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 5\r\n\r\n", or: 0),
      raw(
        "H11", "a head that starts with a blank", "HTTP/1.1 200 OK\r\n X: y\r\nContent-Length: 5\r\n\r\n",
        or: 0),
      raw("H11", "garbage", "\u{0}\u{1}\u{2}garbage\r\n\r\n"),
      raw("H11", "no status", "HTTP/1.1\r\nContent-Length: 5\r\n\r\n"),
    ]

  private static let slow: [AnswerCase] = [
    .init(
      id: "H12", what: "one byte a second in the head", script: [Answer { $0.headRate = 1 }],
      options: stall, status: 4, state: "failed"),
    .init(
      id: "H12", what: "one byte a second in the body", script: [Answer { $0.rate = 1 }], options: stall,
      status: 4),
    .init(
      id: "H12", what: "silence", script: [Answer { $0.latency = 60 }], options: stall, status: 4,
      state: "failed", requests: 2),
    .init(
      id: "H12", what: "silence in the body",
      script: [Answer { $0.holds = [.stall(after: 100_000, seconds: 60)] }, .normal],
      options: stall, requests: 2),
    .init(
      id: "H12", what: "closed before the head", script: [Answer { $0.headCut = 0 }, .normal], requests: 2),
    .init(
      id: "H12", what: "reset inside the head",
      script: [
        Answer {
          $0.headCut = 20
          $0.ending = .reset
        }, .normal,
      ], requests: 2),
  ]

  private static let stall = ["--stall-timeout", "1", "--retries", "1"]

  /// A raw head and five bytes; `or` is for heads that may also be read with tolerance.
  private static func raw(_ id: String, _ what: String, _ head: String, or status: Int32? = nil) -> AnswerCase {
    .init(
      id: id, what: what, script: [.raw(head, body: Array("hello".utf8))], options: ["--retries", "0"],
      status: 7,
      orStatus: status)
  }
}
