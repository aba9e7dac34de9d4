// An additional connection to a file: it requests a segment, checks the answer, and writes the segment at its position
// in the file. A FileTransfer is the first connection. For both kinds, DrayCore and the group make the decisions.

internal import Curl
internal import DrayCore
internal import Threads

/// A connection of a ``ConnectionGroup`` in addition to the first one.
final class SegmentTransfer: LoopTransfer, SegmentWorker {
  private enum Next: AnswerSequel {
    case again
    case end(SegmentEnd)

    static func fail(_ failure: Failure) -> Self { .end(.failed(failure)) }
  }

  let group: ConnectionGroup
  var member: GroupMember
  private var segment: Segment
  /// The number of bytes before the segment that are requested as well, to compare them with the bytes on disk.
  private var overlap: Int64 = 0
  /// Receives bytes that were written but do not count yet; `nil` if all bytes count at once.
  private let keeper: Transfer.Keeper?
  private let request: TransferRequest
  private let condition: Ask.Condition
  /// The validators that the version has at this server.
  private let validators: Validators

  /// The writer of the body, once the answer has arrived.
  private(set) var writer: BodyWriter?
  private var exchange: Exchange<Next>
  /// The check of the answer's digest; `nil` if the answer has none.
  private var proof: ContentProof?
  var pace: Pace { exchange.pace }
  private var hasBytes = false
  /// The time at which the first request started.
  private var openedAt: Double?
  var socket: Int32? { exchange.handle?.socket }

  /// - Parameters:
  ///   - piece: The piece of the group's plan to fetch.
  ///   - segment: The range of the piece.
  ///   - number: The index of the source in the group.
  init(_ group: ConnectionGroup, _ piece: PieceID, _ segment: Segment, at number: Int) {
    let source = group.sources[number]
    self.group = group
    self.segment = segment
    keeper = group.keeper(of: number)
    request = source.request
    exchange = Exchange(source.request, from: source.url, group.terms)
    condition = source.condition
    validators = source.validators
    member = GroupMember(piece: piece, source: number, line: source.line)
    (member.lower, member.carries) = (segment.lowerBound, segment.upperBound)
    if group.lines.isSeveral { member.interface = group.shared.lines.join(source.request.interface) }
  }

  var url: RequestURL { exchange.receiver.url }

  private var isOwn: Bool { group.sources[member.source].isOwn }

  private var subject: String { exchange.receiver.subject }

  var tickInterval: Double { group.lookInterval }

  /// The range of the present request: the piece, and the bytes before and after it that are compared.
  private var requested: Segment = 0..<0

  func bound(to upper: Int64) {
    if let writer { return writer.bound(to: min(upper, member.carries)) }
    segment = segment.lowerBound..<max(segment.lowerBound, upper)
  }

  func settle() -> Bool {
    guard let writer else { return false }
    return group.outside.flush(writer, keeper) == nil
  }

  // MARK: The request

  func startTime(now: Double) -> Double {
    let start = exchange.startTime(now: now)
    if start > now { (writer, proof) = (nil, nil) }
    return start
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    openedAt = openedAt ?? TransferLoop.now()
    exchange.begin(on: handle)
    (writer, proof) = (nil, nil)
    group.shared.load.move(&member.origin, to: url.origin)
    overlap = group.overlap(before: segment.lowerBound, of: member.source)
    // If other connections have the bytes behind the piece, some of those are requested and compared, because the
    // answer may have been padded there.
    let surplus = group.needsSurplus(of: self, at: segment.upperBound) ? Seam.usual : 0
    requested = segment.lowerBound - overlap..<min(max(group.size, segment.upperBound), segment.upperBound + surplus)
    let ask = Ask.rest(from: requested.lowerBound, to: requested.upperBound, condition)
    try exchange.prepare(request, asking: ask, on: handle)
    try group.setsApart(handle)
  }

  // MARK: The head

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    switch exchange.receive(line) {
    case .nothing: break
    case .superseded: (writer, proof) = (nil, nil)
    case .head(let head): decide(head)
    }
    return exchange.receiver.course.goesOn
  }

  private func decide(_ head: ResponseHead) {
    switch exchange.receiver.redirect(by: head) {
    case .followed?: return
    case .refused(let reason)?: return exchange.receiver.decide(.fail(refusal(reason, head)))
    case nil: break
    }
    let answer = SegmentAnswer(
      asked: requested, size: group.size, validators: validators,
      offered: group.offered, isCompared: overlap > 0, subject: subject, now: Int64(WallClock.now()),
      retried: group.task.retried)
    switch answer.verdict(on: head) {
    case .write where isOwn && url != group.homeURL && !group.task.digestIsKnown:
      // This time, the redirects led to another URL. A validator is valid only for its own URL, so the job's own
      // request must make the comparison (P16).
      exchange.receiver.decide(.end(.notServed))
    case .write(let until):
      exchange.receiver.usesBody()
      let writer = BodyWriter(
        part: group.part, at: segment.lowerBound - overlap, until: min(until, segment.upperBound),
        span: head.partRange?.upperBound, total: group.size,
        comparing: overlap, buffer: group.takeBuffer())
      if keeper == nil { writer.hand(to: group.outside.follower) }
      if isOwn { group.comparison.isServed = true }
      self.writer = writer
      proof = group.task.verify == .none ? nil : ContentProof(head, knowing: group.offered)
      member.carries = until
      member.hasAnswered = true
    case .notServed:
      exchange.receiver.decide(.end(.notServed))
    case .conditionRefused:
      exchange.receiver.decide(.end(.conditionRefused))
    case .differs(let reason):
      exchange.receiver.decide(.end(.differs(reason)))
    case .wrong(let reason):
      exchange.receiver.cut(.end(.wrong(reason, brought: nil)))
    case .refused(let failure):
      exchange.receiver.decide(.fail(failure))
    }
  }

  private func refusal(_ reason: String, _ head: ResponseHead) -> Failure {
    Failure(
      .protocolViolation, subject, reason, advice: "\(.info) shows the chain; use the file's final URL",
      httpStatus: head.status, recovery: .keep)
  }

  // MARK: The body

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    guard exchange.receiver.bodyFollowsHead(), exchange.receiver.course.isOpen, let writer else {
      return exchange.receiver.passOver(bytes.count)
    }
    return exchange.pace.admit(bytes, now: TransferLoop.now) { take($0, writer) }
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ writer: BodyWriter) -> BodyVerdict {
    if let verdict = group.verdict(for: self, writer, count: bytes.count) {
      exchange.rests()
      return verdict
    }
    guard writer.hasRoom(for: bytes.count) else {
      exchange.rests()
      return BodyWriter.waitForRoom
    }
    exchange.note(bytes.count)
    group.arrived(bytes.count, of: self)
    if !hasBytes {
      hasBytes = true
      if let openedAt { group.hears(self, after: TransferLoop.now() - openedAt) }
    }
    let before = max(writer.position, writer.start)
    let wasComparing = writer.isComparing
    proof?.update(bytes)
    let result = writer.take(bytes)
    if wasComparing, !writer.isComparing { group.proveJoint(at: segment.lowerBound) }
    switch result {
    case .taken:
      record(writer, from: before)
      return group.lets(self, go: writer) ? .abort : .taken
    case .excess:
      record(writer, from: before)
      return group.passesEnd(self, writer, writer.surplus(of: bytes))
    case .overrun:
      record(writer, from: before)
      exchange.receiver.cut(.end(.wrong("it continues past its end", brought: nil)))
      return .abort
    case .differs:
      exchange.receiver.cut(.end(.parted))
      return .abort
    case .failed(let error):
      exchange.receiver.cut(.end(.broken(error)))
      return .abort
    }
  }

  private func record(_ writer: BodyWriter, from before: Int64) {
    if !writer.isComparing { group.outside.note(writer, from: before, keeper) }
  }

  // MARK: Ticking

  func tick(now: Double) -> TickVerdict {
    if group.dismisses(self, now: now) { return .abort }
    if let verdict = exchange.receiver.patience(now: now) { return verdict }
    if let writer, let failure = group.outside.flush(writer, ifDue: now, keeper) {
      exchange.receiver.cut(.end(.broken(failure)))
      return .abort
    }
    return exchange.tick(now: now)
  }

  // MARK: The end

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    let writer = writer
    defer { if let writer { group.shared.buffers.giveBack(writer.surrender()) } }
    let isStopped = group.outside.isCancelled || exchange.receiver.isStopped(by: error)
    if case .again? = exchange.receiver.course.decision, !member.isDismissed, !isStopped {
      return exchange.receiver.askAgain()
    }
    group.leave(self, writer, how(writer, error, info))
    return .done
  }

  private func how(_ writer: BodyWriter?, _ error: CurlError?, _ info: TransferInfo) -> SegmentEnd {
    if let writer, let failure = group.outside.flush(writer, keeper) {
      return .broken(failure)
    }
    if let writer, let wrong = wrong(writer) { return .wrong(wrong, brought: writer.brought) }
    if case .end(let end)? = exchange.receiver.course.decision { return end }
    if group.outside.isCancelled || member.isDismissed { return .done }
    if let writer, writer.isDone, !writer.isComparing { return .done }
    if let error { return .failed(exchange.receiver.failure(of: error, info)) }
    return writer == nil ? .failed(.brokenAnswer(subject, "it ended early")) : .short
  }

  /// Returns how the received bytes contradict their answer, as a clause.
  private func wrong(_ writer: BodyWriter) -> String? {
    if case .end(.wrong(let reason, _))? = exchange.receiver.course.decision { return reason }
    return writer.hasSpan ? proof?.contradiction : nil
  }
}
