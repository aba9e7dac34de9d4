// Files without HTTP: FTP's replies, and heads made from a server's facts.

import Testing

@testable import DrayCore

@Suite struct SourceTests {
  static let now: Int64 = 1_800_000_000
  static let old = SourceFacts(size: 100, modified: 1_700_000_000)

  /// Whether an answer with these facts continues a part file with 40 of 100 bytes.
  private func action(_ recorded: SourceFacts, _ now: SourceFacts, mode: ResumeMode = .safe) -> AnswerAction {
    let first = SourceHead.make(.ftp, asked: .whole, facts: recorded, now: Self.now)
    let checkpoint = Checkpoint(segments: SegmentSet(0..<40), size: recorded.size, validators: first.validators)
    let ask = Ask.first(for: checkpoint, mode: mode, digestIsKnown: false).0
    let head = SourceHead.make(.ftp, asked: ask, facts: now, now: Self.now)
    return AnswerDecision(recorded: checkpoint, asked: ask, subject: "s", now: Self.now).action(on: head)
  }

  @Test func goesOnWhereTimeAndSizeAreTheSame() {
    #expect(action(Self.old, Self.old) == .write(at: 0, until: 100, total: 100, comparing: 40))
  }

  @Test(
    arguments: [
      SourceFacts(size: 100, modified: 1_700_000_001), SourceFacts(size: 101, modified: 1_700_000_000),
      SourceFacts(size: 30, modified: 1_700_000_000), SourceFacts(size: 100, modified: nil),
      SourceFacts(size: nil, modified: 1_700_000_000), SourceFacts(),
    ])
  func startsOverWhereAnythingElseIs(facts: SourceFacts) {
    guard case .askAgain(.whole, .some) = action(Self.old, facts) else {
      return #expect(Bool(false), "\(action(Self.old, facts))")
    }
  }

  @Test func timeThatIsTooFreshIdentifiesNothing() {
    let fresh = SourceFacts(size: 100, modified: Self.now - 59)
    #expect(SourceHead.make(.ftp, asked: .whole, facts: fresh, now: Self.now).validators.isWeak)
    #expect(action(fresh, fresh) == .write(at: 0, until: 100, total: 100))
    #expect(action(fresh, fresh, mode: .always) == .write(at: 0, until: 100, total: 100, comparing: 40))
  }

  @Test func withoutATimeTheOverlapIsCompared() {
    let timeless = SourceFacts(size: 100)
    #expect(action(timeless, timeless, mode: .always) == .write(at: 0, until: 100, total: 100, comparing: 40))
  }

  @Test func aPositionAtTheEndIsComplete() {
    let head = SourceHead.make(.sftp, asked: .rest(from: 100, .unconditional), facts: Self.old, now: Self.now)
    #expect(head.status == 416 && head.first("content-range") == "bytes */100")
  }

  @Test func headsSayWhatTheyAreMadeOf() {
    let head = SourceHead.probed(.sftp, Self.old, servesRest: false, now: Self.now)
    #expect(!head.isHTTP && head.version == "sftp" && head.first("accept-ranges") == "none")
    #expect(ResponseHead(version: "1.1", status: 200).isHTTP && ResponseHead(version: "2", status: 200).isHTTP)
  }

  // MARK: FTP

  private func replies(_ lines: [String]) -> FTPReplies {
    var replies = FTPReplies()
    for line in lines {
      let isTaken = replies.take(Array((line + "\r\n").utf8))
      #expect(isTaken)
    }
    return replies
  }

  @Test(
    arguments: [
      (["213 20250304050607", "213 20000000"], true, 20_000_000), (["550 No MDTM", "213 12"], false, 12),
      (["213 20250304050607", "550 No SIZE"], true, nil), (["550 no", "550 no"], false, nil),
      // If MDTM was not answered, a number that looks like a date is a length.
      (["213 20250304050607"], false, 20_250_304_050_607), (["213 20250304050607", "213 x"], true, nil),
      (["213-first", "213 7"], false, 7),
    ] as [([String], Bool, Int64?)])
  func sizes(lines: [String], timeIsKnown: Bool, expected: Int64?) {
    #expect(replies(lines).size(timeIsKnown: timeIsKnown) == expected)
  }

  @Test func lastLinesCount() {
    let all = replies(["220-Welcome", "530 inside a greeting is text", "220 ready", "350 go on", "550 \u{1B}[31mno"])
    #expect(all.last == FTPReply(550, "[31mno") && all.acceptsRest && all.refusal == all.last)
  }

  @Test func repliesWithoutEnd() {
    var replies = FTPReplies()
    let line = Array(("220-" + String(repeating: "x", count: 1000)).utf8)
    let taken = (0..<1000).prefix { _ in replies.take(line) }.count
    #expect(taken < 300)
  }

  @Test(
    arguments: [
      (530, Failure.Kind.authentication, Failure.Recovery.keep), (550, .status, .keep), (421, .status, .retry),
      (450, .status, .retry), (425, .network, .retry), (426, .network, .retry), (500, .protocolViolation, .keep),
      (553, .status, .keep), (534, .tls, .keep),
    ])
  func refusals(code: Int, kind: Failure.Kind, recovery: Failure.Recovery) {
    let failure = FTPRule.failure(FTPReply(code, "No\u{1B}."), subject: "ftp://h/f")
    #expect(failure.kind == kind && failure.recovery == recovery && failure.httpStatus == nil)
    #expect(failure.message(.plain).contains("\(code) No") && !failure.message(.plain).contains("\u{1B}"))
  }

  @Test(
    "a full server answers 530 or 421 (H19)",
    arguments: [
      (530, "Sorry, the maximum number of clients (2) from your host are already connected.", true),
      (530, "Sorry, the maximum number of allowed clients (10) already connected.", true),
      (530, "Too many connections, try again later.", true), (530, "Too many users logged in", true),
      (530, "Maximum number of connections reached", true), (530, "Server is full", true),
      (530, "User limit reached", true), (430, "No more connections allowed", true), (421, "Too many users", true),
      (530, "Login incorrect.", false), (530, "Too many failed login attempts", false),
      (530, "Invalid password, too many tries", false), (530, "Please login with USER and PASS", false),
      (530, "Not logged in", false), (550, "Too many users", false), (530, "", false),
    ])
  func full(code: Int, text: String, isFull: Bool) {
    let failure = FTPRule.failure(FTPReply(code, text), subject: "ftp://h/f")
    #expect((failure.recovery == .retry && failure.kind == .status) == isFull, "\(failure)")
  }
}
