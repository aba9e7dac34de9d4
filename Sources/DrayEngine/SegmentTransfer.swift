// One more connection to a file on the loop thread: asks for a segment, checks the answer, writes it at its place. The
// first connection is a FileTransfer; what both have in common is decided by DrayCore and by their crew.

internal import Curl
internal import DrayCore

/// A connection of a ``SegmentCrew`` beside its first one.
final class SegmentTransfer: LoopTransfer, SegmentWorker {
  private enum Mode {
    case head
    case write(BodyWriter)
    /// What comes is of no use.
    case discard
  }

  let crew: SegmentCrew
  var member: CrewMember
  /// What is asked for: a segment to fetch, or samples to compare, one after the other.
  private var asked: [Segment]
  private var isSample: Bool { member.purpose != .fetch }
  /// Bytes before the segment that are asked for as well, and compared with what is on disk.
  private var overlap: Int64 = 0
  /// Takes what is written and does not count yet; `nil` where it counts.
  private let keeper: Transfer.Keeper?
  private let request: TransferRequest
  private(set) var url: RequestURL
  private let condition: Ask.Condition
  /// What identifies the version at this server; of a mirror that is being tried, what its first answer said.
  private(set) var validators: Validators

  private var mode = Mode.head
  private var end: SegmentEnd?
  private var follows = false
  private var hops = 0
  private var parser = HeadParser()
  let pace: Pace
  private var stall: StallDetector
  private var cookies: TransferCookies
  private var bytesSeen: Int64 = 0
  private var hasBytes = false
  private let openedAt: Double
  private weak var handle: EasyHandle?

  /// - Parameters:
  ///   - purpose: what it is for.
  ///   - piece: the piece of the crew's plan that it fetches; `nil` to compare samples.
  ///   - asked: its segment, or the samples.
  ///   - number: which of the crew's sources it asks.
  init(
    _ crew: SegmentCrew, _ purpose: CrewPurpose, piece: PieceID?, asked: [Segment], source: SegmentSource, number: Int
  ) {
    self.crew = crew
    self.asked = asked
    keeper = crew.keeper(of: number)
    request = source.request
    url = source.url
    condition = source.condition
    validators = source.validators
    member = CrewMember(purpose: purpose, piece: piece, source: number)
    if let segment = asked.first { (member.lower, member.carries) = (segment.lowerBound, segment.upperBound) }
    pace = Pace(crew.task.limiters)
    stall = StallDetector(window: source.request.stallTimeout)
    cookies = TransferCookies(crew.task.cookies == nil ? nil : crew.record.cookieLines)
    openedAt = TransferLoop.now()
  }

  var subject: String { URLRedaction.redacted(url.string) }

  var writer: BodyWriter? { if case .write(let writer) = mode { writer } else { nil } }

  var tickInterval: Double { crew.lookInterval }

  private var segment: Segment { asked.first ?? 0..<0 }

  func bound(to upper: Int64) {
    if let writer { return writer.bound(to: min(upper, member.carries)) }
    if let first = asked.first { asked[0] = first.lowerBound..<max(first.lowerBound, upper) }
  }

  // MARK: The request

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    self.handle = handle
    (mode, end, follows, parser) = (.head, nil, false, HeadParser())
    pace.reset()
    stall.reset()
    crew.shared.load.move(&member.origin, to: url.origin)
    overlap = isSample ? 0 : crew.overlap(before: segment.lowerBound, of: member.source)
    let ask = Ask.rest(from: segment.lowerBound - overlap, to: segment.upperBound, condition)
    if isSample { member.carries = segment.upperBound }
    try RequestOptions.apply(crew.task.hosts.request(request, at: url), to: url, asking: ask, on: handle)
    try cookies.apply(on: handle)
    // A connection of its own: segments that share one with each other, as streams of HTTP/2 do, gain nothing.
    try handle.set(.httpVersion, HTTPVersion.http11)
    try handle.set(.pipeWait, false)
  }

  // MARK: The head

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    bytesSeen += Int64(line.count)
    switch parser.take(line) {
    case .none:
      break
    case .violation(let what):
      end = .failed(broken(TextSafety.escaped(what)))
    case .superseded:
      (mode, end) = (.head, nil)
    case .final(let head):
      decide(head)
      // libcurl may meet the challenge yet.
      if request.answersChallenges, head.status == 401 || head.status == 407 { return true }
    }
    return end == nil
  }

  private func broken(_ what: String) -> Failure {
    Failure(
      .protocolViolation, subject, "the server's answer breaks the rules: \(what)",
      advice: "another mirror may do better", recovery: .keep)
  }

  private func decide(_ head: ResponseHead) {
    crew.security.learn(from: head, of: url, isInsecure: request.isInsecure)
    if RedirectPolicy.isRedirect(head.status) { return follow(head) }
    let answer = SegmentAnswer(
      asked: segment.lowerBound - overlap..<segment.upperBound, size: crew.size, validators: validators,
      offered: crew.offered, subject: subject,
      now: Int64(WallClock.now()))
    switch answer.verdict(on: head) {
    case .write where member.source == 0 && url.origin != crew.home && !crew.trustsElsewhere:
      // Redirects led elsewhere this time, and nothing proves what that server has.
      end = .notServed
    case .write(let until):
      if isSample, validators == Validators() { validators = head.validators }
      let writer = BodyWriter(
        part: crew.part, at: segment.lowerBound - overlap, until: min(until, segment.upperBound), total: crew.size,
        comparing: isSample ? segment.upperBound - segment.lowerBound : overlap,
        buffer: crew.takeBuffer(isSample: isSample))
      if !isSample, keeper == nil { writer.hand(to: crew.outside.follower) }
      if member.source == 0 { crew.comparison.isServed = true }
      mode = .write(writer)
      member.carries = until
      member.hasAnswered = true
    case .notServed:
      end = .notServed
    case .conditionRefused:
      end = .conditionRefused
    case .differs(let reason):
      end = .differs(reason)
    case .refused(let failure):
      end = .failed(failure)
    }
  }

  private func follow(_ head: ResponseHead) {
    let limit = request.redirects?.limit ?? RedirectPolicy.defaultLimit
    switch RedirectPolicy.decide(
      from: url, status: head.status, location: head.all("location"), hop: hops, limit: limit)
    {
    case .follow(let target):
      url = crew.security.upgraded(target)
      hops += 1
      (mode, follows) = (.discard, true)
    case .refuse(let reason):
      end = .failed(
        Failure(
          .protocolViolation, subject, reason, advice: "`dray info` shows the chain; ask for the file's real address",
          httpStatus: head.status, recovery: .keep))
    }
  }

  // MARK: The body

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    guard case .write(let writer) = mode else { return .abort }
    return pace.admit(bytes, now: TransferLoop.now) { take($0, writer) }
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ writer: BodyWriter) -> BodyVerdict {
    if let verdict = crew.verdict(for: self, writer, count: bytes.count) {
      stall.reset()
      return verdict
    }
    bytesSeen += Int64(bytes.count)
    if !hasBytes {
      hasBytes = true
      crew.hears(after: TransferLoop.now() - openedAt)
    }
    let before = max(writer.position, writer.start)
    switch writer.take(bytes) {
    case .taken:
      tell(writer, from: before)
      return crew.lets(self, go: writer) ? .abort : .taken
    case .excess:
      tell(writer, from: before)
      // It cannot take back what was given away: these bytes are gone with its connection.
      member.isDismissed = true
      return .abort
    case .differs:
      end = member.purpose == .proof ? .refuted(segment.lowerBound) : .differs(.changed("its bytes differ"))
      return .abort
    case .failed(let error):
      end = .broken(error.failure(crew.path))
      return .abort
    }
  }

  private func tell(_ writer: BodyWriter, from before: Int64) {
    if !isSample, !writer.isComparing { crew.outside.note(writer, from: before, keeper) }
  }

  // MARK: Looking after itself

  func tick(now: Double) -> TickVerdict {
    if crew.dismisses(self, now: now) { return .abort }
    if !isSample, let writer, let failure = crew.outside.flush(writer, ifDue: now, path: crew.path, keeper) {
      end = .broken(failure)
      return .abort
    }
    if pace.mustAskAgain(now: now) {
      stall.reset()
      return .proceed
    }
    guard handle?.isConnected ?? false, now >= pace.heldUntil else {
      stall.reset()
      return .none
    }
    if stall.isStalled(bytes: bytesSeen, now: now) {
      end = .failed(stall.failure(subject))
      return .abort
    }
    return .none
  }

  // MARK: The end

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    let writer = writer
    defer { if let writer { crew.shared.buffers.giveBack(writer.surrender()) } }
    let isStopped = crew.outside.isCancelled || error?.code == .abortedByCallback
    if follows, !member.isDismissed, !isStopped, end == nil { return .again }
    let end = how(writer, error, info)
    if isSample, case .done = end, !member.isDismissed {
      asked.removeFirst()
      let isProved = validators.strongETag != nil && validators.strongETag == crew.validators.strongETag
      if !asked.isEmpty, !isProved || member.purpose == .proof { return .again }
      if member.purpose == .proof { crew.counts() } else { crew.proves(self) }
    }
    crew.leave(self, writer, end)
    return .done
  }

  private func how(_ writer: BodyWriter?, _ error: CurlError?, _ info: TransferInfo) -> SegmentEnd {
    if let writer, !isSample, let failure = crew.outside.flush(writer, path: crew.path, keeper) {
      return .broken(failure)
    }
    if let end { return end }
    if crew.outside.isCancelled || member.isDismissed { return .done }
    if let writer, writer.isDone, !writer.isComparing { return .done }
    if let error { return .failed(error.failure(subject, info: info)) }
    return writer == nil ? .failed(broken("it ended early")) : .short
  }
}
