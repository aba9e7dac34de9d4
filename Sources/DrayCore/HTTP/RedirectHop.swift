// A redirect that was followed.

/// A redirect that was followed, with its URL and answer.
public struct RedirectHop: Sendable, Equatable, Codable {
  /// The URL that redirected.
  public var url: RequestURL
  /// Its answer, shortened.
  public var head: ResponseHead

  /// Makes a hop; its head is shortened to the limit (P13).
  public init(url: RequestURL, head: ResponseHead) {
    self.url = url
    self.head = head.cut(fields: 64, bytes: 8 << 10)
  }
}
