/// A hold on an origin (`Retry-After`, RFC 9110 §10.2.3): until it ends, the origin's jobs send no requests.
public struct OriginHold: Sendable, Equatable, Codable {
  /// The origin whose jobs wait: `https://host`, with a port if it is not the scheme's default.
  public var origin: String
  /// The end of the hold, in seconds since 1970.
  public var until: Double
  /// The start of the hold, in seconds since 1970. If this is later than now, the clock was set back, and the hold does
  /// not count.
  public var since: Double
  /// The job whose request was refused; `nil` if unknown.
  public var job: JobID?
  /// The URL that was refused, without secrets, or the proxy that refused it; `nil` if unknown.
  public var askedBy: String?
  /// The status of the answer; `nil` if there was none.
  public var status: Int?

  /// Creates a hold.
  public init(
    _ origin: Origin, until: Double, since: Double, job: JobID? = nil, askedBy: String? = nil, status: Int? = nil
  ) {
    (self.origin, self.until, self.since) = (origin.description, until, since)
    (self.job, self.askedBy, self.status) = (job, askedBy, status)
  }

  /// Whether the origin's jobs must wait at `now`, which is in seconds since 1970.
  package func isInForce(at now: Double) -> Bool { since <= now && now < until }

  /// The host and port of the origin, as people type them.
  public var host: String { OriginHold.host(of: origin) }

  /// The host and port of the server or proxy that asked for the wait.
  public var asker: String { askedBy.map(OriginHold.host(of:)) ?? host }

  /// The cause of the hold in words, such as `127.0.0.1:8080 answered 429 Too Many Requests to job 1`.
  public var reason: String {
    // With such a status, the answer was no refusal, but said that no requests are left.
    if let status, status < 400 {
      return "the rate limit of \(asker) is used up\(job.map { " after job \($0)" } ?? "")"
    }
    let answer = status.map { "\(asker) answered \(StatusRule.name(of: $0))" } ?? "\(asker) asked to wait"
    return answer + (job.map { status == nil ? " after job \($0)" : " to job \($0)" } ?? "")
  }

  /// Returns the failure of a job that sends no request because the hold lasts longer than the job may wait.
  /// - Parameters:
  ///   - url: The URL of the job.
  ///   - now: The time in seconds since 1970.
  package func refusal(of url: RequestURL, now: Double) -> Failure {
    let left = Int64(max(1, (until - now).rounded(.up)))
    let span = status ?? 500 < 400 ? " for \(left) s" : ", and asked to wait \(left) s"
    return Failure(
      .status, url.description, reason + span, advice: "\(.run) continues after that",
      httpStatus: status, recovery: .retry, retryAfter: left)
  }

  /// Whether `text` names the origin of this hold: as an origin, a URL below it, a host, or a host with a port.
  package func isMeant(by text: String) -> Bool {
    let text = text.lowercased()
    if text == host || text == origin || host.hasPrefix(text + ":") { return true }
    guard text.contains("://"), let url = try? RequestURL.parse(text).url else { return false }
    return url.origin.description == origin
  }

  /// The host and port of a URL; the text itself if it is not a URL.
  private static func host(of url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return url }
    return String(url[start...].prefix { !"/?#".contains($0) })
  }
}

extension Job {
  /// Stops this queued job, because a hold lasts longer than the job may wait.
  /// - Parameter now: The time in seconds since 1970.
  public mutating func endWait(for hold: OriginHold, now: Double) {
    (state, notBefore) = (.interrupted, hold.until)
    failure = hold.refusal(of: specification.request.url, now: now).naming(id)
  }
}
