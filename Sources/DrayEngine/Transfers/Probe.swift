// Finds out about a URL without fetching its file.

internal import Curl
public import DrayCore
internal import FoundationEssentials
internal import Threads

public struct ProbeResult: Sendable {
  public var response: ResponseRecord
  /// Whether the server refused a HEAD, and answered a GET for one byte instead.
  public var usedRange: Bool
}

extension Engine {
  /// Requests the head of the answer to `request`: with HEAD, or with a GET for one byte if the server refuses HEAD.
  /// Follows redirects by the rules of a transfer.
  /// - Throws: ``Failure`` if no head arrives. A head with an error status is a result and not a failure.
  /// - Parameters:
  ///   - cookies: The cookies to begin with, as lines in the Netscape format; `nil` sends none.
  ///   - followsRedirects: Whether redirects are followed; if not, they are returned.
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

/// One probe, on the loop's thread.
private final class Probe: LoopTransfer {
  private enum Next: AnswerSequel {
    case again
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

  /// The seconds to wait for an answer.
  private var patience: Double { request.connectTimeout + request.stallTimeout }

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

  func startTime(now: Double) -> Double {
    let start = exchange.startTime(now: now)
    // The time that the request waits for its turn does not count as the server's.
    if start > now { deadline = .infinity }
    return start
  }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    exchange.begin(on: handle)
    connection = nil
    deadline = TransferLoop.now() + patience
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
    return exchange.receiver.course.goesOn
  }

  private func decide(_ head: ResponseHead) {
    guard followsRedirects else { return exchange.receiver.decide(.found) }
    switch exchange.receiver.redirect(by: head) {
    case nil:
      exchange.receiver.decide(.found)
    case .followed?:
      break
    case .refused(let reason)?:
      let advice: Advice = "check the URL"
      exchange.receiver.decide(
        .fail(Failure(.protocolViolation, exchange.receiver.subject, reason, advice: advice, httpStatus: head.status)))
    }
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> BodyVerdict {
    guard let source = exchange.receiver.source else {
      _ = exchange.receiver.bodyFollowsHead()
      return exchange.receiver.passOver(bytes.count)
    }
    guard source.sendsFileWhenProbed else { return .taken }
    found(source, servesRest: true)
    return .abort
  }

  private func found(_ source: any FileSource, servesRest: Bool) {
    exchange.receiver.accept(
      SourceHead.probed(source.scheme, source.facts, servesRest: servesRest, now: Int64(WallClock.now())))
    exchange.receiver.cut(.found)
  }

  func tick(now: Double) -> TickVerdict {
    if case .abort? = exchange.receiver.patience(now: now) { return .abort }
    guard now > deadline else { return .none }
    exchange.receiver.cut(
      .fail(.unanswered(exchange.receiver.subject, within: patience, advice: .stallLimit)))
    return .abort
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    if let source = exchange.receiver.source, error == nil, exchange.receiver.course.isOpen {
      found(source, servesRest: source.servesRest)
    }
    switch exchange.receiver.course.decision {
    case .again? where !exchange.receiver.isStopped(by: error):
      deadline += exchange.receiver.delay
      return exchange.receiver.askAgain()
    case .found? where exchange.receiver.head != nil:
      if let head = exchange.receiver.head { deliver(.success(result(head, info))) }
    case .fail(let failure)?:
      deliver(.failure(failure))
    case .again?, .found?, nil:
      deliver(
        .failure(
          error.map { exchange.receiver.failure(of: $0, info) }
            ?? Failure(.network, exchange.receiver.subject, "the server closed the connection without an answer")))
    }
    return .done
  }

  private func result(_ head: ResponseHead, _ info: TransferInfo) -> ProbeResult {
    let record = ResponseRecord(
      head, after: exchange.receiver.chain, time: WallClock.now(),
      connection: (connection ?? exchange.handle?.connection).map {
        peers.record($0, to: exchange.receiver.url, info, hasEnded: true)
      })
    return ProbeResult(response: record, usedRange: false)
  }
}
