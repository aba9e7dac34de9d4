// Which redirects are followed, and with which method.

/// The options for redirects.
public struct RedirectOptions: Sendable, Equatable, Codable {
  /// How many are followed; `nil` is ``RedirectPolicy/defaultLimit``, 0 means none.
  public var limit: Int?
  /// The statuses of 301, 302 and 303 after which a POST stays a POST.
  public var keepsMethodAfter: Set<Int>?

  /// As browsers do.
  public init() {}
}
