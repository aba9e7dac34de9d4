/// The last answer about the file.
public struct ResponseRecord: Sendable, Equatable, Codable {
  /// The URL that answered, after redirects.
  public var finalURL: RequestURL
  /// The URLs that redirected, in order.
  public var redirects: [String]
  /// The head of the answer.
  public var head: ResponseHead
  /// The time of the answer, in seconds since 1970.
  public var time: Double
  /// The redirects with their answers; `nil` in older records.
  public var hops: [FollowedRedirect]?
  /// The connection of the answer; `nil` in older records.
  public var connection: ConnectionRecord?

  /// Creates a record.
  package init(
    finalURL: RequestURL, redirects: [String], head: ResponseHead, time: Double, hops: [FollowedRedirect]? = nil,
    connection: ConnectionRecord? = nil
  ) {
    self.finalURL = finalURL
    self.redirects = redirects
    self.head = head
    self.time = time
    self.hops = hops
    self.connection = connection
  }

  /// Creates the record of an answer at the end of a redirect chain.
  package init(_ head: ResponseHead, after chain: RedirectChain, time: Double, connection: ConnectionRecord?) {
    self.init(
      finalURL: chain.url, redirects: chain.hops.map(\.url.string), head: head, time: time,
      hops: chain.hops.isEmpty ? nil : chain.hops, connection: connection)
  }
}
