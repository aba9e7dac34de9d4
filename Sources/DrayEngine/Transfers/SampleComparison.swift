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
  private let hosts: HostRules
  private let deliver: (SampleEnd) -> Void
  private var intake: AnswerIntake<Next>
  /// What is to be asked for: places that touch are one request.
  private var wanted: [Segment]
  private var report: SampleReport?
  private var refusesIfRange = false
  private var bytes: [UInt8] = []
  private var bytesSeen: Int64 = 0
  private let pace: Pace
  private var stall: StallDetector
  private var cookies: TransferCookies
  private weak var handle: EasyHandle?

  init(
    _ task: SampleTask, _ transport: TransportMemory, _ hosts: HostRules, deliver: @escaping (SampleEnd) -> Void
  ) {
    self.task = task
    self.hosts = hosts
    self.deliver = deliver
    report = task.known
    report?.differing = []
    var set = SegmentSet()
    for place in task.places { set.insert(place) }
    wanted = set.segments
    intake = AnswerIntake(task.request, from: task.request.address, transport, followsPages: false)
    pace = Pace(task.limiters)
    stall = StallDetector(window: task.request.stallTimeout)
    cookies = TransferCookies(task.cookies)
  }

  private var segment: Segment { wanted.first ?? 0..<1 }

  private var condition: Ask.Condition {
    guard let validators = report?.validators else { return .unconditional }
    if refusesIfRange, let etag = validators.strongETag { return .ifMatch(etag) }
    return Ask.Condition(validators) ?? .unconditional
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    self.handle = handle
    intake.begin()
    bytes = []
    pace.reset()
    stall.reset()
    var request = hosts.request(task.request, at: intake.url)
    request.httpVersion = intake.version(request.httpVersion)
    let ask = Ask.rest(from: segment.lowerBound, to: segment.upperBound, condition)
    try RequestOptions.apply(request, to: intake.url, asking: ask, on: handle)
    try cookies.apply(on: handle)
  }

  // MARK: The head

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    bytesSeen += Int64(line.count)
    switch intake.receive(line) {
    case .nothing: break
    case .superseded: bytes = []
    case .head(let head): decide(head)
    }
    return intake.course.goesOn
  }

  private func decide(_ head: ResponseHead) {
    switch intake.redirect(by: head) {
    case .followed?: return
    case .refused(let reason)?:
      let advice: Advice = "\(.info) shows the chain; use the file's final URL"
      return intake.decide(
        .fail(
          Failure(
            .protocolViolation, intake.subject, reason, advice: advice, httpStatus: head.status, recovery: .keep)))
    case nil: break
    }
    if let failure = task.request.failure(on: head, subject: intake.subject) { return intake.decide(.fail(failure)) }
    if let report { return decide(head, report) }
    let now = Int64(WallClock.now())
    switch SegmentAnswer.first(on: head, asked: segment, subject: intake.subject, now: now) {
    case .begins(let size):
      report = SampleReport(
        response: ResponseRecord(head, after: intake.chain, time: WallClock.now(), connection: nil), size: size,
        validators: head.validators, offered: task.verify == .none ? [] : head.offeredDigests)
      intake.usesBody()
    case .notServed: intake.decide(.end(.notServed))
    case .refused(let failure): intake.decide(.fail(failure))
    }
  }

  private func decide(_ head: ResponseHead, _ known: SampleReport) {
    let answer = SegmentAnswer(
      asked: segment, size: known.size, validators: known.validators, offered: known.offered, isCompared: true,
      subject: intake.subject, now: Int64(WallClock.now()))
    let isElsewhere = intake.url.origin != known.response.finalURL.origin
    switch answer.verdict(on: head) {
    case .write where isElsewhere && known.validators.strongETag == nil && !task.digestIsKnown:
      // That its date is the same proves nothing (P16).
      intake.decide(.end(.changed(.changed("another server has it now"))))
    case .write: intake.usesBody()
    case .conditionRefused where !refusesIfRange:
      refusesIfRange = true
      intake.decide(.again)
    case .conditionRefused, .notServed, .wrong: intake.decide(.end(.notServed))
    case .differs(let reason): intake.decide(.end(.changed(reason)))
    case .refused(let failure): intake.decide(.fail(failure))
    }
  }

  // MARK: The body

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    guard intake.bodyFollowsHead(), intake.course.isOpen else { return intake.passOver(body.count) }
    return pace.admit(body, now: TransferLoop.now) { piece in
      bytesSeen += Int64(piece.count)
      // What comes beyond the sample is not part of it: its length says otherwise, or it lied.
      guard bytes.count + piece.count <= segment.count else {
        intake.cut(.end(.notServed))
        return .abort
      }
      bytes.append(contentsOf: piece)
      return .taken
    }
  }

  func tick(now: Double) -> TickVerdict {
    if task.isCancelled() {
      intake.cut(.end(.cancelled))
      return .abort
    }
    if let verdict = intake.patience(now: now) { return verdict }
    if pace.mustAskAgain(now: now) {
      stall.reset()
      return .proceed
    }
    guard handle?.isConnected ?? false, now >= pace.heldUntil else {
      stall.reset()
      return .none
    }
    guard stall.isStalled(bytes: bytesSeen, now: now) else { return .none }
    intake.cut(.fail(stall.failure(intake.subject)))
    return .abort
  }

  // MARK: The end

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    let isStopped = intake.isStopped(by: error)
    switch intake.course.decision {
    case .again? where !isStopped: return intake.askAgain()
    case .end(let end)?:
      deliver(end)
      return .done
    case .again?, nil: break
    }
    if task.isCancelled() {
      deliver(.cancelled)
    } else if let error {
      deliver(.failed(intake.failure(of: error, info)))
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
        .failed(Failure(.network, intake.subject, "its answer to a request for a part ended early", recovery: .retry)))
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
