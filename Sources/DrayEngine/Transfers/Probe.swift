// Probes a URL without fetching it.

internal import Curl
public import DrayCore
internal import FoundationEssentials

/// The result of a probe of a URL.
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
  /// - Parameters:
  ///   - cookies: those to begin with, lines in Netscape's format; `nil` is to send none.
  ///   - followsRedirects: whether an answer that sends the request elsewhere is followed, and is no result.
  public func probe(
    _ request: TransferRequest, cookies: [String]? = nil, followsRedirects: Bool = true
  ) async throws(Failure) -> ProbeResult {
    if Scheme(request.url)?.transport == .disk { return try await LocalCopy.probe(request.url) }
    var head = request
    head.method = "HEAD"
    head.body = nil
    let result = try await probeOnce(head, cookies, followsRedirects)
    guard [400, 403, 404, 405, 500, 501, 503].contains(result.response.head.status) else { return result }
    var byte = request
    byte.method = "GET"
    byte.body = nil
    byte.headers.append(HeaderField("Range", "bytes=0-0"))
    var second = try await probeOnce(byte, cookies, followsRedirects)
    second.usedRange = true
    return second
  }

  private func probeOnce(
    _ request: TransferRequest, _ cookies: [String]?, _ followsRedirects: Bool
  ) async throws(Failure) -> ProbeResult {
    let result: Result<ProbeResult, Failure> = await withCheckedContinuation { continuation in
      var request = request
      request.url = transport.upgraded(request.url)
      run { [request, transport, hosts] in
        Probe(request, transport, hosts, cookies, followsRedirects: followsRedirects) {
          continuation.resume(returning: $0)
        }
      }
    }
    return try result.get()
  }
}

/// One look, on the loop's thread.
private final class Probe: LoopTransfer {
  /// What follows the present answer, decided by its head.
  private enum Next: AnswerSequel {
    /// A redirect is followed.
    case again
    /// It was found.
    case found
    case fail(Failure)
  }

  private let request: TransferRequest
  private let hosts: HostRules
  private let followsRedirects: Bool
  private let deliver: (Result<ProbeResult, Failure>) -> Void
  private var intake: AnswerIntake<Next>
  private var deadline = Double.infinity
  private var connection: ConnectionInfo?
  private let peers = PeerMemory()
  private weak var handle: EasyHandle?
  private var cookies: TransferCookies

  init(
    _ request: TransferRequest, _ transport: TransportMemory, _ hosts: HostRules, _ cookies: [String]?,
    followsRedirects: Bool, deliver: @escaping (Result<ProbeResult, Failure>) -> Void
  ) {
    self.request = request
    self.hosts = hosts
    self.followsRedirects = followsRedirects
    self.deliver = deliver
    self.cookies = TransferCookies(cookies)
    intake = AnswerIntake(request, from: request.address, transport, followsPages: true)
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    self.handle = handle
    intake.begin()
    connection = nil
    deadline = TransferLoop.now() + request.connectTimeout + request.stallTimeout
    let url = intake.url
    var request = hosts.request(request, at: url)
    request.httpVersion = intake.version(request.httpVersion)
    if let server = Scheme(url)?.server(asked: .whole, handle: handle) {
      intake.source = server
      try server.prepare(request, to: url, asking: .whole, on: handle)
      if !server.sendsFileWhenProbed { try handle.set(.noBody, true) }
      return
    }
    try RequestOptions.apply(request, to: url, asking: .whole, on: handle)
    try handle.set(.certificateInfo, true)
    try cookies.apply(on: handle)
  }

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    if case .head(let head) = intake.receive(line) {
      connection = handle?.connection
      decide(head)
    }
    return intake.course.goesOn
  }

  /// The head is all that is asked for: its body is of no interest.
  private func decide(_ head: ResponseHead) {
    guard followsRedirects else { return intake.decide(.found) }
    switch intake.redirect(by: head) {
    case nil:
      intake.decide(.found)
    case .followed?:
      break
    case .refused(let reason)?:
      let advice: Advice = "check the URL"
      intake.decide(
        .fail(Failure(.protocolViolation, intake.subject, reason, advice: advice, httpStatus: head.status)))
    }
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    guard let source = intake.source else {
      _ = intake.bodyFollowsHead()
      return intake.passOver(bytes.count)
    }
    guard source.sendsFileWhenProbed else { return .taken }
    found(source, servesRest: true)
    return .abort
  }

  private func found(_ source: any FileSource, servesRest: Bool) {
    intake.accept(
      SourceHead.probed(source.scheme, source.facts, servesRest: servesRest, now: Int64(WallClock.now())))
    intake.cut(.found)
  }

  func tick(now: Double) -> TickVerdict {
    if case .abort? = intake.patience(now: now) { return .abort }
    guard now > deadline else { return .none }
    intake.cut(
      .fail(Failure(.network, intake.subject, "no answer came in time", advice: "\(.stallTimeout) sets the limit")))
    return .abort
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    if let source = intake.source, error == nil, intake.course.isOpen { found(source, servesRest: source.servesRest) }
    switch intake.course.decision {
    case .again? where !intake.isStopped(by: error):
      deadline += intake.delay
      return intake.askAgain()
    case .found? where intake.head != nil:
      if let head = intake.head { deliver(.success(result(head, info))) }
    case .fail(let failure)?:
      deliver(.failure(failure))
    case .again?, .found?, nil:
      deliver(
        .failure(
          error.map { intake.failure(of: $0, info) }
            ?? Failure(.network, intake.subject, "the server closed the connection without an answer")))
    }
    return .done
  }

  private func result(_ head: ResponseHead, _ info: TransferInfo) -> ProbeResult {
    let record = ResponseRecord(
      head, after: intake.chain, time: WallClock.now(),
      connection: (connection ?? handle?.connection).map { peers.record($0, to: intake.url, info, hasEnded: true) })
    return ProbeResult(response: record, usedRange: false)
  }
}
