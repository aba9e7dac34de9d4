// Decides how long a stopped run waits for the answer to a request to an object store.

/// How long one request may still take after a stop. Together with the steps that follow, a run ends within three
/// seconds, even if a server does not answer. A write that may have been carried out is left to the next run, which
/// looks at the key.
public struct StopPatience: Sendable, Equatable {
  /// The seconds without progress after which the request is given up.
  public var silence: Double
  /// The maximum seconds after the stop.
  public var most: Double

  /// Returns the patience with a request.
  /// - Parameters:
  ///   - wasSent: Whether the request had been sent when the run was stopped.
  ///   - isLate: Whether the request began after the stop.
  public static func of(method: String, wasSent: Bool, isLate: Bool) -> StopPatience {
    let writes = StopPatience.writes(method)
    if !wasSent, writes { return StopPatience(silence: 0, most: 0) }
    if isLate { return StopPatience(silence: 0.5, most: 0.5) }
    return StopPatience(silence: writes ? 2 : 1, most: 2)
  }

  /// Whether a request puts something into the bucket. None begins after a stop.
  public static func writes(_ method: String) -> Bool { method == "PUT" || method == "POST" }
}
