internal import Curl
package import DrayCore
internal import Synchronization
internal import Threads

/// Remembers how hosts can be reached: which require https (RFC 6797), and which offer HTTP/3 (RFC 7838). Answers teach
/// this to the engine.
package final class TransportMemory: Sendable {
  package enum News: Sendable, Equatable {
    case https(HSTSEntry)
    case http3(AltSvcEntry)
  }

  private struct State {
    var https: HSTSList
    var http3: AltSvcList
    var http2 = HTTP2Doubts()
  }

  /// Chooses the times at which requests start.
  let pacer: RequestPacer
  private let state: Mutex<State>
  private let isHTTP3Possible: Bool
  private let remember: @Sendable (News) -> Void

  /// - Parameters:
  ///   - https: The hosts known to require https.
  ///   - http3: The origins known to offer HTTP/3.
  ///   - isHTTP3Possible: Whether HTTP/3 can be used; with `nil`, libcurl is asked.
  ///   - pacer: Chooses the times at which requests start.
  ///   - remember: Receives new entries. Called on the loop's thread; must return at once.
  package init(
    https: [HSTSEntry] = [], http3: [AltSvcEntry] = [], isHTTP3Possible: Bool? = nil,
    pacer: RequestPacer = RequestPacer(),
    remember: @escaping @Sendable (News) -> Void = { _ in }
  ) {
    state = Mutex(State(https: HSTSList(https), http3: AltSvcList(http3)))
    self.isHTTP3Possible = isHTTP3Possible ?? LibCurl.has(.http3)
    self.pacer = pacer
    self.remember = remember
  }

  /// Returns the URL to request; its scheme is https if the host requires https.
  func upgraded(_ url: RequestURL) -> RequestURL {
    guard url.scheme == "http" else { return url }
    return state.withLock { $0.https.upgraded(url, now: WallClock.now()) }
  }

  /// Returns the HTTP version to request; `nil` for libcurl's default.
  /// - Parameter wish: The version that the user requested.
  func version(_ wish: HTTPVersion?, for url: RequestURL) -> HTTPVersion? {
    let isOffered =
      isHTTP3Possible && url.scheme == "https"
      && state.withLock { $0.http3.holds(for: url.origin.description, now: WallClock.now()) }
    let choice = HTTPVersion.choose(wish, for: url, isOffered: isOffered, isPossible: isHTTP3Possible)
    guard wish == nil, choice == nil else { return choice }
    let isDoubtful = state.withLock { state in
      !state.http2.isEmpty && state.http2.holds(for: url.origin.description, now: WallClock.now())
    }
    return isDoubtful ? .http11 : nil
  }

  /// Records that HTTP/2 failed at the origin, so that the next try uses HTTP/1.1.
  func doubtHTTP2(of url: RequestURL) {
    state.withLock { $0.http2.note(url.origin.description, now: WallClock.now()) }
  }

  /// Learns from an answer, unless its certificate was not checked (RFC 6797 §8.1, RFC 7838 §2.1).
  func learn(from head: ResponseHead, of url: RequestURL, isInsecure: Bool) {
    guard !isInsecure, url.scheme == "https" else { return }
    let now = WallClock.now()
    if let policy = HSTSPolicy.offered(by: head, from: url),
      let entry = state.withLock({ $0.https.learn(policy, host: url.host, now: now) })
    {
      remember(.https(entry))
    }
    if isHTTP3Possible, let offer = AltSvc.offered(by: head, from: url),
      let entry = state.withLock({ $0.http3.learn(offer, of: url.origin.description, now: now) })
    {
      remember(.http3(entry))
    }
  }
}
