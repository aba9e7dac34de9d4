// How the head of an answer is received, for every kind of request: lines become heads, interim answers and challenges that libcurl meets
// give way to what follows them, redirects are followed, and what was decided once stands.

internal import Curl
internal import DrayCore
internal import FoundationEssentials
internal import Threads

/// What may follow an answer, as far as its intake decides it.
protocol AnswerSequel: Sendable {
  /// One more request is made.
  static var again: Self { get }
  /// The transfer fails.
  static func fail(_ failure: Failure) -> Self
}

/// Receives the answers to one request, one after the other. Confined to the loop's thread.
struct AnswerIntake<Next: AnswerSequel> {
  /// What a line completed.
  enum Event: Equatable {
    /// Nothing to act on.
    case nothing
    /// The answer was not the final one: another takes its place, and what was begun for it is void.
    case superseded
    /// The head of an answer, which is to be decided on.
    case head(ResponseHead)
  }

  /// What became of a redirect.
  enum Redirect: Equatable {
    /// It is followed, after so many seconds.
    case followed(RedirectStep, delay: Double)
    /// It is not followed; the text says why.
    case refused(String)
  }

  /// What of a request bears upon its answers.
  private struct Terms {
    /// Seconds for the body of a challenge that libcurl reads to its end before it asks again; `nil` if it does not.
    var challengePatience: Double?
    /// Whether certificates are not checked.
    var isInsecure: Bool
    /// Whether the answers have no body, whatever length they announce.
    var isHead: Bool
    /// Whether any HTTP version is allowed.
    var isFreeOfVersion: Bool
    /// The request's own proxy.
    var proxy: String?
  }

  private let terms: Terms
  private let transport: TransportMemory
  /// The redirects so far.
  private(set) var chain: RedirectChain
  /// Seconds until the next request, where a page asks its reader to wait.
  private(set) var delay = 0.0

  private var parser = HeadParser()
  /// Where the file comes from, if not over HTTP.
  var source: (any FileSource)?
  /// The head of the present answer, once it is complete.
  private(set) var head: ResponseHead?
  /// How far the present answer is, and what follows it.
  private(set) var course = AnswerCourse<Next>()

  /// - Parameters:
  ///   - start: the URL that is asked first.
  ///   - followsPages: whether pages that send their readers on count as redirects.
  init(_ request: TransferRequest, from start: RequestURL, _ transport: TransportMemory, followsPages: Bool) {
    terms = Terms(
      challengePatience: request.answersChallenges ? request.stallTimeout : nil, isInsecure: request.isInsecure,
      isHead: request.method == "HEAD", isFreeOfVersion: request.httpVersion == nil, proxy: request.proxy)
    self.transport = transport
    chain = RedirectChain(from: start, limit: request.redirects?.limit, followsPages: followsPages)
  }

  /// The URL that is asked now.
  var url: RequestURL { chain.url }

  /// The same for messages.
  var subject: String { URLRedaction.redacted(url.string) }

  /// The version of HTTP to ask for where the user asked for `wish`.
  func version(_ wish: HTTPVersion?) -> HTTPVersion? { transport.version(wish, for: url) }

  // MARK: One answer

  /// The next request begins.
  mutating func begin() {
    parser = HeadParser()
    (source, head, course, delay) = (nil, nil, AnswerCourse(), 0)
  }

  /// Reads a line of a head or of trailers, its end included. Whether more may come is ``AnswerCourse/goesOn``.
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

  /// This is the head of the answer, which did not come in lines.
  mutating func accept(_ head: ResponseHead) { self.head = head }

  /// Bytes of a body have come.
  /// - Returns: whether a head came before them, as it must.
  mutating func bodyFollowsHead() -> Bool {
    guard course.isAwaited else { return true }
    cut(.fail(.brokenAnswer(subject, "its body begins before the end of its header fields")))
    return false
  }

  // MARK: What follows

  /// Follows a redirect, or says why not; `nil` if the answer is not a redirect.
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

  /// The request is made once more from its own URL.
  mutating func restart() {
    chain.restart()
    decide(.again)
  }

  /// The body is of use: what becomes of it decides.
  mutating func usesBody() { course.usesBody() }

  /// What follows is decided: the rest of the answer is of no use.
  mutating func decide(_ next: Next) {
    // libcurl reads the body of a challenge that it meets to its end before it asks again. The answer to a HEAD has the
    // length of a body that does not come.
    let patience = head?.isChallenge ?? false ? terms.challengePatience : nil
    course.decide(
      next, now: TransferLoop.now(), length: terms.isHead ? nil : head?.announcedLength,
      patience: patience ?? AnswerPatience.moment)
  }

  /// The same, and nothing more of this answer is awaited.
  mutating func cut(_ next: Next) { course.cut(next) }

  /// Bytes of a body came that is of no use.
  mutating func passOver(_ count: Int) -> BodyVerdict { course.passOver(count) ? .taken : .abort }

  /// What is to be done at `now` where what follows is known: no body is awaited for longer than saving the connection is
  /// worth. `nil` if nothing is decided.
  mutating func patience(now: Double) -> TickVerdict? {
    guard !course.isOpen else { return nil }
    return course.hasWaited(until: now) ? .abort : TickVerdict.none
  }

  // MARK: The end

  /// Whether the request ended because the loop is being stopped, whatever was decided.
  func isStopped(by error: CurlError?) -> Bool { error?.code == .abortedByCallback && course.goesOn }

  /// Makes the next request. While it waits for its time, nothing is decided on.
  mutating func askAgain() -> NextStep {
    guard delay > 0 else { return .again }
    defer { (course, delay) = (AnswerCourse(), 0) }
    return .againAfter(delay)
  }

  /// What an error of libcurl means here.
  func failure(of error: CurlError, _ info: TransferInfo) -> Failure {
    if [.http2, .http2Stream].contains(error.code) { return overHTTP1(error.failure(subject, info: info)) }
    let refusal =
      info.isConnected
      ? nil
      : StatusRule.tunnelRefusal(
        info.proxyStatus, proxy: proxy, subject: subject, wait: info.proxyWait, now: Int64(WallClock.now()))
    return refusal ?? source?.failure(error, subject, info: info) ?? error.failure(subject, info: info)
  }

  /// A failure of HTTP/2: some servers and middleboxes break every stream.
  private func overHTTP1(_ failure: Failure) -> Failure {
    guard terms.isFreeOfVersion else { return failure }
    transport.doubtHTTP2(of: url)
    var failure = failure
    failure.reason += "; the next try is over HTTP/1.1"
    if failure.recovery == .keep { failure.recovery = .retry }
    return failure
  }

  /// The name of the proxy in use.
  private var proxy: String? {
    ProxyName.shown(terms.proxy, scheme: url.scheme, environment: ProcessInfo.processInfo.environment)
  }

  /// Whether libcurl has met a challenge, so that credentials were tried.
  var hasMetChallenge: Bool { parser.hasBeenMet }

  private var endlessReplies: Failure {
    Failure(
      .protocolViolation, subject, "the server's replies do not end", advice: "try another mirror",
      recovery: .keep)
  }
}
