/// The options for redirects.
public struct RedirectOptions: Sendable, Equatable, Codable {
  /// The maximum number of redirects; `nil` is `RedirectPolicy.defaultLimit`, 0 allows none.
  public var limit: Int?
  /// The allowed schemes, also for the request's own URL; `nil` allows all.
  public var schemes: [String]?
  /// The statuses among 301, 302 and 303 after which a POST stays a POST.
  public var keepsMethodAfter: Set<Int>?

  /// Creates the defaults, which are those of browsers.
  public init() {}
}
