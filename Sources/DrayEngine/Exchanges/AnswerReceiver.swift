// Receives the heads of answers to requests of all kinds. The receiver makes heads from lines, skips interim answers
// and challenges that libcurl handles, follows redirects, and stores decisions.

internal import Curl
internal import DrayCore
internal import FoundationEssentials
internal import Threads

/// Receives the answers to a request, one after another. Confined to the loop's thread.
struct AnswerReceiver<Next: AnswerSequel> {
  enum Event: Equatable {
    case nothing
    /// The answer was not final. Another answer follows, so discard what this one led to.
    case superseded
    case head(ResponseHead)
  }

  enum Redirect: Equatable {
    case followed(RedirectStep, delay: Double)
    case refused(String)
  }

  private struct Terms {
    /// The seconds to read the body of a challenge: libcurl reads it to the end before repeating the request. `nil` if
    /// libcurl answers no challenges.
    var challengePatience: Double?
    /// Whether certificates are not checked.
    var isInsecure: Bool
    /// Whether answers have no body, whatever length they announce.
    var isHead: Bool
    /// Whether the requests may use any version of HTTP.
    var isFreeOfVersion: Bool
    /// The interfaces from which the requests may be sent; empty if the system chooses.
    var interfaces: [String]
    /// The proxy of the request, its user name and password, and the way to send them.
    var proxy: String?
    var proxyCredentials: Credentials?
    var proxyScheme: AuthenticationOptions.Scheme?
  }

  private let terms: Terms
  private let transport: TransportMemory
  private(set) var chain: RedirectChain
  /// The number of seconds before the next request, if a page asked for a delay.
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
      isHead: request.method == "HEAD", isFreeOfVersion: request.httpVersion == nil,
      interfaces: request.interfaces, proxy: request.proxy,
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

  /// Takes a line of a head or of trailers, including the line's end. ``AnswerCourse/goesOn`` tells whether the answer
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

  /// Takes the head of an answer that does not come as lines.
  mutating func accept(_ head: ResponseHead) { self.head = head }

  /// Returns whether a head has arrived before these bytes of a body. If not, the answer is invalid.
  mutating func bodyFollowsHead() -> Bool {
    guard course.isAwaited else { return true }
    cut(.fail(.brokenAnswer(subject, "its body begins before the end of its header fields")))
    return false
  }

  // MARK: The next step

  /// Returns the redirect; `nil` if the answer is not a redirect.
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

  /// Starts again from the URL of the original request.
  mutating func restart() {
    chain.restart()
    decide(.again)
  }

  mutating func usesBody() { course.usesBody() }

  /// Decides the next step before the end of the answer, because the rest of the answer is not needed.
  mutating func decide(_ next: Next) {
    // The body of a challenge must be read to its end, because only then libcurl repeats the request. An answer to HEAD
    // has no body, even if it announces a length.
    let patience = head?.isChallenge ?? false ? terms.challengePatience : nil
    course.decide(
      next, now: TransferLoop.now(), length: terms.isHead ? nil : head?.announcedLength,
      patience: patience ?? AnswerPatience.moment)
  }

  mutating func cut(_ next: Next) { course.cut(next) }

  /// Skips bytes of a body that is not needed.
  mutating func passOver(_ count: Int) -> BodyVerdict { course.passOver(count) ? .taken : .abort }

  /// Returns what to do at `now` if the next step is decided; `nil` if it is not. Waits for the rest of a body only as
  /// long as this costs less than a new connection.
  mutating func patience(now: Double) -> TickVerdict? {
    guard !course.isOpen else { return nil }
    return course.hasWaited(until: now) ? .abort : TickVerdict.none
  }

  // MARK: The end

  /// Whether the request ended because the loop is stopping.
  func isStopped(by error: CurlError?) -> Bool { error?.code == .abortedByCallback && course.goesOn }

  /// Makes the next request. If the request is delayed, nothing is decided until it starts.
  mutating func askAgain() -> NextStep {
    guard delay > 0 else { return .again }
    defer { (course, delay) = (AnswerCourse(), 0) }
    return .againAfter(delay)
  }

  func failure(of error: CurlError, _ info: TransferInfo) -> Failure {
    if let failure = error.missingInterface(subject, among: terms.interfaces) { return failure }
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

  /// Adds to a failure the reason why the server cannot be reached. If a proxy is used, nothing is known about the
  /// server.
  private func withObstacle(_ failure: Failure, _ error: CurlError, _ info: TransferInfo) -> Failure {
    guard failure.recovery == .retry, proxy == nil, let obstacle = error.obstacle(info) else { return failure }
    var failure = failure
    failure.obstacle = obstacle
    if obstacle == .refusedPort { failure.reason = "\(url.origin.host):\(url.origin.port) refused the connection" }
    return failure
  }

  /// After a failure of HTTP/2, makes the next request use HTTP/1.1, because some servers and middleboxes break every
  /// stream.
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
