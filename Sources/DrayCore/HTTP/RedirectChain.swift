// The way of a request over redirects: from its own URL to the one that is asked now, counted against its limit.

/// The redirects of one request. Pure: whoever asks says where it went.
public struct RedirectChain: Sendable, Equatable {
  /// What an answer that sends the request elsewhere comes to.
  public enum Step: Sendable, Equatable {
    /// Ask there, after so many seconds.
    case follow(RequestURL, delay: Double)
    /// Stop, for this reason (printable).
    case refuse(String)
  }

  /// The URL that is asked now.
  public private(set) var url: RequestURL
  /// The redirects that led there, the first request's first.
  public private(set) var hops: [RedirectHop] = []
  private let start: RequestURL
  private let limit: Int
  private let followsPages: Bool

  /// A chain without redirects.
  /// - Parameters:
  ///   - start: the request's own URL.
  ///   - limit: how many redirects may be followed; `nil` is ``RedirectPolicy/defaultLimit``.
  ///   - followsPages: whether pages that send their readers on (``RefreshField``) count as redirects.
  public init(from start: RequestURL, limit: Int? = nil, followsPages: Bool) {
    (self.start, url) = (start, start)
    self.limit = limit ?? RedirectPolicy.defaultLimit
    self.followsPages = followsPages
  }

  /// What follows from an answer; `nil` if it does not send the request elsewhere.
  public func step(after head: ResponseHead) -> Step? {
    if RedirectPolicy.isRedirect(head.status) {
      let location = head.all("location")
      return step(
        RedirectPolicy.decide(from: url, status: head.status, location: location, hop: hops.count, limit: limit))
    }
    guard followsPages, let refresh = RefreshField.target(of: head, from: url) else { return nil }
    return step(
      RedirectPolicy.decide(from: url, refresh: refresh.location, hop: hops.count, limit: limit), delay: refresh.delay)
  }

  private func step(_ decision: RedirectPolicy.Decision, delay: Double = 0) -> Step {
    switch decision {
    case .follow(let target): .follow(target, delay: delay)
    case .refuse(let reason): .refuse(reason)
    }
  }

  /// The request goes to `target` next, as the answer with `head` said.
  public mutating func go(to target: RequestURL, after head: ResponseHead) {
    hops.append(RedirectHop(url: url, head: head))
    url = target
  }

  /// The request is made once more from its own URL: redirects are followed again.
  public mutating func restart() { (url, hops) = (start, []) }
}
