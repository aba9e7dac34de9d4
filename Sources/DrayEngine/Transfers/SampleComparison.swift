// Compares samples of a file that is here with a server's, before any of it counts: one connection, one request after the other.

internal import Curl
public import DrayCore

/// A comparison of samples.
public struct SampleTask: Sendable {
  /// What the file is asked for with.
  public var request: TransferRequest
  /// The cookies to begin with, lines in Netscape's format; `nil` is to send none.
  public var cookies: [String]?
  /// The limits on its rate.
  public var limiters: [RateLimiter] = []
  /// Which digests of the server count.
  public var verify = VerifyMode.offered
  /// Whether a digest will prove the result.
  public var digestIsKnown = false
  /// The file that is compared.
  public var file: any StoredBytes
  /// The bytes that are compared: ascending, disjoint, and few enough to be held in memory each.
  public var places: [Segment]
  /// What is known of the server's version; without it, the first answer decides.
  public var known: SampleReport?
  /// Whether it is still wanted.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// A comparison of `places` of `file`.
  public init(_ request: TransferRequest, _ file: any StoredBytes, _ places: [Segment]) {
    (self.request, self.file, self.places) = (request, file, places)
  }
}

/// What a server said of its file, and which samples differ.
public struct SampleReport: Sendable {
  /// The first answer.
  public var response: ResponseRecord
  /// The length of the file.
  public var size: Int64
  /// What identifies its version.
  public var validators: Validators
  /// The server's digests of it.
  public var offered: [SourcedDigest]
  /// The places at which the file that is here has other bytes.
  public var differing: [Segment] = []
}

/// How a comparison ended.
public enum SampleEnd: Sendable {
  case compared(SampleReport)
  /// The server serves no parts of the file.
  case notServed
  /// The server has another version by now, or it is another server that answers.
  case changed(StartOver)
  case failed(Failure)
  case cancelled
}

extension Engine {
  /// Compares samples. Redirects are followed by the same rules as for a transfer.
  public func compare(_ task: SampleTask) async -> SampleEnd {
    guard !task.places.isEmpty || task.known == nil else { return .cancelled }
    return await withCheckedContinuation { continuation in
      var task = task
      task.request.url = transport.upgraded(task.request.url)
      run { [task, transport, hosts] in
        SampleTransfer(task, transport, hosts) { continuation.resume(returning: $0) }
      }
    }
  }
}

/// One comparison, on the loop's thread.
private final class SampleTransfer: LoopTransfer {
  /// What follows the present answer, decided by its head.
  private enum Next: AnswerSequel {
    /// A redirect is followed, or another condition is tried.
    case again
    case end(SampleEnd)

    static func fail(_ failure: Failure) -> Self { .end(.failed(failure)) }
  }

  private let task: SampleTask
  private let deliver: (SampleEnd) -> Void
  private var exchange: Exchange<Next>
  /// What is to be asked for: places that touch are one request.
  private var wanted: [Segment]
  private var report: SampleReport?
  private var refusesIfRange = false
  private var bytes: [UInt8] = []

  init(
    _ task: SampleTask, _ transport: TransportMemory, _ hosts: HostRules, deliver: @escaping (SampleEnd) -> Void
  ) {
    self.task = task
    self.deliver = deliver
    report = task.known
    report?.differing = []
    var set = SegmentSet()
    for place in task.places { set.insert(place) }
    wanted = set.segments
    exchange = Exchange(
      task.request, from: task.request.address,
      ExchangeTerms(transport: transport, hosts: hosts, cookies: task.cookies, limiters: task.limiters))
  }

  private var segment: Segment { wanted.first ?? 0..<1 }

  private var condition: Ask.Condition {
    guard let validators = report?.validators else { return .unconditional }
    if refusesIfRange, let etag = validators.strongETag { return .ifMatch(etag) }
    return Ask.Condition(validators) ?? .unconditional
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    exchange.begin(on: handle)
    bytes = []
    let ask = Ask.rest(from: segment.lowerBound, to: segment.upperBound, condition)
    try exchange.prepare(task.request, asking: ask, on: handle)
  }

  // MARK: The head

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    switch exchange.receive(line) {
    case .nothing: break
    case .superseded: bytes = []
    case .head(let head): decide(head)
    }
    return exchange.intake.course.goesOn
  }

  private func decide(_ head: ResponseHead) {
    switch exchange.intake.redirect(by: head) {
    case .followed?: return
    case .refused(let reason)?:
      let advice: Advice = "\(.info) shows the chain; use the file's final URL"
      return exchange.intake.decide(
        .fail(
          Failure(
            .protocolViolation, exchange.intake.subject, reason, advice: advice, httpStatus: head.status,
            recovery: .keep)))
    case nil: break
    }
    if let failure = task.request.failure(on: head, subject: exchange.intake.subject) {
      return exchange.intake.decide(.fail(failure))
    }
    if let report { return decide(head, report) }
    let now = Int64(WallClock.now())
    switch SegmentAnswer.first(on: head, asked: segment, subject: exchange.intake.subject, now: now) {
    case .begins(let size):
      report = SampleReport(
        response: ResponseRecord(head, after: exchange.intake.chain, time: WallClock.now(), connection: nil),
        size: size,
        validators: head.validators, offered: task.verify == .none ? [] : head.offeredDigests)
      exchange.intake.usesBody()
    case .notServed: exchange.intake.decide(.end(.notServed))
    case .refused(let failure): exchange.intake.decide(.fail(failure))
    }
  }

  private func decide(_ head: ResponseHead, _ known: SampleReport) {
    let answer = SegmentAnswer(
      asked: segment, size: known.size, validators: known.validators, offered: known.offered, isCompared: true,
      subject: exchange.intake.subject, now: Int64(WallClock.now()))
    let isElsewhere = exchange.intake.url.origin != known.response.finalURL.origin
    switch answer.verdict(on: head) {
    case .write where isElsewhere && known.validators.strongETag == nil && !task.digestIsKnown:
      // That its date is the same proves nothing (P16).
      exchange.intake.decide(.end(.changed(.changed("another server has it now"))))
    case .write: exchange.intake.usesBody()
    case .conditionRefused where !refusesIfRange:
      refusesIfRange = true
      exchange.intake.decide(.again)
    case .conditionRefused, .notServed, .wrong: exchange.intake.decide(.end(.notServed))
    case .differs(let reason): exchange.intake.decide(.end(.changed(reason)))
    case .refused(let failure): exchange.intake.decide(.fail(failure))
    }
  }

  // MARK: The body

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    guard exchange.intake.bodyFollowsHead(), exchange.intake.course.isOpen else {
      return exchange.intake.passOver(body.count)
    }
    return exchange.pace.admit(body, now: TransferLoop.now) { piece in
      exchange.note(piece.count)
      // What comes beyond the sample is not part of it: its length says otherwise, or it lied.
      guard bytes.count + piece.count <= segment.count else {
        exchange.intake.cut(.end(.notServed))
        return .abort
      }
      bytes.append(contentsOf: piece)
      return .taken
    }
  }

  func tick(now: Double) -> TickVerdict {
    if task.isCancelled() {
      exchange.intake.cut(.end(.cancelled))
      return .abort
    }
    if let verdict = exchange.intake.patience(now: now) { return verdict }
    return exchange.tick(now: now)
  }

  // MARK: The end

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    let isStopped = exchange.intake.isStopped(by: error)
    switch exchange.intake.course.decision {
    case .again? where !isStopped: return exchange.intake.askAgain()
    case .end(let end)?:
      deliver(end)
      return .done
    case .again?, nil: break
    }
    if task.isCancelled() {
      deliver(.cancelled)
    } else if let error {
      deliver(.failed(exchange.intake.failure(of: error, info)))
    } else if bytes.count == segment.count, report != nil {
      if let failure = compare() {
        deliver(.failed(failure))
      } else {
        wanted = Array(wanted.dropFirst())
        if !wanted.isEmpty { return .again }
        if let report { deliver(.compared(report)) }
      }
    } else {
      deliver(
        .failed(
          Failure(.network, exchange.intake.subject, "its answer to a request for a part ended early", recovery: .retry)
        ))
    }
    return .done
  }

  /// Compares what came with what is here, place by place.
  private func compare() -> Failure? {
    for place in task.places where segment.contains(place.lowerBound) {
      let lower = Int(place.lowerBound - segment.lowerBound)
      var here = [UInt8](repeating: 0, count: place.count)
      let count: Result<Int, Failure> = here.withUnsafeMutableBytes { buffer in
        do throws(Failure) { return .success(try task.file.read(into: buffer, at: place.lowerBound)) } catch {
          return .failure(error)
        }
      }
      switch count {
      case .success(place.count) where here.elementsEqual(bytes[lower..<lower + place.count]): break
      case .success: report?.differing.append(place)
      case .failure(let error): return error
      }
    }
    return nil
  }
}
