// The requests of one transfer and their answers: what every transfer has, whatever it does with the bytes.

internal import Curl
internal import DrayCore

/// What the requests of a transfer have in common.
struct ExchangeTerms {
  var transport: TransportMemory
  /// What requests to some hosts carry beside what they are given.
  var hosts: HostRules
  /// The cookies to begin with, lines in Netscape's format; `nil` sends none and keeps none.
  var cookies: [String]?
  /// The limits on the rate.
  var limiters: [RateLimiter] = []
  /// Whether pages that send their readers on count as redirects.
  var followsPages = false
  /// Whether a later request continues after a stall.
  var isContinued = true
}

/// One request after the other, over one easy handle. Confined to the loop's thread.
struct Exchange<Next: AnswerSequel> {
  /// Receives the answers.
  var intake: AnswerIntake<Next>
  let pace: Pace
  private(set) weak var handle: EasyHandle?
  private let hosts: HostRules
  private let isContinued: Bool
  private var stall: StallDetector
  private var cookies: TransferCookies
  /// Bytes that were received or sent, for the stall detector.
  private var bytesSeen: Int64 = 0

  /// - Parameter start: the URL that is asked first.
  init(_ request: TransferRequest, from start: RequestURL, _ terms: ExchangeTerms) {
    intake = AnswerIntake(request, from: start, terms.transport, followsPages: terms.followsPages)
    pace = Pace(terms.limiters)
    stall = StallDetector(window: request.stallTimeout)
    cookies = TransferCookies(terms.cookies)
    (hosts, isContinued) = (terms.hosts, terms.isContinued)
  }

  /// The URL that is asked now.
  var url: RequestURL { intake.url }

  /// The cookies of the transfer; `nil` if there are none to keep.
  var cookieReport: CookieReport? { cookies.report(from: handle) }

  // MARK: The request

  /// Begins the next request.
  /// - Parameter handle: its handle; `nil` if libcurl does not make it.
  mutating func begin(on handle: EasyHandle? = nil) {
    if let handle { self.handle = handle }
    intake.begin()
    pace.reset()
    stall.reset()
  }

  /// A request with what belongs to the URL that is asked now.
  func adapted(_ request: TransferRequest) -> TransferRequest {
    var request = hosts.request(request, at: url)
    request.httpVersion = intake.version(request.httpVersion)
    return request
  }

  /// Sets the options of the handle.
  /// - Returns: the server, unless it speaks HTTP.
  @discardableResult
  mutating func prepare(
    _ request: TransferRequest, asking ask: Ask, on handle: EasyHandle
  ) throws(CurlError) -> (any ServerSource)? {
    let request = adapted(request)
    if let server = Scheme(url)?.server(asked: ask, handle: handle) {
      intake.source = server
      try server.prepare(request, to: url, asking: ask, on: handle)
      return server
    }
    try RequestOptions.apply(request, to: url, asking: ask, on: handle)
    try cookies.apply(on: handle)
    return nil
  }

  // MARK: The answer

  /// Reads a line of a head or of trailers.
  mutating func receive(_ line: UnsafeRawBufferPointer) -> AnswerIntake<Next>.Event {
    note(line.count)
    return intake.receive(line)
  }

  /// Counts bytes of a body.
  mutating func note(_ count: Int) { bytesSeen += Int64(count) }

  // MARK: Waiting

  /// Bytes are held back on this side, which is no stall.
  mutating func rests() { stall.reset() }

  /// Checks whether bytes come, once nothing else is to be done.
  /// - Parameter start: the time of the request, if it is delayed.
  mutating func tick(now: Double, from start: Double = 0) -> TickVerdict {
    if pace.mustAskAgain(now: now) {
      stall.reset()
      return .proceed
    }
    // Until the connection stands, the connect timeout rules.
    guard handle?.isConnected ?? false, now >= max(start, pace.heldUntil) else {
      stall.reset()
      return .none
    }
    guard stall.isStalled(bytes: bytesSeen, now: now) else { return .none }
    intake.cut(.fail(stall.failure(intake.subject, isContinued: isContinued)))
    return .abort
  }
}
