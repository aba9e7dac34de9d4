// One attempt at a file on the loop thread: asks, decides on the head, writes, ends. The decisions are
// DrayCore's; this is where they are carried out.

internal import Curl
internal import DrayCore
internal import Foundation

/// The loop's side of a ``Transfer``.
final class FileTransfer: LoopTransfer {
  /// What the body of the present answer is for.
  enum Mode {
    case head
    case write(BodyWriter)
    /// The same, once nothing durable claims the old bytes.
    case gated(BodyWriter)
    /// Read, so that the connection can be used again, and thrown away.
    case discard
  }

  /// What follows the present answer, decided by its head or its body.
  enum Next {
    case again
    case complete
    /// It was done, and there is no file.
    case answered
    case upToDate
    case fail(Failure)
  }

  /// Bytes of a body of no use that are read to keep the connection.
  private static let discardLimit = 64 << 10

  let plan: TransferPlan
  let outside: Transfer
  let observer: any TransferObserver
  let security: TransportSecurity
  let shared: SharedMemory

  var url: RequestURL
  var hops: [RedirectHop] = []
  /// The method of this hop.
  var method: String
  /// Whether the body goes along on this hop.
  var sendsBody = true
  var sender: BodySender?
  /// Whether a server refused to be asked first (417).
  var refusesExpectation = false
  /// Whether a head has come since the last byte was sent.
  var wasAnswered = false
  var ask: Ask
  var startOver: StartOver?
  var recorded: Checkpoint
  /// The server that brought what is recorded.
  var origin: Origin?
  var part: PartFile?
  var mustReleaseRecord: Bool
  var response: ResponseRecord?
  var resumedFrom: Int64 = 0

  var parser = HeadParser()
  /// Where the file comes from, if not over HTTP.
  var source: (any FileSource)?
  var head: ResponseHead?
  var mode = Mode.head
  var next: Next?
  var bytesSeen: Int64 = 0
  var discarded = 0
  let pace: Pace
  /// The next request is made at this time, where a page asks its reader to wait.
  var heldUntil = 0.0
  var wantsFreshConnection = false
  var stall: StallDetector
  /// Seconds until the next request, where a page asks its reader to wait.
  var delay = 0.0
  var cookies: TransferCookies
  weak var handle: EasyHandle?
  /// Those that fetch the file together, once there is enough to share.
  var crew: SegmentCrew?
  var member = CrewMember()

  init(
    plan: TransferPlan, outside: Transfer, observer: any TransferObserver, shared: SharedMemory,
    security: TransportSecurity
  ) {
    self.plan = plan
    self.outside = outside
    self.observer = observer
    self.shared = shared
    self.security = security
    cookies = TransferCookies(plan.cookies)
    url = plan.request.address
    method = plan.request.method
    recorded = plan.checkpoint
    origin = plan.origin
    part = plan.part
    mustReleaseRecord = plan.recordClaimsBytes
    stall = StallDetector(window: plan.request.stallTimeout)
    pace = Pace(plan.limiters)
    let (ask, reason) = Ask.first(for: plan.checkpoint, mode: plan.resume, digestIsKnown: plan.digestIsKnown)
    // Once bytes were claimed, another version than the target's was being fetched: the resume ladder alone rules.
    let condition = plan.recordClaimsBytes ? nil : plan.condition
    self.ask = condition.map { .changed($0) } ?? ask
    startOver = plan.startOver ?? reason
    if case .rest = ask { outside.setReceived(recorded.segments.count) }
    outside.noteSize(recorded.size)
  }

  /// The path of the part file, for messages.
  var path: String { Job.join(plan.directory.path, plan.partName) }

  var subject: String { URLRedaction.redacted(url.string) }

  // MARK: The request

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    self.handle = handle
    beginRequest()
    shared.load.move(&member.origin, to: url.origin)
    let hop = plan.hosts.request(beginHop(), at: url)
    if let scheme = Scheme(url), !scheme.speaksHTTP {
      source = ServerSource(scheme, asked: ask, handle: handle)
      try SourceOptions.apply(hop, to: url, scheme: scheme, asking: ask, on: handle)
      return
    }
    try RequestOptions.apply(hop, to: url, asking: ask, on: handle)
    try cookies.apply(on: handle)
    // On a connection that was used before, libcurl would send it again by itself where that turns out closed (P10).
    if wantsFreshConnection || !hop.isSafe { try handle.set(.freshConnection, true) }
    if shared.peers.wantsCertificate(of: url) { try handle.set(.certificateInfo, true) }
  }

  func beginRequest() {
    parser = HeadParser()
    (head, mode, next, discarded, source) = (nil, .head, nil, 0, nil)
    pace.reset()
    stall.reset()
  }

  // MARK: The head

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    bytesSeen += Int64(line.count)
    wasAnswered = true
    if let source {
      if !source.take(line) { next = .fail(tooMuch) }
      return next == nil
    }
    switch parser.take(line) {
    case .none:
      return true
    case .violation(let what):
      next = .fail(
        Failure(
          .protocolViolation, subject, "the server's answer breaks the rules: \(TextSafety.escaped(what))",
          advice: "another mirror may do better", recovery: .keep))
      return false
    case .superseded:
      (head, mode, next, discarded) = (nil, .head, nil, 0)
      return true
    case .final(let head):
      if refusesToBeAsked(head) { return false }
      decide(head)
      return true
    }
  }

  func decide(_ head: ResponseHead) {
    self.head = head
    security.learn(from: head, of: url, isInsecure: plan.request.isInsecure)
    if let signature = plan.request.signature,
      let failure = S3Address.failure(
        head, asked: signature, isSigned: plan.request.credentials != nil, subject: subject)
    {
      return fail(failure)
    }
    if let decision = redirect(head) { return follow(decision, head) }
    if !hop.isSafe { return submitted(head) }
    if isElsewhere(head) { return }
    let decision = AnswerDecision(
      recorded: recorded, asked: ask, digestIsKnown: plan.digestIsKnown, expectedSize: plan.expectedSize,
      expectedType: plan.expectedType, expectedDigest: plan.verify == .none ? nil : plan.digest,
      onlyVersion: plan.onlyVersion, subject: subject, now: Int64(WallClock.now()))
    switch decision.action(on: head) {
    case .write(let position, let until, let total, let comparing, let reason):
      begin(at: position, until: until, total: total, comparing: comparing, reason: reason, head)
    case .askAgain(let ask, let reason):
      again(ask, reason)
    case .complete:
      (mode, next) = (.discard, .complete)
    case .upToDate:
      response = record(head)
      (mode, next) = (.discard, .upToDate)
    case .stop(let failure):
      response = response ?? record(head)
      fail(failure)
    }
  }

  func fail(_ failure: Failure) {
    (mode, next) = (.discard, .fail(failure))
  }

  func begin(
    at position: Int64, until: Int64?, total: Int64?, comparing: Int64, reason: StartOver?, _ head: ResponseHead
  ) {
    // What is built upon: a part may also be that before the first byte that is here.
    let isRest = if case .rest = ask, head.status == 206 { true } else { false }
    let kept = isRest ? recorded.segments : SegmentSet()
    if let failure = shortOfSpace(total: total, have: kept.count) { return fail(failure) }
    let file: PartFile
    do throws(SystemError) {
      if let part {
        file = part
      } else {
        file = try PartFile.create(plan.partName, in: plan.directory, store: plan.store)
      }
      if !kept.isEmpty, comparing == 0 { try file.truncate(to: max(position, kept.end)) }
    } catch {
      return fail(error.failure(path))
    }
    part = file
    if !isRest || origin == nil { origin = url.origin }
    let record = record(head)
    response = record
    resumedFrom = kept.count
    let offered = isRest && !recorded.offered.isEmpty ? recorded.offered : plan.offered(by: head)
    let writer = BodyWriter(
      part: file, at: position, until: until, total: total, comparing: comparing,
      buffer: shared.buffers.take(large: plan.gathersMuch(of: total, offered: offered)))
    let isGated = kept.isEmpty && mustReleaseRecord
    if isGated { outside.abandonVersion() }
    outside.noteAnswer(record)
    // Before anybody is told of the answer: what is told of progress then has its size.
    outside.noteSize(total)
    observer.transferReceives(record, from: resumedFrom, size: total)
    // From here on this answer is what is known of the file: what is claimed below is claimed of its version.
    recorded = Checkpoint(
      segments: recorded.segments, sums: recorded.sums, size: total,
      // The rest of a version may leave out what identified its beginning (RFC 9110 §15.3.7).
      validators: isRest && recorded.validators != Validators() ? recorded.validators : head.validators,
      offered: offered)

    if isGated {
      startOver = reason ?? startOver ?? .rangesNotServed
      mode = .gated(writer)
      waitForGate(file, startOver ?? .rangesNotServed)
    } else {
      mode = .write(writer)
      if comparing == 0 { claim(writer) }
    }
  }

  /// What is recorded of an answer.
  func record(_ head: ResponseHead) -> ResponseRecord {
    ResponseRecord(
      finalURL: url, redirects: hops.map(\.url.string), head: head, time: WallClock.now(),
      hops: hops.isEmpty ? nil : hops,
      connection: handle.map { shared.peers.record($0.connection, to: url, $0.info, hasEnded: false) })
  }

  private func claim(_ writer: BodyWriter) {
    // What a request that is not safe brings cannot be continued: nothing of it is recorded (P10).
    guard plan.request.isSafe else {
      outside.noteSize(recorded.size)
      return outside.setReceived(0)
    }
    outside.begin(recorded, in: writer.part, hashing: plan.algorithms(offered: recorded.offered), shared.spares)
    writer.hand(to: outside.follower)
    share(writer)
  }

  /// Empties the part file once nothing durable claims its bytes, then lets the body come.
  private func waitForGate(_ file: PartFile, _ reason: StartOver) {
    outside.closeGate()
    Task { [observer, outside, path = path] in
      do throws(Failure) {
        try await observer.transferStartsOver(reason)
        try failing(on: path) { () throws(SystemError) in
          try outside.unlessEnded { () throws(SystemError) in try file.truncate(to: 0) }
        }
        outside.openGate(.success(()))
      } catch {
        outside.openGate(.failure(error))
      }
    }
  }

  /// Files up to this length, in bytes, are written without asking for room first: the write itself tells as soon.
  private static let sparedLook: Int64 = 64 << 10

  private func shortOfSpace(total: Int64?, have kept: Int64) -> Failure? {
    guard let total, total > FileTransfer.sparedLook, let unused = plan.directory.freeSpace else { return nil }
    // What the part file holds beyond its kept bytes is written over, or was reserved for just this.
    let free = unused + max(0, (part?.allocated ?? 0) - kept)
    let need = total - kept
    guard need > free else { return nil }
    return Failure(
      .file, plan.directory.path,
      "not enough space: the file needs \(ByteCount.text(need)) more and \(ByteCount.text(free)) are free:"
        + " \(ByteCount.text(need - free)) are missing",
      advice: "make room, then `dray run` goes on", recovery: .wait)
  }

  // MARK: The body

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    switch mode {
    case .head:
      guard let source else { return .abort }
      decide(on: source, source.facts)
      if case .head = mode { return .abort }
      return receive(body: bytes)
    case .discard:
      // What is on its way from a server without HTTP cannot be cut short but with its connection.
      if source != nil { return .abort }
      discarded += bytes.count
      return discarded > FileTransfer.discardLimit ? .abort : .taken
    case .gated:
      return .pause(until: .infinity)
    case .write(let writer):
      return pace.admit(bytes, now: TransferLoop.now) { bytes in
        if let verdict = heedCrew(bytes.count, writer) {
          stall.reset()
          return verdict
        }
        bytesSeen += Int64(bytes.count)
        return write(bytes, writer)
      }
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, _ writer: BodyWriter) -> BodyVerdict {
    let wasComparing = writer.isComparing
    let before = max(writer.position, writer.start)
    let result = writer.take(bytes)
    switch result {
    case .taken, .excess:
      if wasComparing, !writer.isComparing { claim(writer) }
      if !writer.isComparing { outside.note(writer, from: before) }
      if case .excess = result {
        // It cannot take back what was given away: these bytes are gone with its connection.
        member.isDismissed = true
        return .abort
      }
      return hasLeft(writer) ? .abort : .taken
    case .differs:
      shared.buffers.giveBack(writer.surrender())
      again(.whole, .changed("the bytes that were here already differ"))
      return .abort
    case .failed(let error):
      next = .fail(error.failure(path))
      return .abort
    }
  }

  // MARK: Looking after itself

  func tick(now: Double) -> TickVerdict {
    if outside.isCancelled { return .abort }
    if let crew, crew.dismisses(self, now: now) { return .abort }
    if case .gated(let writer) = mode {
      stall.reset()
      switch outside.gate {
      case nil:
        return .none
      case .failure(let failure)?:
        next = .fail(failure)
        return .abort
      case .success?:
        openGate(writer)
        return .proceed
      }
    }
    if case .write(let writer) = mode, let failure = outside.flush(writer, ifDue: now, path: path) {
      next = .fail(failure)
      return .abort
    }
    if pace.mustAskAgain(now: now) {
      stall.reset()
      return .proceed
    }
    // Until the connection stands, the connect time-out rules; what our own limit holds back is no stall.
    guard handle?.isConnected ?? false, now >= max(heldUntil, pace.heldUntil) else {
      stall.reset()
      return .none
    }
    if stall.isStalled(bytes: bytesSeen, now: now) {
      next = .fail(stall.failure(subject))
      return .abort
    }
    return .none
  }

  func openGate(_ writer: BodyWriter) {
    mustReleaseRecord = false
    (recorded.segments, recorded.sums) = (SegmentSet(), BlockSums())
    mode = .write(writer)
    claim(writer)
  }
}
