// Receives the heads of answers to requests of all kinds: makes heads from lines, skips interim answers and challenges
// that libcurl handles, follows redirects, and keeps decisions.

internal import Curl
internal import DrayCore
internal import FoundationEssentials
internal import Threads

/// Receives the answers to a request, one after another. Confined to the loop's thread.
struct AnswerReceiver<Next: AnswerSequel> {
  enum Event: Equatable {
    case nothing
    /// The answer was not final, and another one follows, so discard what it led to.
    case superseded
    case head(ResponseHead)
  }

  enum Redirect: Equatable {
    case followed(RedirectStep, delay: Double)
    case refused(String)
  }

  private struct Terms {
    /// The seconds to read the body of a challenge, which libcurl reads to the end before it repeats the request; `nil`
    /// if libcurl answers no challenges.
    var challengePatience: Double?
    /// Whether certificates are not checked.
    var isInsecure: Bool
    /// Whether the answers have no body, whatever length they announce.
    var isHead: Bool
    /// Whether the requests may use any version of HTTP.
    var isFreeOfVersion: Bool
    /// The request's own proxy, its user name and password, and how they are sent.
    var proxy: String?
    var proxyCredentials: Credentials?
    var proxyScheme: AuthenticationOptions.Scheme?
  }

  private let terms: Terms
  private let transport: TransportMemory
  private(set) var chain: RedirectChain
  /// The seconds before the next request, if a page asked for a delay.
  private(set) var delay = 0.0

  private var parser = HeadParser()
  /// The source; `nil` for HTTP.
  var source: (any FileSource)?
  /// The head, once it is complete.
  private(set) var head: ResponseHead?
  private(set) var course = AnswerCourse<Next>()

  /// - Parameters:
  ///   - start: The URL of the first request.
  ///   - followsPages: Whether pages that refresh to another URL count as redirects.
  init(_ request: TransferRequest, from start: RequestURL, _ transport: TransportMemory, followsPages: Bool) {
    terms = Terms(
      challengePatience: request.answersChallenges ? request.stallTimeout : nil, isInsecure: request.isInsecure,
      isHead: request.method == "HEAD", isFreeOfVersion: request.httpVersion == nil, proxy: request.proxy,
      proxyCredentials: request.authentication?.proxyCredentials, proxyScheme: request.authentication?.proxyScheme)
    self.transport = transport
    chain = RedirectChain(
      from: start, limit: request.redirects?.limit, schemes: request.redirects?.schemes, followsPages: followsPages)
  }

  var url: RequestURL { chain.url }

  /// The URL for messages, without secrets.
  var subject: String { URLRedaction.redacted(url.string) }

  /// Returns the HTTP version to request if the user chose `wish`.
  func version(_ wish: HTTPVersion?) -> HTTPVersion? { transport.version(wish, for: url) }

  // MARK: One answer

  mutating func begin() {
    parser = HeadParser()
    (source, head, course, delay) = (nil, nil, AnswerCourse(), 0)
  }

  var trailers: [HeaderField] { parser.trailers }

  /// Reads a line of a head or of trailers, including its end. ``AnswerCourse/goesOn`` tells whether the answer
  /// continues.
  mutating func receive(_ line: UnsafeRawBufferPointer) -> Event {
    if let source {
      if !source.take(line) { cut(.fail(endlessReplies)) }
      return .nothing
    }
    switch parser.take(line) {
    case .none:
      return .nothing
    case .violation(let what):
      cut(.fail(.brokenAnswer(subject, what)))
      return .nothing
    case .superseded:
      head = nil
      course.supersede()
      return .superseded
    case .final(let head):
      accept(head)
      transport.learn(from: head, of: url, isInsecure: terms.isInsecure)
      return .head(head)
    }
  }

  /// Accepts the head of an answer that has no lines.
  mutating func accept(_ head: ResponseHead) { self.head = head }

  /// Returns whether a head has arrived before these bytes of a body, as it must.
  mutating func bodyFollowsHead() -> Bool {
    guard course.isAwaited else { return true }
    cut(.fail(.brokenAnswer(subject, "its body begins before the end of its header fields")))
    return false
  }

  // MARK: The next step

  /// Returns the redirect; `nil` if the answer is not one.
  mutating func redirect(by head: ResponseHead) -> Redirect? {
    switch chain.step(after: head) {
    case nil:
      return nil
    case .refuse(let reason)?:
      return .refused(reason)
    case .follow(let named, let delay)?:
      let step = RedirectStep(status: head.status, from: url, to: transport.upgraded(named), head: head)
      chain.go(to: step.to, after: head)
      self.delay = delay
      decide(.again)
      return .followed(step, delay: delay)
    }
  }

  /// Starts again from the request's own URL.
  mutating func restart() {
    chain.restart()
    decide(.again)
  }

  mutating func usesBody() { course.usesBody() }

  /// Decides the next step before the end of the answer, of which no more is needed.
  mutating func decide(_ next: Next) {
    // The body of a challenge is read to its end before libcurl repeats the request. To HEAD, no body comes, even if
    // its length was announced.
    let patience = head?.isChallenge ?? false ? terms.challengePatience : nil
    course.decide(
      next, now: TransferLoop.now(), length: terms.isHead ? nil : head?.announcedLength,
      patience: patience ?? AnswerPatience.moment)
  }

  mutating func cut(_ next: Next) { course.cut(next) }

  /// Skips bytes of a body that is not needed.
  mutating func passOver(_ count: Int) -> BodyVerdict { course.passOver(count) ? .taken : .abort }

  /// Returns what to do at `now` if the next step is decided; otherwise `nil`. Waits for the rest of a body only as
  /// long as a new connection would cost more.
  mutating func patience(now: Double) -> TickVerdict? {
    guard !course.isOpen else { return nil }
    return course.hasWaited(until: now) ? .abort : TickVerdict.none
  }

  // MARK: The end

  /// Whether the request ended because the loop is stopping.
  func isStopped(by error: CurlError?) -> Bool { error?.code == .abortedByCallback && course.goesOn }

  /// Makes the next request. While the request is delayed, nothing is decided.
  mutating func askAgain() -> NextStep {
    guard delay > 0 else { return .again }
    defer { (course, delay) = (AnswerCourse(), 0) }
    return .againAfter(delay)
  }

  func failure(of error: CurlError, _ info: TransferInfo) -> Failure {
    if !info.wasGivenUp, [.http2, .http2Stream].contains(error.code) {
      return overHTTP1(error.failure(subject, info: info))
    }
    let refusal =
      info.isConnected
      ? nil
      : StatusRule.tunnelRefusal(
        info.proxyStatus, proxy: proxy, subject: subject, wait: info.proxyWait, date: info.proxyDate,
        now: Int64(WallClock.now()))
    return refusal
      ?? withObstacle(
        source?.failure(error, subject, info: info) ?? told(error.failure(subject, info: info)), error, info)
  }

  /// Adds to a failure why the server cannot be reached. Behind a proxy, nothing is known about the server.
  private func withObstacle(_ failure: Failure, _ error: CurlError, _ info: TransferInfo) -> Failure {
    guard failure.recovery == .retry, proxy == nil, let obstacle = error.obstacle(info) else { return failure }
    var failure = failure
    failure.obstacle = obstacle
    if obstacle == .refusedPort { failure.reason = "\(url.origin.host):\(url.origin.port) refused the connection" }
    return failure
  }

  /// Handles a failure of HTTP/2, because some servers and middleboxes break every stream.
  private func overHTTP1(_ failure: Failure) -> Failure {
    guard terms.isFreeOfVersion else { return failure }
    transport.doubtHTTP2(of: url)
    var failure = failure
    failure.reason += "; the next try is over HTTP/1.1"
    if failure.recovery == .keep { failure.recovery = .retry }
    return failure
  }

  /// Adds the proxy's user to a failure, if the proxy rejected the password.
  func told(_ failure: Failure) -> Failure {
    guard failure.httpStatus == 407 else { return failure }
    let credentials =
      terms.proxyCredentials
      ?? ProxyName.credentials(terms.proxy, scheme: url.scheme, environment: ProcessInfo.processInfo.environment)
    return StatusRule.toldOfProxy(failure, credentials, terms.proxyScheme)
  }

  /// The name of the proxy in use.
  private var proxy: String? {
    ProxyName.shown(terms.proxy, scheme: url.scheme, environment: ProcessInfo.processInfo.environment)
  }

  /// Whether libcurl has answered a challenge, so that credentials were tried.
  var hasMetChallenge: Bool { parser.hasBeenMet }

  private var endlessReplies: Failure {
    Failure(
      .protocolViolation, subject, "the server's replies do not end", advice: "try another mirror",
      recovery: .keep)
  }
}
