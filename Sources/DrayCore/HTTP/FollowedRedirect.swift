/// A redirect that was followed, with its URL and answer.
public struct FollowedRedirect: Sendable, Equatable, Codable {
  /// The URL that redirected.
  public var url: RequestURL
  /// The answer's head, shortened.
  public var head: ResponseHead

  /// Creates the record, with the head shortened to the limit (P13).
  public init(url: RequestURL, head: ResponseHead) {
    self.url = url
    self.head = head.cut(fields: 64, bytes: 8 << 10)
  }
}
