/// The redirects of one request, from its own URL to the present one, counted against the limit. The caller reports
/// each URL to which the request goes.
public struct RedirectChain: Sendable, Equatable {
  /// What to do after an answer that redirects.
  public enum Step: Sendable, Equatable {
    /// Request this URL after a delay in seconds.
    case follow(RequestURL, delay: Double)
    /// Stop, for this reason (printable).
    case refuse(String)
  }

  /// The present URL.
  public private(set) var url: RequestURL
  /// The redirects that led to ``url``, in order.
  public private(set) var hops: [FollowedRedirect] = []
  private let start: RequestURL
  private let limit: Int
  private let schemes: [String]?
  private let followsPages: Bool

  /// Creates a chain without redirects.
  /// - Parameters:
  ///   - start: The request's own URL.
  ///   - limit: The maximum number of redirects; `nil` is `RedirectPolicy.defaultLimit`.
  ///   - schemes: The allowed schemes; `nil` for the schemes of `RedirectPolicy`.
  ///   - followsPages: Whether pages with a `RefreshField` count as redirects.
  public init(from start: RequestURL, limit: Int? = nil, schemes: [String]? = nil, followsPages: Bool) {
    (self.start, url) = (start, start)
    self.schemes = schemes
    self.limit = limit ?? RedirectPolicy.defaultLimit
    self.followsPages = followsPages
  }

  /// Returns the next step after an answer; `nil` if the answer is no redirect.
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
    case .follow(let target) where schemes?.contains(target.scheme) == false:
      .refuse("it redirects to \(target.scheme), which is not allowed")
    case .follow(let target): .follow(target, delay: delay)
    case .refuse(let reason): .refuse(isLoop ? "redirect loop at \(url.description)" : reason)
    }
  }

  /// Whether the limit was reached because the redirects go round: the present URL has redirected before.
  public var isLoop: Bool { hops.count >= max(1, limit) && hops.contains { $0.url == url } }

  /// Records that the request goes to `target` next, because of the answer with `head`.
  public mutating func go(to target: RequestURL, after head: ResponseHead) {
    hops.append(FollowedRedirect(url: url, head: head))
    url = target
  }

  /// Starts again from the request's own URL.
  public mutating func restart() { (url, hops) = (start, []) }
}
