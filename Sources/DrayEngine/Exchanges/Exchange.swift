internal import Curl
internal import DrayCore

/// The consecutive requests of a transfer over one easy handle, and their answers, regardless of what the bytes are
/// used for. Confined to the loop's thread.
struct Exchange<Next: AnswerSequel> {
  var receiver: AnswerReceiver<Next>
  let pace: Pace
  private(set) weak var handle: EasyHandle?
  private let hosts: HostRules
  private let isContinued: Bool
  /// The request, whose server may have a pace; otherwise `nil`.
  private let paced: TransferRequest?
  private let pacer: RequestPacer
  /// The place of the next request in the line for its server.
  private var turn: RequestPacer.Turn?
  /// The start time of the next request, if it is known.
  private var startsAt = 0.0
  private var stall: StallDetector
  private(set) var hasStalled = false
  private var cookies: TransferCookies
  /// The number of bytes received and sent, as the stall detector counts them.
  private var bytesSeen: Int64 = 0
  private var arrivals = ArrivalCounter()

  /// - Parameter start: The URL of the first request.
  init(_ request: TransferRequest, from start: RequestURL, _ terms: ExchangeTerms) {
    receiver = AnswerReceiver(request, from: start, terms.transport, followsPages: terms.followsPages)
    pace = Pace(terms.limiters)
    stall = StallDetector(window: request.stallTimeout)
    cookies = TransferCookies(terms.cookies)
    (hosts, isContinued, pacer) = (terms.hosts, terms.isContinued, terms.transport.pacer)
    let mayBePaced = request.pace != nil || request.jitter != nil || !terms.hosts.rules.isEmpty
    paced = mayBePaced ? request : nil
  }

  var url: RequestURL { receiver.url }

  /// The cookies of the transfer; `nil` if no cookies are kept.
  var cookieReport: CookieReport? { cookies.report(from: handle) }

  // MARK: The request

  /// Returns the time at which the next request may start, or at which to ask again. If it must wait, resources of the
  /// earlier answer are released first.
  mutating func startTime(now: Double) -> Double {
    guard let paced else { return 0 }
    if turn?.origin != url.origin {
      let terms = hosts.request(paced, at: url)
      turn = pacer.turn(at: url.origin, terms.pace, jitter: terms.jitter)
    }
    startsAt = turn?.start(now: now) ?? 0
    if startsAt > now { receiver.begin() } else { turn = nil }
    return startsAt
  }

  /// - Parameter handle: The handle; `nil` if the request does not use libcurl.
  mutating func begin(on handle: EasyHandle? = nil) {
    if let handle { self.handle = handle }
    receiver.begin()
    pace.reset()
    stall.reset()
  }

  func adapted(_ request: TransferRequest) -> TransferRequest {
    var request = hosts.request(request, at: url)
    request.httpVersion = receiver.version(request.httpVersion)
    return request
  }

  /// Prepares the request. Returns the source; `nil` if it uses HTTP.
  @discardableResult
  mutating func prepare(
    _ request: TransferRequest, asking ask: Ask, on handle: EasyHandle
  ) throws(CurlError) -> (any ServerSource)? {
    let request = adapted(request)
    if let server = Scheme(url)?.server(asked: ask, handle: handle) {
      receiver.source = server
      try server.prepare(request, to: url, asking: ask, on: handle)
      return server
    }
    try RequestOptions.apply(request, to: url, asking: ask, on: handle)
    try cookies.apply(on: handle)
    return nil
  }

  /// Continues a request that was begun without this exchange.
  /// - Parameter cookies: The cookies of the request.
  mutating func takeOver(_ cookies: TransferCookies) { self.cookies = cookies }

  // MARK: The answer

  mutating func receive(_ line: UnsafeRawBufferPointer) -> AnswerReceiver<Next>.Event {
    note(line.count)
    return receiver.receive(line)
  }

  mutating func note(_ count: Int) { bytesSeen += Int64(count) }

  // MARK: Waiting

  /// Records that this side is holding back bytes, which does not count as a stall.
  mutating func rests() { stall.reset() }

  /// - Parameter start: The time at which a delayed request starts.
  mutating func tick(now: Double, from start: Double = 0) -> TickVerdict {
    if pace.mustAskAgain(now: now) {
      stall.reset()
      return .proceed
    }
    // Until the connection is open, the connect timeout applies instead.
    guard handle?.isConnected ?? false, now >= max(start, startsAt, pace.heldUntil) else {
      stall.reset()
      return .none
    }
    note(arrivals.arrived(leaving: handle?.unacknowledged))
    return stall.isStalled(bytes: bytesSeen, now: now) ? stalls() : .none
  }

  /// Ends the request because the server sends too few bytes.
  mutating func stalls() -> TickVerdict {
    hasStalled = true
    handle?.giveUpConnection(stalledFor: stall.window)
    receiver.cut(.fail(stall.failure(receiver.subject, isContinued: isContinued)))
    return .abort
  }
}
