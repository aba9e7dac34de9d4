// Probes a URL without fetching it.

internal import Curl
public import DrayCore
internal import FoundationEssentials
internal import Threads

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
  private let followsRedirects: Bool
  private let deliver: (Result<ProbeResult, Failure>) -> Void
  private var exchange: Exchange<Next>
  private var deadline = Double.infinity
  private var connection: ConnectionInfo?
  private let peers = PeerMemory()

  init(
    _ request: TransferRequest, _ transport: TransportMemory, _ hosts: HostRules, _ cookies: [String]?,
    followsRedirects: Bool, deliver: @escaping (Result<ProbeResult, Failure>) -> Void
  ) {
    self.request = request
    self.followsRedirects = followsRedirects
    self.deliver = deliver
    exchange = Exchange(
      request, from: request.address,
      ExchangeTerms(transport: transport, hosts: hosts, cookies: cookies, followsPages: true))
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    exchange.begin(on: handle)
    connection = nil
    deadline = TransferLoop.now() + request.connectTimeout + request.stallTimeout
    guard let server = try exchange.prepare(request, asking: .whole, on: handle) else {
      return try handle.set(.certificateInfo, true)
    }
    if !server.sendsFileWhenProbed { try handle.set(.noBody, true) }
  }

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    if case .head(let head) = exchange.receive(line) {
      connection = exchange.handle?.connection
      decide(head)
    }
    return exchange.intake.course.goesOn
  }

  /// The head is all that is asked for: its body is of no interest.
  private func decide(_ head: ResponseHead) {
    guard followsRedirects else { return exchange.intake.decide(.found) }
    switch exchange.intake.redirect(by: head) {
    case nil:
      exchange.intake.decide(.found)
    case .followed?:
      break
    case .refused(let reason)?:
      let advice: Advice = "check the URL"
      exchange.intake.decide(
        .fail(Failure(.protocolViolation, exchange.intake.subject, reason, advice: advice, httpStatus: head.status)))
    }
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    guard let source = exchange.intake.source else {
      _ = exchange.intake.bodyFollowsHead()
      return exchange.intake.passOver(bytes.count)
    }
    guard source.sendsFileWhenProbed else { return .taken }
    found(source, servesRest: true)
    return .abort
  }

  private func found(_ source: any FileSource, servesRest: Bool) {
    exchange.intake.accept(
      SourceHead.probed(source.scheme, source.facts, servesRest: servesRest, now: Int64(WallClock.now())))
    exchange.intake.cut(.found)
  }

  func tick(now: Double) -> TickVerdict {
    if case .abort? = exchange.intake.patience(now: now) { return .abort }
    guard now > deadline else { return .none }
    exchange.intake.cut(
      .fail(
        Failure(.network, exchange.intake.subject, "no answer came in time", advice: "\(.stallTimeout) sets the limit"))
    )
    return .abort
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    if let source = exchange.intake.source, error == nil, exchange.intake.course.isOpen {
      found(source, servesRest: source.servesRest)
    }
    switch exchange.intake.course.decision {
    case .again? where !exchange.intake.isStopped(by: error):
      deadline += exchange.intake.delay
      return exchange.intake.askAgain()
    case .found? where exchange.intake.head != nil:
      if let head = exchange.intake.head { deliver(.success(result(head, info))) }
    case .fail(let failure)?:
      deliver(.failure(failure))
    case .again?, .found?, nil:
      deliver(
        .failure(
          error.map { exchange.intake.failure(of: $0, info) }
            ?? Failure(.network, exchange.intake.subject, "the server closed the connection without an answer")))
    }
    return .done
  }

  private func result(_ head: ResponseHead, _ info: TransferInfo) -> ProbeResult {
    let record = ResponseRecord(
      head, after: exchange.intake.chain, time: WallClock.now(),
      connection: (connection ?? exchange.handle?.connection).map {
        peers.record($0, to: exchange.intake.url, info, hasEnded: true)
      })
    return ProbeResult(response: record, usedRange: false)
  }
}
