// One attempt at a file, on the loop's thread: it sends requests, decides about the head, writes the body, and ends.
// DrayCore makes the decisions, and this file carries them out.

internal import Curl
internal import DrayCore
internal import Threads

final class FileTransfer: LoopTransfer {
  enum Mode {
    /// Take no body, because the head has not arrived, or because the body is not needed.
    case none
    case write(BodyWriter)
    /// Write to the part file as soon as no record in the store covers the bytes that are replaced.
    case gated(BodyWriter, Gate)
    /// Compare with a place in the part file.
    case compare(BodyWriter)
    /// Gather this number of first bytes, check them for something that is not the file, such as a web page, and then
    /// begin the file.
    case inspect(Int, until: Int64?, StartOver?)
  }

  /// The bytes that must first be given up in the store.
  enum Gate {
    /// All bytes on disk.
    case whole
    /// The bytes of a part that is wrong.
    case part
  }

  enum Next: AnswerSequel {
    case again
    case complete
    /// All bytes are on disk, but nothing proves that the file has no more.
    case endUnproved
    /// The request succeeded, and there is no file to receive.
    case answered
    case upToDate
    /// The answer contradicts its own bytes, so these are given up (R9, R28, H15).
    case wrong(String)
    case fail(Failure)
  }

  struct CurrentRequest {
    var ask: Ask
    var method: String
    var sendsBody = true
    var sender: BodySender?
    /// Whether the server refused the field `Expect` with 417.
    var refusesExpectation = false
    /// Whether a head has arrived since the last byte was sent.
    var wasAnswered = false
    var wantsFreshConnection = false
    /// Before this time no request is sent, because a page asked for a delay.
    var heldUntil = 0.0
    /// The places of the part file that are compared with this URL; the first of them is being requested.
    var places: [Segment] = []
    /// The request that follows the comparison.
    var rest: Ask?
  }

  struct Answer {
    var mode = Mode.none
    /// The check of the answer's digest; `nil` if the answer has none.
    var proof: ContentProof?
    /// The first bytes of the body, which are written once they are known to be those of the file.
    var start: [UInt8] = []
    /// The received bytes of a part that only its end proves. They do not count before that.
    var withheld: [BlockSums.Extent]?
  }

  /// The version of the file, and its bytes on disk.
  struct Version {
    var recorded: Checkpoint
    var part: (any PartStorage)?
    /// The URL whose file has matched ``recorded`` at the compared places.
    var comparedURL: RequestURL?
    /// The kept bytes whose end was the joint at first, and how often the joint has moved back (P18).
    var joint: (run: Segment, step: Int)?
    /// Whether a record in the store still covers bytes that will be replaced.
    var mustReleaseRecord: Bool
    /// The task that gives up the bytes of a wrong part in the store; `nil` once that is done.
    var takingBack: Task<Result<Void, Failure>, Never>?
    var wrongParts: Int
    /// Why bytes on disk are given up; `nil` if none are.
    var startOver: StartOver?
    /// The ranges in which the file is fetched, if its server refuses to send the whole file.
    var ranges: RangedFetch?
    var end = EndProof()
    /// The length of an answer that may replace the bytes on disk, but ended before it could be written.
    var shortAnswer: Int?
    var response: ResponseRecord?
    var resumedFrom: Int64 = 0
  }

  private(set) var plan: TransferPlan
  let outside: Transfer
  let observer: any TransferObserver
  let transport: TransportMemory
  let shared: SharedMemory
  var context: TransferContext {
    TransferContext(plan: plan, outside: outside, observer: observer, shared: shared, transport: transport)
  }

  func forgetSeeds() { plan.forgetSeeds() }

  var current: CurrentRequest
  var exchange: Exchange<Next>
  var answer = Answer()
  var version: Version
  var member = GroupMember()
  /// The group of connections; `nil` until there are enough bytes to share.
  var group: ConnectionGroup?

  /// - Parameter takingBack: The task that gives up bytes of an earlier request in the store; `nil` if there is none.
  init(_ context: TransferContext, takingBack: Task<Result<Void, Failure>, Never>? = nil) {
    (plan, outside, observer) = (context.plan, context.outside, context.observer)
    (shared, transport) = (context.shared, context.transport)
    exchange = Exchange(
      plan.request, from: plan.request.address,
      ExchangeTerms(
        transport: transport, hosts: plan.hosts, cookies: plan.cookies, limiters: plan.limiters, followsPages: true))
    let gap = context.plan.checkpoint.segments.firstGap
    let (first, reason) = Ask.first(
      for: plan.identifying(plan.checkpoint), mode: plan.resume, digestIsKnown: plan.digestIsKnown,
      isUncut: gap.map { context.plan.isProved(before: $0.lower) } ?? false,
      given: plan.part?.isReadable ?? true ? shared.given[plan.partName] : nil)
    // The condition is about the target, but recorded bytes belong to another version. If there are any such bytes,
    // only the resume ladder decides.
    let condition = plan.recordHasBytes ? nil : plan.condition
    current = CurrentRequest(
      ask: condition.map { .changed($0) } ?? first,
      method: plan.request.method,
      wantsFreshConnection: plan.wrongParts > 0 || shared.stalled.remove(plan.partName) != nil)
    version = Version(
      recorded: plan.checkpoint, part: plan.part, mustReleaseRecord: plan.recordHasBytes,
      takingBack: takingBack, wrongParts: plan.wrongParts, startOver: plan.startOver ?? reason)
    if case .rest = first {
      version.ranges = shared.connections.range(at: plan.request.address.origin).map { RangedFetch(known: $0) }
    }
    if case .rest = first { outside.setReceived(plan.checkpoint.segments.count) }
    outside.noteSize(plan.checkpoint.size)
    if plan.request.isSafe { outside.setJournal(observer.journal) }
  }

  var url: RequestURL { exchange.receiver.url }

  var subject: String { exchange.receiver.subject }

  // MARK: The request

  func startTime(now: Double) -> Double {
    let start = exchange.startTime(now: now)
    if start > now { answer = Answer() }
    return start
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    beginRequest(on: handle)
    shared.load.move(&member.origin, to: url.origin)
    member.interface = member.interface ?? shared.lines.take(among: plan.request.interfaces, now: TransferLoop.now())
    var request = startRequest()
    if version.end.isOverHTTP1 { request.httpVersion = .http11 }
    if let ranges = version.ranges, current.places.isEmpty { current.ask = ranges.ask(current.ask) }
    guard try exchange.prepare(request, asking: current.ask, on: handle) == nil else { return }
    // If it turned out that a reused connection is closed, libcurl would repeat the request by itself, so a new
    // connection is opened (P10).
    let opens = current.wantsFreshConnection || plan.opensConnection && url == plan.request.address
    if opens || !request.isSafe { try handle.set(.freshConnection, true) }
    if shared.peers.wantsCertificate(of: url) { try handle.set(.certificateInfo, true) }
  }

  /// - Parameter handle: The handle; `nil` if libcurl does not make the request.
  func beginRequest(on handle: EasyHandle? = nil) {
    exchange.begin(on: handle)
    answer = Answer()
  }

  // MARK: The head

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    current.wasAnswered = true
    switch exchange.receive(line) {
    case .nothing: break
    case .superseded: answer = Answer()
    case .head(let head): if !refusesToBeAsked(head) { decide(head) }
    }
    return exchange.receiver.course.goesOn
  }

  func decide(_ head: ResponseHead) {
    if let failure = plan.request.failure(on: head, subject: subject) { return fail(failure) }
    if plan.isListed, OpenLink.finding(head, at: url) == .directory { return fail(OpenLink.failure(url, head.status)) }
    if let redirect = exchange.receiver.redirect(by: head) { return follow(redirect, head) }
    if !requestNow.isSafe || !plan.keepsAnswer { return submitted(head) }
    carryOut(ranged(decision(head).action(on: head), head), head)
  }

  func decision(_ head: ResponseHead) -> AnswerDecision {
    var decision = AnswerDecision(
      recorded: plan.identifying(version.recorded), asked: current.ask, digestIsKnown: plan.digestIsKnown,
      expected: plan.expected, subject: subject, now: Int64(WallClock.now()))
    if plan.verify == .none { decision.expected.digest = nil }
    decision.answering = url
    if plan.expected.isLinked { decision.linked = linked(head) }
    // While places are being compared, the URL counts as one that was compared.
    decision.isCompared = version.comparedURL == url || !current.places.isEmpty
    decision.hadWrongPart = version.wrongParts > 0
    decision.given = given
    decision.doubtedEnd = version.end.doubted
    decision.isLastTry = plan.isLastTry
    decision.retried = plan.retried
    decision.hadUnsatisfied = plan.hadUnsatisfied
    decision.keepsPage = keepsPage(head)
    decision.givesUpKept = plan.resume == .never
    return decision
  }

  /// Returns what the job's own server says about the file, in this answer or in a redirect before it.
  private func linked(_ head: ResponseHead) -> LinkedFile? {
    let answers = exchange.receiver.chain.hops.map { ($0.url, $0.head) } + [(url, head)]
    return LinkedFile(answers.filter { $0.0.origin == plan.request.url.origin }.map(\.1))
  }

  private func carryOut(_ action: AnswerAction, _ head: ResponseHead) {
    switch action {
    case .write(let position, let until, _, let comparing, _) where !current.places.isEmpty && head.status == 206:
      compare(at: position, until: until, comparing: comparing)
    case .write(let position, let until, let total, let comparing, let reason):
      begin(at: position, until: until, total: total, comparing: comparing, reason: reason, head)
    case .writeUnlessPage(let until, let reason):
      exchange.receiver.usesBody()
      answer.mode = .inspect(version.shortAnswer ?? decision(head).startLook(head), until: until, reason)
    case .askAgain(let ask, nil) where !current.places.isEmpty:
      // The same place is requested again under the other condition.
      current.ask = ask
      exchange.receiver.decide(.again)
    case .askAgain(let ask, let reason):
      again(ask, reason)
    case .askForProof(let ask):
      version.wrongParts += 1
      again(ask, nil, isFresh: true)
    case .compare(let places):
      askForPlaces(places)
    case .complete:
      exchange.receiver.decide(.complete)
    case .endUnproved:
      exchange.receiver.decide(.endUnproved)
    case .upToDate:
      version.response = record(head)
      exchange.receiver.decide(.upToDate)
    case .stop(let failure):
      version.response = version.response ?? record(head)
      // The request failed, so no bytes have been given up.
      if case .rangeRefused? = version.startOver { version.startOver = plan.startOver }
      fail(failure)
    }
  }

  func fail(_ failure: Failure) { exchange.receiver.decide(.fail(exchange.receiver.told(failure))) }

  // MARK: The body

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    if let source = exchange.receiver.source {
      if exchange.receiver.course.isAwaited { decide(on: source, source.facts) }
    } else if !exchange.receiver.bodyFollowsHead() {
      return .abort
    }
    switch answer.mode {
    case .none:
      // Bytes from a server that does not speak HTTP can only be stopped by closing the connection.
      return exchange.receiver.source != nil ? .abort : exchange.receiver.passOver(bytes.count)
    case .gated:
      return .pause(until: .infinity)
    case .inspect(let count, let until, let reason):
      return inspect(bytes, count, until: until, reason)
    case .compare(let writer):
      return exchange.pace.admit(bytes, now: TransferLoop.now) { bytes in
        exchange.note(bytes.count)
        return takePlace(bytes, writer)
      }
    case .write(let writer):
      if !answer.start.isEmpty {
        let start = answer.start
        let verdict = start.withUnsafeBytes { accept($0, writer) }
        guard case .taken = verdict else { return verdict }
        answer.start = []
      }
      return exchange.pace.admit(bytes, now: TransferLoop.now) { accept($0, writer) }
    }
  }

  private func accept(_ bytes: UnsafeRawBufferPointer, _ writer: BodyWriter) -> BodyVerdict {
    if let verdict = groupVerdict(bytes.count, writer) {
      exchange.rests()
      return verdict
    }
    guard writer.hasRoom(for: bytes.count) else {
      exchange.rests()
      return BodyWriter.waitForRoom
    }
    exchange.note(bytes.count)
    group?.arrived(bytes.count, of: self)
    return write(bytes, writer)
  }

  func write(_ bytes: UnsafeRawBufferPointer, _ writer: BodyWriter) -> BodyVerdict {
    // If the length was known, it was checked together with the head.
    if version.recorded.size == nil,
      let failure = plan.expected.maxSize?.refusal(after: writer.position + Int64(bytes.count), subject)
    {
      exchange.receiver.cut(.fail(requestNow.isSafe ? failure : answered(failure)))
      return .abort
    }
    let wasComparing = writer.isComparing
    let before = max(writer.position, writer.start)
    answer.proof?.update(bytes)
    let result = writer.take(bytes)
    switch result {
    case .taken, .excess, .overrun:
      guard mayOutgrow(writer) else {
        exchange.receiver.cut(.wrong("it continues past the length that the server gave"))
        return .abort
      }
      if wasComparing, !writer.isComparing { beginVersion(writer) }
      if !writer.isComparing { outside.note(writer, from: before, keeper) }
    case .differs, .failed:
      break
    }
    switch result {
    case .taken:
      return hasLeft(writer) ? .abort : .taken
    case .excess:
      return passesEnd(bytes, writer)
    case .overrun:
      exchange.receiver.cut(.wrong("it continues past its end"))
    case .differs:
      shared.buffers.giveBack(writer.surrender())
      answer.mode = .none
      // Bytes that differ prove nothing about the end of the kept bytes.
      if version.end.doubted != nil { exchange.receiver.cut(.endUnproved) } else { moveJointBack() }
    case .failed(let error):
      exchange.receiver.cut(.fail(error))
    }
    return .abort
  }
}
