// Bytes of the wire and of the store: heads, boards of runners, columns.

import Foundation

@testable import DrayCore
@testable import DrayEngine
@testable import DrayStore

extension FuzzTarget {
  static let headParser = FuzzTarget(
    "heads",
    words: [
      "HTTP/1.1 200 OK\r\n", "HTTP/2 103\r\n", "\r\n", "\n", ": ", " ", "\t", "Content-Length: 5\r\n",
      "HTTP/1.1 401 no\r\n",
    ],
    seeds: [
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n folded\r\nETag: \"x\"\r\n\r\nTrailer: x\r\n",
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest\r\n\r\nHTTP/1.1 206 P\r\nContent-Range: bytes 0-1/2\r\n\r\n",
    ].map { Array($0.utf8) }
  ) { (bytes: [UInt8]) throws(Violation) in
    var parser = HeadParser()
    var length = 0
    // libcurl hands out whole lines.
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map({ Array($0) + [0x0A] }) {
      length += line.count
      switch line.withUnsafeBytes({ parser.take($0) }) {
      case .final(let head):
        try hold((200..<600).contains(head.status) || head.status == 101, "a final answer: \(head.status)")
        for text in head.fields.flatMap({ [$0.name, $0.value] }) + [head.version, head.reason] {
          try hold(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" }, "no control character in a head")
        }
        try hold(head.fields.allSatisfy { !$0.name.isEmpty }, "a field has a name")
      case .violation: return
      case .none, .superseded: try hold(length <= HeadParser.byteLimit, "a head is bounded")
      }
    }
  }

  static let board = FuzzTarget(
    "boards of runners", words: ["dray-board 1 ", "dray-runner 1 ", "- ", "receiving", "\n", " 1 2 3 waiting\n"],
    seeds: [
      RunnerBoard(
        overall: ProgressEntry(job: 0, received: 5, size: nil, rate: 3, phase: .waiting),
        entries: [ProgressEntry(job: 7, received: 5, size: 9, rate: 1e6, phase: .receiving)],
        runner: RunnerFacts(name: "host:1", version: "0.1", since: 9)
      ).bytes
    ]
  ) { (bytes: [UInt8]) throws(Violation) in
    guard let board = RunnerBoard(bytes) else { return }
    try hold(RunnerBoard(board.bytes) == board, "reads what it writes")
    try hold(RunnerBoard(board.bytes + bytes) == board, "what is left behind it is not read")
  }

  static let boardValues = FuzzTarget("boards of runners, written") { (choices: inout Choices) throws(Violation) in
    var entries: [ProgressEntry] = []
    while !choices.isEmpty, entries.count < 5 {
      entries.append(
        ProgressEntry(
          job: abs(choices.integer() / 2) + 1, received: choices.integer(), size: choices.perhaps([choices.integer()]),
          rate: choices.real(), phase: choices.pick(ProgressEntry.Phase.allCases)))
    }
    let bytes = RunnerBoard(entries: entries).bytes
    guard let read = RunnerBoard(bytes) else { throw Violation("reads what it writes: \(entries)") }
    try hold(read.entries.map(\.job) == entries.map(\.job), "the same jobs")
    try hold(read.entries.map(\.received) == entries.map(\.received), "the same counts")
    var torn = bytes
    torn[choices.number(0...min(255, bytes.count - 1))] ^= 1 << UInt8(choices.number(0...7))
    let other = RunnerBoard(torn)
    try hold(other == nil || other == read, "a torn board is none")
  }

  private static func sample(_ value: some Encodable) -> [UInt8] {
    (try? JSONEncoder().encode(value)).map(Array.init) ?? []
  }

  /// A column that holds `Value`: any content is read or refused, and a value that was read can be written.
  private static func column<Value: Codable & Equatable & SendableMetatype>(_ name: String, _ values: [Value])
    -> FuzzTarget
  {
    FuzzTarget(
      "column of \(name)", words: ["null", "{}", "[]", "\"\"", "1e400", "-1", "1.5", "true", ":", ","],
      seeds: values.map(sample), rounds: 150, isBounded: true
    ) { (bytes: [UInt8]) throws(Violation) in
      guard let value = try? JSONColumn<Value>.value(String(decoding: bytes, as: UTF8.self)) else { return }
      guard let text = try? JSONColumn<Value>.text(value) else { return }
      try hold((try? JSONColumn<Value>.value(text)) == value, "reads what it writes: \(text)")
    }
  }

  static let columns: [FuzzTarget] = {
    guard let url = try? RequestURL.parse("https://a.example/b?c=d").url else { return [] }
    var request = TransferRequest(url: url)
    request.headers = [HeaderField("A", "b")]
    request.credentials = Credentials(user: "u", password: "p")
    request.cache = CachePolicy(
      ifChanged: TargetBaseline(name: "x", digest: try? DigestValue.parse("md5:1B2M2Y8AsgTpgAmY7PhCfg==")))
    var options = JobOptions()
    options.digest = try? DigestValue.parse("md5:1B2M2Y8AsgTpgAmY7PhCfg==")
    options.mirrors = [url]
    options.pieces = PieceHashes(algorithm: .md5, length: 5, hashes: ["a"])
    let head = ResponseHead(status: 206, fields: [HeaderField("ETag", "\"é\"")])
    return [
      column("requests", [request]), column("options", [options]), column("segments", [SegmentSet(3..<9)]),
      column("answers", [ResponseRecord(finalURL: url, redirects: ["x"], head: head, time: 1.5)]),
      column("validators", [Validators(etag: "\"x\"", lastModified: "y", date: "z")]),
      column("retries", [RetryRecord(used: 1, furthest: 2)]),
    ]
  }()

  static let recordText = FuzzTarget("records of answers, written") { (choices: inout Choices) throws(Violation) in
    guard let url = try? RequestURL.parse("https://a.example/b?c=d").url else { return }
    var head = ResponseHead(version: choices.text(), status: choices.number(100...300), reason: choices.text())
    while !choices.isEmpty, head.fields.count < 4 {
      head.fields.append(HeaderField(choices.text(), choices.text(), isSentEmpty: choices.perhaps([true, false])))
    }
    let time = choices.integer()
    let record = ResponseRecord(
      finalURL: url, redirects: [choices.text()], head: head, time: Double(time >> 11) / 8,
      hops: choices.perhaps([[FollowedRedirect(url: url, head: head)]]))
    let text = RecordText.of(record)
    let read: ResponseRecord
    do { read = try JSONColumn<ResponseRecord>.value(text) } catch { throw Violation("reads what it writes: \(text)") }
    try hold(read == record, "what is read is what was written: \(text)")
    for (one, other) in zip(read.head.fields, head.fields) {
      try holdSame(one.name, other.name, "a name, byte for byte")
      try holdSame(one.value, other.value, "a value, byte for byte")
    }
  }
}
