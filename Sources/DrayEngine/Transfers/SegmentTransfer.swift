// One more connection to a file on the loop thread: asks for a segment, checks the answer, writes it at its place. The
// first connection is a FileTransfer; what both have in common is decided by DrayCore and by their crew.

internal import Curl
internal import DrayCore

/// A connection of a ``SegmentCrew`` beside its first one.
final class SegmentTransfer: LoopTransfer, SegmentWorker {
  /// What follows the present answer, decided by its head or its body.
  private enum Next {
    case follow
    case end(SegmentEnd)
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

  /// Where its bytes go, once its answer is here.
  private(set) var writer: BodyWriter?
  /// How far the present answer is, and what follows it.
  private var course = AnswerCourse<Next>()
  /// The digest of what the answer carries, where it has one.
  private var proof: ContentProof?
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

  var tickInterval: Double { crew.lookInterval }

  private var segment: Segment { asked.first ?? 0..<0 }

  func bound(to upper: Int64) {
    if let writer { return writer.bound(to: min(upper, member.carries)) }
    if let first = asked.first { asked[0] = first.lowerBound..<max(first.lowerBound, upper) }
  }

  // MARK: The request

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    self.handle = handle
    (writer, course, proof, parser) = (nil, AnswerCourse(), nil, HeadParser())
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
      course.cut(.end(.failed(.brokenAnswer(subject, what))))
    case .superseded:
      (writer, proof) = (nil, nil)
      course.supersede()
    case .final(let head):
      decide(head)
    }
    return course.goesOn
  }

  private func decide(_ head: ResponseHead) {
    crew.security.learn(from: head, of: url, isInsecure: request.isInsecure)
    if RedirectPolicy.isRedirect(head.status) { return follow(head) }
    let answer = SegmentAnswer(
      asked: segment.lowerBound - overlap..<segment.upperBound, size: crew.size, validators: validators,
      offered: crew.offered, isCompared: isSample || overlap > 0, subject: subject, now: Int64(WallClock.now()))
    switch answer.verdict(on: head) {
    case .write where member.source == 0 && url.origin != crew.home && !crew.trustsElsewhere:
      // Redirects led elsewhere this time, and nothing proves what that server has.
      settle(.end(.notServed), head)
    case .write(let until):
      course.usesBody()
      if isSample, validators == Validators() { validators = head.validators }
      let writer = BodyWriter(
        part: crew.part, at: segment.lowerBound - overlap, until: min(until, segment.upperBound),
        span: head.partRange?.upperBound, total: crew.size,
        comparing: isSample ? segment.upperBound - segment.lowerBound : overlap,
        buffer: crew.takeBuffer(isSample: isSample))
      if !isSample, keeper == nil { writer.hand(to: crew.outside.follower) }
      if member.source == 0 { crew.comparison.isServed = true }
      self.writer = writer
      proof = crew.task.verify == .none ? nil : ContentProof(head, knowing: crew.offered)
      member.carries = until
      member.hasAnswered = true
    case .notServed:
      settle(.end(.notServed), head)
    case .conditionRefused:
      settle(.end(.conditionRefused), head)
    case .differs(let reason):
      settle(.end(.differs(reason)), head)
    case .wrong(let reason):
      course.cut(.end(.wrong(reason, brought: nil)))
    case .refused(let failure):
      settle(.end(.failed(failure)), head)
    }
  }

  /// What follows is decided: the rest of the answer is of no use.
  private func settle(_ next: Next, _ head: ResponseHead) {
    // libcurl reads the body of a challenge that it meets to its end before it asks again.
    let mayBeMet = request.answersChallenges && head.isChallenge
    course.decide(
      next, now: TransferLoop.now(), length: head.announcedLength,
      patience: mayBeMet ? request.stallTimeout : AnswerPatience.moment)
  }

  private func follow(_ head: ResponseHead) {
    let limit = request.redirects?.limit ?? RedirectPolicy.defaultLimit
    switch RedirectPolicy.decide(
      from: url, status: head.status, location: head.all("location"), hop: hops, limit: limit)
    {
    case .follow(let target):
      url = crew.security.upgraded(target)
      hops += 1
      settle(.follow, head)
    case .refuse(let reason):
      let failure = Failure(
        .protocolViolation, subject, reason, advice: "`dray info` shows the chain; ask for the file's real address",
        httpStatus: head.status, recovery: .keep)
      settle(.end(.failed(failure)), head)
    }
  }

  // MARK: The body

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    if course.isAwaited {
      course.cut(.end(.failed(.brokenAnswer(subject, "its body begins before its header fields have ended"))))
    }
    guard course.isOpen, let writer else { return course.passOver(bytes.count) ? .taken : .abort }
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
    proof?.update(bytes)
    switch writer.take(bytes) {
    case .taken:
      tell(writer, from: before)
      return crew.lets(self, go: writer) ? .abort : .taken
    case .excess:
      tell(writer, from: before)
      // It cannot take back what was given away: these bytes are gone with its connection.
      member.isDismissed = true
      return .abort
    case .overrun:
      tell(writer, from: before)
      course.cut(.end(.wrong("it goes on past its end", brought: nil)))
      return .abort
    case .differs:
      let isProof = member.purpose == .proof
      let end = isProof ? SegmentEnd.refuted(segment.lowerBound) : .differs(.changed("its bytes differ"))
      course.cut(.end(end))
      return .abort
    case .failed(let error):
      course.cut(.end(.broken(error.failure(crew.path))))
      return .abort
    }
  }

  private func tell(_ writer: BodyWriter, from before: Int64) {
    if !isSample, !writer.isComparing { crew.outside.note(writer, from: before, keeper) }
  }

  // MARK: Looking after itself

  func tick(now: Double) -> TickVerdict {
    if crew.dismisses(self, now: now) { return .abort }
    guard course.isOpen else {
      // What follows is known: it waits for no body for longer than saving the connection is worth.
      return course.hasWaited(until: now) ? .abort : .none
    }
    if !isSample, let writer, let failure = crew.outside.flush(writer, ifDue: now, path: crew.path, keeper) {
      course.cut(.end(.broken(failure)))
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
      course.cut(.end(.failed(stall.failure(subject))))
      return .abort
    }
    return .none
  }

  // MARK: The end

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    let writer = writer
    defer { if let writer { crew.shared.buffers.giveBack(writer.surrender()) } }
    let isStopped = crew.outside.isCancelled || error?.code == .abortedByCallback && course.goesOn
    if case .follow? = course.decision, !member.isDismissed, !isStopped { return .again }
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
    if let writer, !isSample, let wrong = wrong(writer) { return .wrong(wrong, brought: writer.brought) }
    if case .end(let end)? = course.decision { return end }
    if crew.outside.isCancelled || member.isDismissed { return .done }
    if let writer, writer.isDone, !writer.isComparing { return .done }
    if let error { return .failed(error.failure(subject, info: info)) }
    return writer == nil ? .failed(.brokenAnswer(subject, "it ended early")) : .short
  }

  /// How what came is not what the answer said it is, as a clause.
  private func wrong(_ writer: BodyWriter) -> String? {
    if case .end(.wrong(let reason, _))? = course.decision { return reason }
    return writer.hasSpan ? proof?.contradiction : nil
  }
}
