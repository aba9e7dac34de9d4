// Decisions on answers and segments, against oracles that share no code with them: P1, P2 as properties.

@testable import DrayCore

/// The parts of an answer's head and of a job's record.
private enum World {
  static let etags = ["\"v1\"", "\"v2\"", "W/\"v1\"", "\"\"", "v1", "\"v1", "\"e\u{301}\"", "\"é\""]
  static let dates = [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT", "Mon, 07 Nov 1994 08:49:37 GMT", "yesterday",
  ]
  static let sizes: [Int64] = [0, 1, 10, 100, 65_536, 200_000, .max]

  static func validators(_ choices: inout Choices) -> Validators {
    Validators(
      etag: choices.perhaps(etags), lastModified: choices.perhaps(dates), date: choices.perhaps(dates))
  }

  static func segments(_ choices: inout Choices) -> SegmentSet {
    var set = SegmentSet()
    for _ in 0..<choices.number(0...3) {
      let lower = choices.pick(sizes) / 2 + Int64(choices.byte())
      set.insert(lower..<lower + 1 + min(choices.pick(sizes), .max / 4))
    }
    return set
  }

  static func contentRange(_ choices: inout Choices, near from: Int64, _ size: Int64?) -> String {
    let lower = choices.pick([from, from, from, from &+ 1, 0, choices.integer()])
    let total = choices.pick([size, size, size, 100, nil])
    let last = choices.pick([(total ?? size ?? 100) &- 1, lower, lower &+ 9, lower &+ 70_000, choices.integer()])
    let unit = choices.pick(["bytes ", "bytes ", "bytes ", "items ", "bytes="])
    let text = "\(unit)\(lower)-\(last)/\(total.map { "\($0)" } ?? "*")"
    return choices.pick([text, text, text, "bytes */\(total ?? 7)", "bytes */*", ""])
  }

  static func head(_ choices: inout Choices, near from: Int64, _ size: Int64?) -> ResponseHead {
    var head = ResponseHead(status: choices.pick([206, 206, 200, 416, 304, 412, 204, 404, 503]))
    func add(_ name: String, _ value: String?) { if let value { head.fields.append(HeaderField(name, value)) } }
    for _ in 0..<choices.pick([1, 1, 1, 0, 2]) { add("Content-Range", contentRange(&choices, near: from, size)) }
    let validators = validators(&choices)
    add("ETag", validators.etag)
    add("Last-Modified", validators.lastModified)
    add("Date", validators.date)
    let span = range(head).map { "\($0.last - $0.lower + 1)" } ?? "7"
    add(
      "Content-Length",
      choices.perhaps([span, span, "\(size ?? 5)", "10", "-1", "9223372036854775807", "x", "5,5", "5,6"]))
    add("Content-Encoding", choices.pick([nil, nil, nil, "gzip", "identity", ""]))
    add(
      "Content-Type", choices.pick([nil, nil, nil, "multipart/byteranges; boundary=x", "text/html", "application/zip"]))
    add("Transfer-Encoding", choices.pick([nil, nil, "chunked"]))
    return head
  }

  /// The single range of an answer, parsed independently; `nil` for anything else.
  static func range(_ head: ResponseHead) -> (lower: Int64, last: Int64, total: Int64?)? {
    let values = head.fields.filter { $0.name == "Content-Range" }.map(\.value)
    guard values.count == 1, values[0].hasPrefix("bytes ") else { return nil }
    let numbers = values[0].dropFirst(6).split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    guard numbers.count == 3, let lower = Int64(numbers[0]), let last = Int64(numbers[1]), lower >= 0, last >= lower
    else { return nil }
    if numbers[2] == "*" { return (lower, last, nil) }
    guard let total = Int64(numbers[2]), last < total else { return nil }
    return (lower, last, total)
  }

  static func value(_ head: ResponseHead, _ name: String) -> String? { head.fields.first { $0.name == name }?.value }

  /// Demands that an answer may be of the recorded version.
  static func holdSameVersion(_ recorded: Validators, _ head: ResponseHead) throws(Violation) {
    let etag = value(head, "ETag")
    if let mine = recorded.strongETag { return try holdSame(mine, etag, "the strong ETag is there again (P2)") }
    func opaque(_ tag: String) -> [UInt8] {
      Array(tag.utf8.starts(with: "W/".utf8) ? tag.utf8.dropFirst(2) : tag.utf8[...])
    }
    if let mine = recorded.etag, let etag { try hold(opaque(mine) == opaque(etag), "no other ETag (P2)") }
    if let mine = recorded.lastModified, let theirs = value(head, "Last-Modified") {
      try holdSame(mine, theirs, "no other Last-Modified (P2)")
    }
  }

  /// Demands that a part is as long as it says, or has its beginning compared (R28).
  /// - Parameter isWithheld: Whether a short part without a length is allowed, because its bytes count only at its end.
  static func holdLength(
    _ head: ResponseHead, _ range: (lower: Int64, last: Int64, total: Int64?), isCompared: Bool,
    isWithheld: Bool = false
  ) throws(Violation) {
    let lengths = head.fields.filter { $0.name == "Content-Length" }.map(\.value)
    guard value(head, "Transfer-Encoding") == nil, let length = lengths.first else {
      let isShort = range.last - range.lower < 8 << 20
      return try hold(
        isCompared || isWithheld && isShort, "a part that does not tell its length is compared, or counts at its end")
    }
    // Equal lengths count as one (R24).
    try hold(
      length.split(separator: ",").allSatisfy { Int64($0) == range.last - range.lower + 1 }, "as long as it says")
  }

  static func holdPlain(_ head: ResponseHead) throws(Violation) {
    let coding = value(head, "Content-Encoding") ?? ""
    try hold(["", "identity"].contains(coding), "no coded part is written (R12)")
    try hold(!(value(head, "Content-Type") ?? "").hasPrefix("multipart/"), "no parts are written as one (R12)")
  }
}

extension FuzzTarget {
  static let answerDecision = FuzzTarget("AnswerDecision", rounds: 4000) { (choices: inout Choices) throws(Violation) in
    let recorded = Checkpoint(
      segments: World.segments(&choices), size: choices.perhaps(World.sizes), validators: World.validators(&choices))
    let digestIsKnown = choices.bool()
    var asked = Ask.first(for: recorded, mode: choices.pick(ResumeMode.allCases), digestIsKnown: digestIsKnown).0
    switch (choices.number(0...4), asked) {
    case (0, _): asked = .changed(CacheCondition(etag: choices.perhaps(World.etags), since: nil, size: 10))
    case (1, .rest(let from, let to, .overlap(let overlap, .some(let etag), _))) where etag.hasPrefix("\""):
      asked = .rest(from: from, to: to, .overlap(overlap, ifMatch: etag))
    case (2, .rest(let from, let to, .overlap(let overlap, .some(let validator), _))):
      asked = .rest(from: from + overlap, to: to, .ifRange(validator))
    default: break
    }
    let expected = choices.pick([nil, nil, 10, 100] as [Int64?])
    let head = World.head(&choices, near: asked.lower, recorded.size)
    let decision = AnswerDecision(
      recorded: recorded, asked: asked, digestIsKnown: digestIsKnown,
      expected: ExpectedFile(size: expected, type: choices.pick([nil, ExpectedType("application/zip")])), subject: "x",
      now: 0)
    switch decision.action(on: head) {
    case .write(let at, let until, let total, let comparing, let reason):
      try hold(at >= 0 && until ?? at >= at && comparing >= 0, "a place in the file")
      try hold(expected == nil || total == nil || total == expected, "the size is the one that must be")
      if head.status == 200 {
        try hold(at == 0 && comparing == 0, "a whole file begins at 0")
        if case .rest = asked { try hold(reason != nil, "what is here is given up with a reason (P2)") }
        return
      }
      try hold(head.status == 206, "only 200 and 206 bring bytes: \(head.status)")
      guard let range = World.range(head) else { throw Violation("a part says which: \(head)") }
      try hold(
        range.lower == at && at == asked.lower, "nothing is written but where it was asked for: \(range), \(asked)")
      try hold(total == range.total && total != nil, "the length is told")
      try hold(until ?? 0 <= range.last + 1, "not beyond what the server says")
      try hold(reason == nil, "nothing is given up for a part")
      guard case .rest(_, let to, let condition) = asked else {
        return try hold(at == 0 && range.last + 1 == total, "a part nobody asked for is the whole (R13)")
      }
      try World.holdPlain(head)
      try hold(until ?? 0 <= to ?? .max, "not beyond what was asked for")
      if let size = recorded.size { try hold(total == size, "the length stays (R6)") }
      try World.holdSameVersion(recorded.validators, head)
      try World.holdLength(head, range, isCompared: asked.isCompared, isWithheld: true)
      switch condition {
      case .overlap(let length, _, _):
        try hold(comparing == length && length > 0, "the overlap is compared")
        try hold(until ?? 0 >= at + length, "all of it")
      case .unconditional:
        try hold(comparing == 0 && digestIsKnown, "nothing is built upon without proof")
      case .ifRange, .ifMatch:
        try hold(comparing == 0 && !recorded.validators.isWeak, "a condition is a strong one")
      }
    case .askAgain(let next, let reason):
      guard case .rest(_, _, let condition) = asked else { throw Violation("a whole is not asked for again: no loop") }
      switch (next, condition) {
      case (.whole, _): try hold(reason != nil, "what is here is given up with a reason")
      case (.rest(let from, _, .ifMatch), .ifRange): try hold(from == asked.lower, "the same once more")
      case (.rest(let from, _, .overlap(let length, nil, .some)), .overlap(let old, .some, nil)):
        try hold(from == asked.lower && length == old, "the same once more")
      case (.rest(let from, _, .overlap(let less, _, _)), .overlap(let old, _, _)):
        try hold(from + less == asked.lower + old && less < old, "the same with fewer bytes to compare")
      default: throw Violation("no loop: \(asked), then \(next)")
      }
    case .askForProof(let next):
      try hold(next == asked.compared(after: nil), "the same, with what is compared before it")
    case .writeUnlessPage:
      try hold(head.status == 200 && !recorded.segments.isEmpty, "a page may be in the place of something")
    case .compare:
      throw Violation("nobody said which URL answers")
    case .complete:
      try hold(head.status == 416 && recorded.segments.isWhole(recorded.segments.end), "complete is what is here whole")
      if !digestIsKnown { try World.holdSameVersion(recorded.validators, head) }
    case .endUnproved:
      throw Violation("no end was in doubt")
    case .upToDate:
      guard case .changed = asked else { throw Violation("nobody asked whether it changed") }
    case .stop(let failure):
      try hold(
        failure.kind == .integrity || ![200, 206].contains(head.status) || failure.kind == .protocolViolation
          || failure.kind == .authentication && !recorded.segments.isEmpty,
        "a reason")
    }
  }

  static let segmentAnswer = FuzzTarget("SegmentAnswer", rounds: 3000) { (choices: inout Choices) throws(Violation) in
    let size = max(1, choices.pick(World.sizes))
    let lower = min(size - 1, choices.pick([0, 5, 65_536, size / 2]))
    let asked = lower..<max(lower + 1, min(size, lower &+ 1000))
    let recorded = World.validators(&choices)
    let head = World.head(&choices, near: lower, size)
    let question = SegmentAnswer(asked: asked, size: size, validators: recorded, subject: "x", now: 0)
    guard case .write(let until) = question.verdict(on: head) else { return }
    guard head.status == 206, let range = World.range(head) else { throw Violation("only a part is written: \(head)") }
    try hold(range.lower == asked.lowerBound, "nothing is written but where it was asked for")
    try hold(until > asked.lowerBound && until <= asked.upperBound && until <= range.last + 1, "nor beyond")
    try hold(range.total ?? size == size, "of a file of this length")
    try World.holdLength(head, range, isCompared: false)
    try World.holdPlain(head)
    try World.holdSameVersion(recorded, head)
  }

  static let validators = FuzzTarget("Validators", rounds: 1000) { (choices: inout Choices) throws(Violation) in
    let (one, other) = (World.validators(&choices), World.validators(&choices))
    try hold(one.agree(with: one), "a version is itself: \(one)")
    let head = ResponseHead(
      status: 206,
      fields: [("ETag", other.etag), ("Last-Modified", other.lastModified)].compactMap { name, value in
        value.map { HeaderField(name, $0) }
      })
    if one.agree(with: other) { try World.holdSameVersion(one, head) }
    if let strong = one.strongETag { try hold(strong.hasPrefix("\""), "a strong tag is quoted: \(strong)") }
    if one.strongLastModified != nil { try hold(one.etag == nil, "an ETag outranks a date") }
  }

  static let ask = FuzzTarget("Ask", rounds: 1000) { (choices: inout Choices) throws(Violation) in
    let checkpoint = Checkpoint(segments: World.segments(&choices), validators: World.validators(&choices))
    let mode = choices.pick(ResumeMode.allCases)
    let known = choices.bool()
    let (ask, reason) = Ask.first(for: checkpoint, mode: mode, digestIsKnown: known)
    guard case .rest(let from, let to, let condition) = ask else {
      return try hold(checkpoint.segments.isEmpty == (reason == nil), "what is given up is given up with a reason")
    }
    try hold(mode != .never && from >= 0 && to ?? .max > from, "a range: \(ask)")
    switch condition {
    case .overlap(let length, let ifRange, let ifMatch):
      try hold(ifMatch == nil, "If-Range comes first")
      let isTied = !checkpoint.validators.isWeak
      try hold((ifRange != nil) == isTied, "a condition where there is a validator")
      try hold(isTied || mode == .always || known, "only where nothing else ties them")
      try hold(length > 0 && length <= Joint.overlap, "a bounded overlap")
      try hold(checkpoint.segments.contains(from..<from + length), "what is compared is here")
    case .unconditional:
      try hold(checkpoint.validators.isWeak && known, "only where a digest will tell")
      try hold(from == 0, "only where nothing before it could be compared")
    case .ifRange(let text), .ifMatch(let text):
      try hold(!text.isEmpty && !checkpoint.validators.isWeak, "a strong one")
      try hold(from == 0, "only where nothing before it could be compared")
    }
  }

  static let retryPolicy = FuzzTarget("RetryPolicy", rounds: 2000) { (choices: inout Choices) throws(Violation) in
    func span(_ choices: inout Choices) -> Double { choices.pick([0, 0.5, 1, 60, 3600, 1e9]) }
    let policy = RetryPolicy(
      limit: choices.number(0...100), wait: span(&choices), cap: span(&choices), maxServerWait: span(&choices))
    var record = RetryRecord(used: choices.number(0...100), furthest: abs(choices.integer() / 4))
    let failure = Failure(
      .network, "x", "y", recovery: choices.pick([.retry, .retry, .keep, .wait, .final]),
      retryAfter: choices.perhaps([0, 5, RetryAfter.longest]))
    let before = record
    let kept = choices.pick([0, 1, 1 << 40] as [Int64])
    let decision = policy.decide(
      failure, record: &record, AttemptFacts.Progress(kept: kept, reached: abs(choices.integer() / 4)),
      isSafe: choices.bool(),
      jitter: Double(choices.byte()) / 256)
    try hold(record.furthest >= before.furthest, "the furthest point is never forgotten")
    switch decision {
    case .retry(let seconds):
      try hold(seconds.isFinite && seconds >= 0, "a wait is one: \(seconds)")
      try hold(seconds <= max(policy.cap, policy.maxServerWait), "a wait is bounded: \(seconds)")
      try hold(record.used >= 1 && record.used <= policy.limit, "each retry counts: \(record.used)")
    case .giveUp(let state, _):
      try hold(state == .failed || state == .interrupted, "it stops")
      if failure.recovery != .final { try hold(kept == 0 || state == .interrupted, "bytes are kept") }
    }
  }
}
