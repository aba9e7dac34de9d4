// What hosts have said of how they are to be reached, as all transfers of an engine share it.

internal import Curl
public import DrayCore
internal import Synchronization
internal import Threads

/// Knows which hosts are visited over https only (RFC 6797) and which origins offer HTTP/3 (RFC 7838), and learns of more.
public final class TransportMemory: Sendable {
  /// Something that was learnt.
  public enum News: Sendable, Equatable {
    case https(HSTSEntry)
    case http3(AltSvcEntry)
  }

  private struct State {
    var https: HSTSList
    var http3: AltSvcList
    var http2 = HTTP2Doubts()
  }

  private let state: Mutex<State>
  private let isHTTP3Possible: Bool
  private let remember: @Sendable (News) -> Void

  /// Creates one.
  /// - Parameters:
  ///   - https: the hosts that are known to want https.
  ///   - http3: the origins that are known to offer HTTP/3.
  ///   - isHTTP3Possible: whether HTTP/3 can be used; `nil` if the libcurl in use decides.
  ///   - remember: receives new entries; called on the loop's thread, so it must return at once.
  public init(
    https: [HSTSEntry] = [], http3: [AltSvcEntry] = [], isHTTP3Possible: Bool? = nil,
    remember: @escaping @Sendable (News) -> Void = { _ in }
  ) {
    state = Mutex(State(https: HSTSList(https), http3: AltSvcList(http3)))
    self.isHTTP3Possible = isHTTP3Possible ?? LibCurl.has(.http3)
    self.remember = remember
  }

  /// The URL to ask in place of this one.
  func upgraded(_ url: RequestURL) -> RequestURL {
    guard url.scheme == "http" else { return url }
    return state.withLock { $0.https.upgraded(url, now: WallClock.now()) }
  }

  /// The version of HTTP to ask for.
  /// - Parameter wish: what the user asked for.
  func version(_ wish: HTTPVersion?, for url: RequestURL) -> HTTPVersion? {
    let isOffered =
      isHTTP3Possible && url.scheme == "https"
      && state.withLock { $0.http3.holds(for: url.origin.description, now: WallClock.now()) }
    let choice = HTTPVersion.choose(wish, for: url, isOffered: isOffered, isPossible: isHTTP3Possible)
    guard wish == nil, choice == nil else { return choice }
    let isDoubtful = state.withLock { $0.http2.holds(for: url.origin.description, now: WallClock.now()) }
    return isDoubtful ? .http11 : nil
  }

  /// Records that HTTP/2 failed there: the next try uses HTTP/1.1.
  func doubtHTTP2(of url: RequestURL) {
    state.withLock { $0.http2.note(url.origin.description, now: WallClock.now()) }
  }

  /// Adds what an answer says. Without a checked certificate it is ignored (RFC 6797 §8.1, RFC 7838 §2.1).
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
