// A redirect that was followed.

/// A redirect that was followed: where it was and what it said.
public struct RedirectHop: Sendable, Equatable, Codable {
  /// The URL that sent the request on.
  public var url: RequestURL
  /// Its answer, cut to what is kept of one.
  public var head: ResponseHead

  /// Makes a hop; of its head no more is kept than fits (P13).
  public init(url: RequestURL, head: ResponseHead) {
    self.url = url
    self.head = head.cut(fields: 64, bytes: 8 << 10)
  }
}
