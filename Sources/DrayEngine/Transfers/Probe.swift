// Looks at a URL without fetching it.

internal import Curl
public import DrayCore
internal import Foundation

/// What a look at a URL found.
public struct ProbeResult: Sendable {
  /// The answer, with the redirects on the way to it.
  public var response: ResponseRecord
  /// Whether a one-byte GET answered, as the server would not answer a HEAD.
  public var usedRange: Bool
}

extension Engine {
  /// Asks for the head of the answer to `request`: with HEAD, or where a server refuses that, with a GET for one byte.
  /// Redirects are followed by the same rules as for a transfer.
  /// - Throws: ``Failure`` when no head came. A head with an error status is a result.
  /// - Parameter cookies: those to begin with, lines in Netscape's format; `nil` is to send none.
  public func probe(_ request: TransferRequest, cookies: [String]? = nil) async throws(Failure) -> ProbeResult {
    if Scheme(request.url) == .file { return try await LocalCopy.probe(request.url) }
    var head = request
    head.method = "HEAD"
    head.body = nil
    let result = try await probeOnce(head, cookies)
    guard [400, 403, 404, 405, 500, 501, 503].contains(result.response.head.status) else { return result }
    var byte = request
    byte.method = "GET"
    byte.body = nil
    byte.headers.append(HeaderField("Range", "bytes=0-0"))
    var second = try await probeOnce(byte, cookies)
    second.usedRange = true
    return second
  }

  private func probeOnce(_ request: TransferRequest, _ cookies: [String]?) async throws(Failure) -> ProbeResult {
    let result: Result<ProbeResult, Failure> = await withCheckedContinuation { continuation in
      var request = request
      request.url = security.upgraded(request.url)
      run { [request, security, hosts] in
        Probe(request, security, hosts, cookies) { continuation.resume(returning: $0) }
      }
    }
    return try result.get()
  }
}

/// One look, on the loop's thread.
private final class Probe: LoopTransfer {
  /// What follows the present answer, decided by its head.
  private enum Next {
    case follow(RequestURL)
    /// It is what was looked for.
    case found
    case fail(Failure)
  }

  private let request: TransferRequest
  private let security: TransportSecurity
  private let hosts: HostRules
  private let deliver: (Result<ProbeResult, Failure>) -> Void
  private var url: RequestURL
  private var hops: [RedirectHop] = []
  private var parser = HeadParser()
  private var head: ResponseHead?
  /// How far the present answer is, and what follows it.
  private var course = AnswerCourse<Next>()
  private var deadline = Double.infinity
  private var source: (any FileSource)?
  private var delay = 0.0
  private var connection: ConnectionInfo?
  private let peers = PeerMemory()
  private weak var handle: EasyHandle?
  private var cookies: TransferCookies

  init(
    _ request: TransferRequest, _ security: TransportSecurity, _ hosts: HostRules, _ cookies: [String]?,
    deliver: @escaping (Result<ProbeResult, Failure>) -> Void
  ) {
    self.request = request
    self.security = security
    self.hosts = hosts
    self.deliver = deliver
    self.cookies = TransferCookies(cookies)
    url = request.address
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    parser = HeadParser()
    self.handle = handle
    (head, course, connection, delay) = (nil, AnswerCourse(), nil, 0)
    deadline = TransferLoop.now() + request.connectTimeout + request.stallTimeout
    let request = hosts.request(request, at: url)
    if let scheme = Scheme(url), !scheme.speaksHTTP {
      source = ServerSource(scheme, asked: .whole, handle: handle)
      try SourceOptions.apply(request, to: url, scheme: scheme, asking: .whole, on: handle)
      // FTP tells all without sending the file. SFTP is asked for it, and left as its first byte comes.
      if scheme != .sftp { try handle.set(.noBody, true) }
      return
    }
    try RequestOptions.apply(request, to: url, asking: .whole, on: handle)
    try handle.set(.certificateInfo, true)
    try cookies.apply(on: handle)
  }

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    if let source {
      if !source.take(line) { course.cut(.fail(.brokenAnswer(subject, "its replies do not end"))) }
      return course.goesOn
    }
    switch parser.take(line) {
    case .none:
      break
    case .violation(let what):
      course.cut(.fail(.brokenAnswer(subject, what)))
    case .superseded:
      head = nil
      course.supersede()
    case .final(let head):
      self.head = head
      connection = handle?.connection
      security.learn(from: head, of: url, isInsecure: request.isInsecure)
      decide(head)
    }
    return course.goesOn
  }

  private func decide(_ head: ResponseHead) {
    let limit = request.redirects?.limit ?? RedirectPolicy.defaultLimit
    if RedirectPolicy.isRedirect(head.status) {
      let location = head.all("location")
      follow(
        RedirectPolicy.decide(from: url, status: head.status, location: location, hop: hops.count, limit: limit), head)
    } else if let refresh = RefreshField.target(of: head, from: url) {
      delay = refresh.delay
      follow(RedirectPolicy.decide(from: url, refresh: refresh.location, hop: hops.count, limit: limit), head)
    } else {
      settle(.found, head)
    }
  }

  private func follow(_ decision: RedirectPolicy.Decision, _ head: ResponseHead) {
    switch decision {
    case .follow(let target):
      settle(.follow(security.upgraded(target)), head)
    case .refuse(let reason):
      settle(
        .fail(Failure(.protocolViolation, subject, reason, advice: "check the URL", httpStatus: head.status)), head)
    }
  }

  /// The head is all that is asked for: its body is of no interest.
  private func settle(_ next: Next, _ head: ResponseHead) {
    // A HEAD tells the length of a body that does not come. libcurl reads the body of a challenge that it meets.
    let mayBeMet = request.answersChallenges && head.isChallenge
    course.decide(
      next, now: TransferLoop.now(), length: request.method == "HEAD" ? nil : head.announcedLength,
      patience: mayBeMet ? request.stallTimeout : AnswerPatience.moment)
  }

  private var subject: String { URLRedaction.redacted(url.string) }

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    guard let source else {
      if course.isAwaited {
        course.cut(.fail(.brokenAnswer(subject, "its body begins before its header fields have ended")))
      }
      return course.passOver(bytes.count) ? .taken : .abort
    }
    // What comes of FTP here is what libcurl makes of the replies.
    guard source.scheme == .sftp else { return .taken }
    head = SourceHead.probed(source.scheme, source.facts, servesRest: true, now: Int64(WallClock.now()))
    course.cut(.found)
    return .abort
  }

  func tick(now: Double) -> TickVerdict {
    if !course.isOpen, course.hasWaited(until: now) { return .abort }
    guard now > deadline else { return .none }
    course.cut(.fail(Failure(.network, subject, "no answer came in time", advice: "--stall-timeout sets the patience")))
    return .abort
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    if let source, error == nil, course.isOpen {
      head = SourceHead.probed(
        source.scheme, source.facts, servesRest: source.servesRest, now: Int64(WallClock.now()))
      course.cut(.found)
    }
    // The loop is being stopped.
    let isStopped = error?.code == .abortedByCallback && course.goesOn
    switch course.decision {
    case .follow(let target)? where !isStopped:
      if let head { hops.append(RedirectHop(url: url, head: head)) }
      url = target
      deadline += delay
      // While the next request waits, nothing is decided on.
      course = AnswerCourse()
      return delay > 0 ? .againAfter(delay) : .again
    case .found? where head != nil:
      if let head { deliver(.success(result(head, info))) }
    case .fail(let failure)?:
      deliver(.failure(failure))
    case .follow?, .found?, nil:
      deliver(
        .failure(
          error.map { source?.failure($0, subject, info: info) ?? $0.failure(subject, info: info) }
            ?? Failure(.network, subject, "the server closed without an answer")))
    }
    return .done
  }

  private func result(_ head: ResponseHead, _ info: TransferInfo) -> ProbeResult {
    let record = ResponseRecord(
      finalURL: url, redirects: hops.map(\.url.string), head: head, time: WallClock.now(),
      hops: hops.isEmpty ? nil : hops,
      connection: (connection ?? handle?.connection).map { peers.record($0, to: url, info, hasEnded: true) })
    return ProbeResult(response: record, usedRange: false)
  }
}
