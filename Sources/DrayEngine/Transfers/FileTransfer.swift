// One attempt at a file on the loop thread: asks, decides on the head, writes, ends. The decisions are
// DrayCore's; this is where they are carried out.

internal import Curl
internal import DrayCore
internal import Foundation

/// The loop's side of a ``Transfer``.
final class FileTransfer: LoopTransfer {
  /// Where the body of the present answer goes.
  enum Mode {
    /// Nowhere: its head is awaited, or it is of no use.
    case none
    case write(BodyWriter)
    /// Into the part file, once nothing durable claims what it takes the place of.
    case gated(BodyWriter, Gate)
  }

  /// What must be given up durably first.
  enum Gate {
    /// All that was here.
    case whole
    /// What a wrong part had brought.
    case part
  }

  /// What follows the present answer, decided by its head or its body.
  enum Next {
    case again
    case complete
    /// It was done, and there is no file.
    case answered
    case upToDate
    /// It says of its bytes what is not true of them: they are taken back (R9, R28, H15).
    case wrong(String)
    case fail(Failure)
  }

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
  var mode = Mode.none
  /// How far the present answer is, and what follows it.
  var course = AnswerCourse<Next>()
  /// The digest of what a part carries, where it has one.
  var proof: ContentProof?
  /// What came of a part that is not known to be one before its end: it does not count yet.
  var withheld: [BlockSums.Extent]?
  /// Parts that were not what they said they were.
  var wrongParts: Int
  /// What gives up durably what a wrong part had brought, until it is done.
  var takingBack: Task<Result<Void, Failure>, Never>?
  var bytesSeen: Int64 = 0
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
    security: TransportSecurity, takingBack: Task<Result<Void, Failure>, Never>? = nil
  ) {
    self.plan = plan
    self.takingBack = takingBack
    wrongParts = plan.wrongParts
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
    self.ask = condition.map { .changed($0) } ?? (plan.wrongParts > 0 ? ask.compared : nil) ?? ask
    wantsFreshConnection = plan.wrongParts > 0
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
    (head, mode, course, proof, source) = (nil, .none, AnswerCourse(), nil, nil)
    withheld = nil
    pace.reset()
    stall.reset()
  }

  // MARK: The head

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    bytesSeen += Int64(line.count)
    wasAnswered = true
    if let source {
      if !source.take(line) { course.cut(.fail(tooMuch)) }
      return course.goesOn
    }
    switch parser.take(line) {
    case .none:
      break
    case .violation(let what):
      course.cut(.fail(.brokenAnswer(subject, what)))
    case .superseded:
      (head, mode, proof, withheld) = (nil, .none, nil, nil)
      course.supersede()
    case .final(let head):
      if !refusesToBeAsked(head) { decide(head) }
    }
    return course.goesOn
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
      if ask.isCompared { wrongParts += 1 }
      again(ask, reason)
    case .complete:
      settle(.complete)
    case .upToDate:
      response = record(head)
      settle(.upToDate)
    case .stop(let failure):
      response = response ?? record(head)
      fail(failure)
    }
  }

  /// What follows is decided: the rest of the answer is of no use.
  func settle(_ next: Next) {
    // libcurl reads the body of a challenge that it meets to its end before it asks again.
    let mayBeMet = plan.request.answersChallenges && (head?.isChallenge ?? false)
    course.decide(
      next, now: TransferLoop.now(), length: head?.announcedLength,
      patience: mayBeMet ? plan.request.stallTimeout : AnswerPatience.moment)
  }

  func fail(_ failure: Failure) { settle(.fail(failure)) }

  // MARK: The body

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    if course.isAwaited {
      guard let source else {
        course.cut(.fail(.brokenAnswer(subject, "its body begins before its header fields have ended")))
        return .abort
      }
      decide(on: source, source.facts)
    }
    switch mode {
    case .none:
      // What is on its way from a server without HTTP cannot be cut short but with its connection.
      if source != nil { return .abort }
      return course.passOver(bytes.count) ? .taken : .abort
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
    proof?.update(bytes)
    let result = writer.take(bytes)
    switch result {
    case .taken, .excess, .overrun:
      if wasComparing, !writer.isComparing { claim(writer) }
      if !writer.isComparing { outside.note(writer, from: before, keeper) }
    case .differs, .failed:
      break
    }
    switch result {
    case .taken:
      return hasLeft(writer) ? .abort : .taken
    case .excess:
      // It cannot take back what was given away: these bytes are gone with its connection.
      member.isDismissed = true
    case .overrun:
      course.cut(.wrong("it goes on past its end"))
    case .differs:
      shared.buffers.giveBack(writer.surrender())
      mode = .none
      again(.whole, .changed("the bytes that were here already differ"))
    case .failed(let error):
      course.cut(.fail(error.failure(path)))
    }
    return .abort
  }
}
