// Decides how long a stopped run waits for an object store's answer.

/// The time that one request may still take after a stop. With these limits, a run ends within three seconds after a
/// stop, including the steps that follow, even if the server does not answer. If a write may have been carried out, the
/// next run looks at the key to find out.
package struct StopPatience: Sendable, Equatable {
  /// The seconds without progress after which the request is given up.
  package var silence: Double
  /// The maximum number of seconds after the stop.
  package var most: Double

  /// Returns the patience with a request.
  /// - Parameters:
  ///   - wasSent: Whether the request had been sent when the run was stopped.
  ///   - isLate: Whether the request began after the stop.
  package static func of(method: String, wasSent: Bool, isLate: Bool) -> StopPatience {
    let writes = StopPatience.writes(method)
    if !wasSent, writes { return StopPatience(silence: 0, most: 0) }
    if isLate { return StopPatience(silence: 0.5, most: 0.5) }
    return StopPatience(silence: writes ? 2 : 1, most: 2)
  }

  /// Whether a request changes the bucket; such a request is not begun after a stop.
  package static func writes(_ method: String) -> Bool { method == "PUT" || method == "POST" }
}
