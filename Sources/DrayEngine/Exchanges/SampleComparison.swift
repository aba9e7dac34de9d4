internal import Curl
internal import DrayCore
internal import Threads

/// Requests samples one after another over one connection, and compares them with the bytes on disk.
struct SampleComparison {
  /// The next step, decided by the head or the body of the current answer.
  enum Next: AnswerSequel {
    /// Follow a redirect, or try another condition.
    case again
    case end(SampleEnd)

    static func fail(_ failure: Failure) -> Self { .end(.failed(failure)) }
  }

  enum Step {
    case next(NextStep)
    case ended(SampleEnd)
  }

  private let task: SampleTask
  var exchange: Exchange<Next>
  /// The ranges to request; adjacent places are one range.
  private var wanted: [Segment]
  /// The server's version according to its answers; `nil` before the first answer.
  private(set) var report: SampleReport?
  private(set) var isServed = false
  private var refusesIfRange: Bool
  private var bytes: [UInt8] = []

  init(_ task: SampleTask, from url: RequestURL, _ terms: ExchangeTerms) {
    self.task = task
    report = task.known
    report?.differing = []
    var set = SegmentSet()
    for place in task.places { set.insert(place) }
    wanted = set.segments
    refusesIfRange = task.refusesIfRange
    exchange = Exchange(task.request, from: url, terms)
  }

  private var segment: Segment { wanted.first ?? 0..<1 }

  private var condition: Ask.Condition {
    guard let validators = report?.validators else { return .unconditional }
    if refusesIfRange, let etag = validators.strongETag { return .ifMatch(etag) }
    return Ask.Condition(validators) ?? .unconditional
  }

  mutating func prepare(_ handle: EasyHandle) throws(CurlError) {
    exchange.begin(on: handle)
    bytes = []
    let ask = Ask.rest(from: segment.lowerBound, to: segment.upperBound, condition)
    let server = try exchange.prepare(task.request, asking: ask, on: handle)
    guard server == nil, report == nil, let unless = task.unless else { return }
    let fields = RequestFields(exchange.adapted(task.request), to: exchange.url, asking: ask)
    try handle.setHeaders(fields.lines + unless.fields.map { "\($0.name): \($0.value)" })
  }

  // MARK: The head

  mutating func receive(header line: UnsafeRawBufferPointer) -> Bool {
    switch exchange.receive(line) {
    case .nothing: break
    case .superseded: bytes = []
    case .head(let head): decide(head)
    }
    return exchange.receiver.course.goesOn
  }

  private mutating func decide(_ head: ResponseHead) {
    let subject = exchange.receiver.subject
    switch exchange.receiver.redirect(by: head) {
    case .followed?: return
    case .refused(let reason)?:
      let advice: Advice = "\(.info) shows the redirects"
      return exchange.receiver.decide(
        .fail(
          Failure(.protocolViolation, subject, reason, advice: advice, httpStatus: head.status, recovery: .keep)))
    case nil: break
    }
    if head.status == 304, report == nil, task.unless != nil { return exchange.receiver.decide(.end(.unchanged)) }
    if let failure = task.request.failure(on: head, subject: subject) {
      return exchange.receiver.decide(.fail(failure))
    }
    if let report { return decide(head, report) }
    let first = SegmentAnswer.first(
      on: head, asked: segment, subject: subject, now: Int64(WallClock.now()), retried: task.retried)
    switch first {
    // The server ignores conditions.
    case .begins(let size) where task.unless?.isMet(by: head, length: size) ?? false:
      exchange.receiver.decide(.end(.unchanged))
    case .begins(let size):
      report = SampleReport(
        response: ResponseRecord(head, after: exchange.receiver.chain, time: WallClock.now(), connection: nil),
        size: size, validators: head.validators, offered: task.verify == .none ? [] : head.offeredDigests)
      isServed = true
      exchange.receiver.usesBody()
    case .notServed: exchange.receiver.decide(.end(.notServed))
    case .refused(let failure): exchange.receiver.decide(.fail(failure))
    }
  }

  private mutating func decide(_ head: ResponseHead, _ known: SampleReport) {
    let answer = SegmentAnswer(
      asked: segment, size: known.size, validators: known.validators, offered: known.offered, isCompared: true,
      subject: exchange.receiver.subject, now: Int64(WallClock.now()), retried: task.retried)
    switch answer.verdict(on: head) {
    case .write:
      if let end = objection(known) { return exchange.receiver.decide(.end(end)) }
      if known.validators == Validators() { report?.validators = head.validators }
      isServed = true
      exchange.receiver.usesBody()
    case .conditionRefused where !refusesIfRange:
      refusesIfRange = true
      exchange.receiver.decide(.again)
    case .conditionRefused, .notServed, .wrong: exchange.receiver.decide(.end(.notServed))
    case .differs(let reason): exchange.receiver.decide(.end(.changed(reason)))
    case .refused(let failure): exchange.receiver.decide(.fail(failure))
    }
  }

  /// If the URL that answered is not allowed, returns how the comparison ends.
  private func objection(_ known: SampleReport) -> SampleEnd? {
    guard !task.digestIsKnown else { return nil }
    switch task.answering {
    case .sameOrigin:
      guard exchange.url.origin != known.response.finalURL.origin, known.validators.strongETag == nil else {
        return nil
      }
      return .changed(.changed("another server has it now"))
    case .only(let url): return exchange.url == url ? nil : .notServed
    case .any: return nil
    }
  }

  // MARK: The body

  /// Decides on bytes of a body. Returns `nil` if ``take(_:)`` must take the bytes. Otherwise the bytes came without a
  /// head or are not needed, and the result is the verdict for libcurl.
  mutating func verdict(on body: UnsafeRawBufferPointer) -> BodyVerdict? {
    guard exchange.receiver.bodyFollowsHead(), exchange.receiver.course.isOpen else {
      return exchange.receiver.passOver(body.count)
    }
    return nil
  }

  mutating func take(_ piece: UnsafeRawBufferPointer) -> BodyVerdict {
    exchange.note(piece.count)
    // Bytes beyond the sample contradict the announced length.
    guard bytes.count + piece.count <= segment.count else {
      exchange.receiver.cut(.end(.notServed))
      return .abort
    }
    bytes.append(contentsOf: piece)
    return .taken
  }

  // MARK: The end

  mutating func finish(_ error: CurlError?, _ info: TransferInfo, isCancelled: Bool) -> Step {
    let isStopped = exchange.receiver.isStopped(by: error)
    switch exchange.receiver.course.decision {
    case .again? where !isStopped && !isCancelled: return .next(exchange.receiver.askAgain())
    case .end(let end)?: return .ended(end)
    case .again?, nil: break
    }
    if isCancelled { return .ended(.cancelled) }
    if let error { return .ended(.failed(exchange.receiver.failure(of: error, info))) }
    guard bytes.count == segment.count, report != nil else {
      return .ended(
        .failed(
          Failure(
            .network, exchange.receiver.subject, "its answer to a request for a part ended early", recovery: .retry)))
    }
    do throws(Failure) { try compare() } catch { return .ended(.failed(error)) }
    wanted.removeFirst()
    let isOver = wanted.isEmpty || task.endsAtDifference && report?.differing.isEmpty == false
    guard isOver, let report else { return .next(.again) }
    return .ended(.compared(report))
  }

  private mutating func compare() throws(Failure) {
    for place in task.places where segment.contains(place.lowerBound) {
      let lower = Int(place.lowerBound - segment.lowerBound)
      let here = try task.file.bytes(place.count, at: place.lowerBound)
      if !here.elementsEqual(bytes[lower..<lower + place.count]) { report?.differing.append(place) }
    }
  }
}
