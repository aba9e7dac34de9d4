// The Resume table: R1–R20 of CASES.md. A row says what is special; the rest is the honest case R1.

import FaultServer

extension ResumeCase {
  private static let oldDate = "Mon, 01 Jan 2024 00:00:00 GMT"
  private static let otherDate = "Tue, 02 Jan 2024 00:00:00 GMT"

  static let table: [ResumeCase] =
    honest + changed + rejected + refused + unidentified + unavailable

  private static let honest: [ResumeCase] = [
    .init(id: "R1", what: "honest 206 after SIGKILL", stop: .kill, asks: [resume], onlyMissing: true),
    .init(id: "R1", what: "honest 206 after SIGINT", asks: [resume], onlyMissing: true),
    .init(
      id: "R8", what: "206 cut short", script: [.cut(after: 100_000), .normal], asks: [resume, resume],
      onlyMissing: true),
    .init(
      id: "R8", what: "206 that promises less than asked",
      script: [Answer { $0.rangeLimit = 100_000 }, .normal], asks: [resume, resume], onlyMissing: true),
    .init(
      id: "R9", what: "206 that goes past the end, until close",
      script: [
        Answer {
          $0.framing = .close
          $0.excess = 5_000
        }
      ],
      asks: [resume]),
    .init(
      id: "R9", what: "206 that goes past the end, chunked",
      script: [
        Answer {
          $0.framing = .chunked(.init())
          $0.excess = 5_000
        }
      ],
      asks: [resume]),
    .init(
      id: "R18", what: "Last-Modified strong by Date", first: v(v1, etag: nil, lastModified: oldDate),
      asks: [.range(ifRange: oldDate)], onlyMissing: true),
    .init(
      id: "R18", what: "Last-Modified left out of the 206 to a date",
      first: v(v1, etag: nil, lastModified: oldDate),
      script: [Answer { $0.without = ["Last-Modified"] }], asks: [.range(ifRange: oldDate)],
      onlyMissing: true),
    .init(
      id: "R18", what: "ETag the same, Last-Modified changed",
      first: v(v1, etag: "\"v1\"", lastModified: oldDate),
      second: v(v1, etag: "\"v1\"", lastModified: otherDate), asks: [resume], onlyMissing: true),
  ]

  private static let changed: [ResumeCase] = [
    .init(
      id: "R2", what: "200, new ETag", second: v2, result: .version(v2), asks: [resume], atMost: 2,
      says: startedOver),
    .init(
      id: "R2", what: "200, new ETag, after SIGKILL", second: v2, stop: .kill, result: .version(v2),
      asks: [resume], atMost: 2, says: startedOver),
    .init(
      id: "R3", what: "200 to If-Range with the same ETag, 206 to If-Match",
      script: [Answer { $0.refusesIfRange = true }], asks: [resume, .match("\"v1\"")]),
    .init(
      id: "R3", what: "200 with the same ETag to anything", script: [Answer { $0.ignoresRange = true }],
      asks: [resume, .match("\"v1\"")], atMost: 3, says: startedOver),
    .init(
      id: "R4", what: "206, new ETag, same total", second: v2, script: [Answer { $0.ignoresIfRange = true }],
      result: .version(v2), asks: [resume, .whole], says: startedOver),
    .init(
      id: "R4", what: "206, new ETag, same total, after SIGKILL", second: v2,
      script: [Answer { $0.ignoresIfRange = true }], stop: .kill, result: .version(v2),
      asks: [resume, .whole], says: startedOver),
    .init(
      id: "R5", what: "206, ETag gone, other Last-Modified",
      first: v(v1, etag: "\"v1\"", lastModified: oldDate),
      second: v(v2, etag: nil, lastModified: otherDate), script: [Answer { $0.ignoresIfRange = true }],
      result: .version(v2), asks: [resume, .whole], says: startedOver),
    .init(
      id: "R5", what: "206, ETag gone, nothing else told", second: v(v2, etag: nil),
      script: [Answer { $0.ignoresIfRange = true }], result: .version(v2), asks: [resume, .whole],
      says: startedOver),
    .init(
      id: "R5", what: "206 to a date, other Last-Modified",
      first: v(v1, etag: nil, lastModified: oldDate),
      second: v(v2, etag: nil, lastModified: otherDate), script: [Answer { $0.ignoresIfRange = true }],
      result: .version(v2), asks: [.range(ifRange: oldDate), .whole], says: startedOver),
    .init(
      id: "R6", what: "206, other total", second: v(.named("longer", size: size + 1000), etag: "\"v1\""),
      result: .version(.named("longer", size: size + 1000)), asks: [resume, .whole], says: startedOver),
  ]

  private static let rejected: [ResumeCase] = [
    reject("R7", "206 that starts at 0") { $0.start = .at(0) },
    reject("R7", "206 that starts earlier") { $0.start = .shifted(-1000) },
    reject("R7", "206 that starts later") { $0.start = .shifted(1000) },
    reject("R10", "206 without Content-Range") { $0.without = ["Content-Range"] },
    reject("R11", "Content-Range 9-5/10") { $0.headers = ["Content-Range: bytes 9-5/10"] },
    reject("R11", "Content-Range 0-9/5") { $0.headers = ["Content-Range: bytes 0-9/5"] },
    reject("R11", "Content-Range */10") { $0.headers = ["Content-Range: bytes */10"] },
    reject("R11", "Content-Range that overflows") {
      $0.headers = ["Content-Range: bytes 18446744073709551616-18446744073709551617/18446744073709551618"]
    },
    reject("R11", "Content-Range in another unit") {
      $0.headers = ["Content-Range: items {first}-{last}/{total}"]
    },
    reject("R11", "Content-Range twice, two answers") {
      $0.headers = ["Content-Range: bytes {first}-{last}/{total}", "Content-Range: bytes 0-9/{total}"]
    },
    reject("R12", "multipart/byteranges") { $0.multipart = true },
    reject("R12", "206 with Content-Encoding: gzip") { $0.headers = ["Content-Encoding: gzip"] },
    .init(
      id: "R7", what: "206 from elsewhere, also without Range",
      script: [
        Answer { $0.start = .shifted(1000) },
        Answer(206) { $0.start = .at(1000) },
      ],
      // Neither answer brought a byte of the file: what was there is kept, nothing was added to it.
      status: 7, result: .kept, asks: [resume, .whole]),
  ]

  private static let refused: [ResumeCase] = [
    .init(
      id: "R15", what: "416 with a smaller length",
      script: [.status(416, headers: ["Content-Range: bytes */100"]), .normal], asks: [resume, .whole],
      says: startedOver),
    .init(
      id: "R15", what: "bare 416", script: [Answer(416) { $0.without = ["Content-Range"] }, .normal],
      asks: [resume, .whole], says: startedOver),
    .init(
      id: "R15", what: "416 to everything", script: [.status(416)], status: 8, result: .kept,
      asks: [resume, .whole]),
    .init(
      id: "R16", what: "304 to a resume", script: [.status(304), .normal], asks: [resume, .whole],
      says: startedOver),
    .init(
      id: "R16", what: "412 to a resume", script: [.status(412), .normal], asks: [resume, .whole],
      says: startedOver),
  ]

  private static let unidentified: [ResumeCase] = [
    .init(
      id: "R17", what: "weak ETag only", first: v(v1, etag: "W/\"v1\""), asks: [.whole], says: startedOver),
    .init(
      id: "R17", what: "weak ETag and Last-Modified",
      first: v(v1, etag: "W/\"v1\"", lastModified: oldDate), asks: [.whole], says: startedOver),
    .init(id: "R17", what: "nothing at all", first: v(v1, etag: nil), asks: [.whole], says: startedOver),
    .init(
      id: "R17", what: "Last-Modified without Date", first: v(v1, etag: nil, lastModified: oldDate),
      date: .absent, asks: [.whole], says: startedOver),
    .init(
      id: "R17", what: "Last-Modified as young as Date", first: v(v1, etag: nil, lastModified: oldDate),
      date: .fixed(oldDate), asks: [.whole], says: startedOver),
    .init(
      id: "R17", what: "nothing at all, --resume always", first: v(v1, etag: nil),
      options: ["--resume", "always"], asks: [.range(ifRange: nil)]),
    .init(
      id: "R17", what: "weak ETag, --resume always", first: v(v1, etag: "W/\"v1\""),
      options: ["--resume", "always"], asks: [.range(ifRange: nil)]),
    .init(
      id: "R17", what: "nothing at all, other bytes, --resume always", first: v(v1, etag: nil),
      second: v(v2, etag: nil), options: ["--resume", "always"], result: .version(v2),
      asks: [.range(ifRange: nil), .whole], says: startedOver),
    .init(
      id: "R17", what: "strong ETag, --resume never", options: ["--resume", "never"], asks: [.whole],
      says: startedOver),
  ]

  private static let unavailable: [ResumeCase] =
    [(401, 6), (403, 6), (404, 8), (410, 8)].map { status, exit in
      .init(
        id: "R20", what: "\(status)", script: [.status(status)], status: Int32(exit), result: .kept,
        asks: [resume], says: "set-url")
    }
    + [
      .init(
        id: "R20", what: "503 until the retries are used up", script: [.status(503)],
        options: ["--retries", "2"], status: 8, result: .kept, asks: [resume, resume, resume]),
      .init(
        id: "R20", what: "503 once", script: [.status(503), .normal], asks: [resume, resume],
        onlyMissing: true),
    ]

  /// A range answer that must not be appended; one plain GET from the start follows.
  private static func reject(_ id: String, _ what: String, _ change: (inout Answer) -> Void) -> ResumeCase {
    .init(
      id: id, what: what, script: [Answer(nil, change), .normal], asks: [resume, .whole],
      says: startedOver)
  }
}
