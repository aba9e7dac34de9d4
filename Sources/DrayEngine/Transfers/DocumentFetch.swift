// Fetches a document into memory: a feed, a catalog, a Metalink file. Small, bounded, under a condition where one is known.

internal import Curl
public import DrayCore

/// The answer to a request for a document.
public struct DocumentAnswer: Sendable {
  /// The URL that answered, after redirects.
  public var finalURL: RequestURL
  /// Its answer: status 200, or 304 where validators were given.
  public var head: ResponseHead
  /// The body.
  public var bytes: [UInt8]
  /// Whether what is known already is still good.
  public var isUnchanged: Bool { head.status == 304 }
}

extension Engine {
  /// The longest document that is taken, in bytes (P13).
  public static let documentLimit = 16 << 20

  /// Fetches the document that `request` leads to; its method must be GET. Redirects are followed by the rules of a
  /// transfer.
  /// - Parameters:
  ///   - accept: the `Accept` field, unless the request has its own.
  ///   - validators: what is known of a copy; with them a 304 is a result.
  ///   - cookies: those to begin with, lines in Netscape's format; `nil` is to send none.
  ///   - longest: the longest document that is taken, in bytes.
  /// - Throws: ``Failure`` for everything but a whole 200 or an expected 304.
  public func fetchDocument(
    _ request: TransferRequest, accept: String? = nil, validators: Validators = Validators(),
    cookies: [String]? = nil, longest: Int = Engine.documentLimit
  ) async throws(Failure) -> DocumentAnswer {
    let result: Result<DocumentAnswer, Failure> = await withCheckedContinuation { continuation in
      var request = request
      request.url = security.upgraded(request.url)
      run { [request, security, hosts] in
        DocumentFetch(request, hosts, accept, validators, security, cookies, longest) {
          continuation.resume(returning: $0)
        }
      }
    }
    return try result.get()
  }
}

/// One fetch, on the loop's thread.
private final class DocumentFetch: LoopTransfer {
  /// What follows the present answer, decided by its head or its body.
  private enum Next {
    case follow(RequestURL)
    /// What is known of it is still good.
    case unchanged
    case fail(Failure)
  }

  private let request: TransferRequest
  private let hosts: HostRules
  private let accept: String?
  private let validators: Validators
  private let security: TransportSecurity
  private let longest: Int
  private let deliver: (Result<DocumentAnswer, Failure>) -> Void
  private var url: RequestURL
  private var hops = 0
  private var parser = HeadParser()
  private var head: ResponseHead?
  /// How far the present answer is, and what follows it.
  private var course = AnswerCourse<Next>()
  private var bytes: [UInt8] = []
  private var bytesSeen: Int64 = 0
  private var stall: StallDetector
  private var cookies: TransferCookies
  private weak var handle: EasyHandle?

  init(
    _ request: TransferRequest, _ hosts: HostRules, _ accept: String?, _ validators: Validators,
    _ security: TransportSecurity, _ cookies: [String]?, _ longest: Int,
    deliver: @escaping (Result<DocumentAnswer, Failure>) -> Void
  ) {
    self.request = request
    self.hosts = hosts
    self.accept = accept
    self.validators = validators
    self.security = security
    self.cookies = TransferCookies(cookies)
    self.deliver = deliver
    self.longest = longest
    url = request.url
    stall = StallDetector(window: request.stallTimeout)
  }

  private var subject: String { URLRedaction.redacted(url.string) }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    self.handle = handle
    parser = HeadParser()
    (head, course, bytes) = (nil, AnswerCourse(), [])
    stall.reset()
    let request = hosts.request(request, at: url)
    try RequestOptions.apply(request, to: url, asking: .whole, on: handle)
    try cookies.apply(on: handle)
    try handle.setHeaders(RequestFields(request, to: url, asking: .whole).lines + conditions)
  }

  /// The fields that go to every hop: what is wanted, and what is known already.
  private var conditions: [String] {
    var lines: [String] = []
    if let accept, !request.headers.contains(where: { $0.name.lowercased() == "accept" }) {
      lines.append("Accept: \(accept)")
    }
    if let etag = validators.etag { lines.append("If-None-Match: \(etag)") }
    if let date = validators.lastModified { lines.append("If-Modified-Since: \(date)") }
    return lines
  }

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    bytesSeen += Int64(line.count)
    switch parser.take(line) {
    case .none:
      break
    case .violation(let what):
      course.cut(.fail(.brokenAnswer(subject, what)))
    case .superseded:
      (head, bytes) = (nil, [])
      course.supersede()
    case .final(let head):
      self.head = head
      security.learn(from: head, of: url, isInsecure: request.isInsecure)
      decide(head)
    }
    return course.goesOn
  }

  private func decide(_ head: ResponseHead) {
    if RedirectPolicy.isRedirect(head.status) {
      let limit = request.redirects?.limit ?? RedirectPolicy.defaultLimit
      let location = head.all("location")
      switch RedirectPolicy.decide(from: url, status: head.status, location: location, hop: hops, limit: limit) {
      case .follow(let next): settle(.follow(security.upgraded(next)), head)
      case .refuse(let reason): settle(.fail(failure(reason, advice: "check the URL")), head)
      }
      return
    }
    switch head.status {
    case 200:
      if !head.contentCodings.isEmpty {
        settle(.fail(failure("the server compressed it, unasked")), head)
      } else if let length = head.announcedLength, length > Int64(longest) {
        settle(.fail(tooLong), head)
      } else {
        course.usesBody()
      }
    case 304 where validators.etag != nil || validators.lastModified != nil:
      settle(.unchanged, head)
    default:
      settle(.fail(StatusRule.failure(head, subject: subject, now: Int64(WallClock.now()))), head)
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

  private func failure(_ reason: String, advice: String? = nil) -> Failure {
    Failure(.protocolViolation, subject, reason, advice: advice, httpStatus: head?.status)
  }

  private var tooLong: Failure {
    failure("it is longer than \(ByteCount.text(Int64(longest))), which no such document should be")
  }

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    if course.isAwaited {
      course.cut(.fail(.brokenAnswer(subject, "its body begins before its header fields have ended")))
    }
    guard course.isOpen else { return course.passOver(body.count) ? .taken : .abort }
    bytesSeen += Int64(body.count)
    guard bytes.count + body.count <= longest else {
      course.cut(.fail(tooLong))
      return .abort
    }
    bytes.append(contentsOf: body)
    return .taken
  }

  func tick(now: Double) -> TickVerdict {
    guard course.isOpen else { return course.hasWaited(until: now) ? .abort : .none }
    guard handle?.isConnected ?? false else {
      stall.reset()
      return .none
    }
    guard stall.isStalled(bytes: bytesSeen, now: now) else { return .none }
    course.cut(
      .fail(
        Failure(
          .network, subject, "less than 1 KiB/s came over \(Int(request.stallTimeout.rounded(.up))) s",
          advice: "--stall-timeout sets the patience")))
    return .abort
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    // The loop is being stopped.
    let isStopped = error?.code == .abortedByCallback && course.goesOn
    switch course.decision {
    case .follow(let target)? where !isStopped:
      hops += 1
      url = target
      return .again
    case .fail(let failure)?:
      deliver(.failure(failure))
    case .unchanged? where !isStopped, nil where error == nil:
      if let head {
        deliver(.success(DocumentAnswer(finalURL: url, head: head, bytes: bytes)))
      } else {
        deliver(.failure(Failure(.network, subject, "the server closed without an answer")))
      }
    case .follow?, .unchanged?, nil:
      deliver(.failure((error ?? .aborted).failure(subject, info: info)))
    }
    return .done
  }
}
