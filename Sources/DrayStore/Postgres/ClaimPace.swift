// Decides where a claim begins its walk along the queue.
//
// Jobs that left the queue stay in its index until the server cleans it, which a long transaction may delay for hours.
// A walk from the beginning passes all of them. So once such a walk turns out slow, claims begin where the last one
// ended, and only a small part of the time is spent on whole walks, which find what was queued before that place.

/// A place in the queue.
struct QueuePoint: Sendable, Equatable {
  var priority: Int
  var place: Double
  var id: Int64
}

/// The rule for the beginning of walks.
struct ClaimPace: Sendable, Equatable {
  /// The minimum duration of a slow walk, in seconds.
  static let slow = 0.05
  /// The minimum number of claims of the fleet for a slow walk to count: with fewer, the index cannot be the reason.
  static let few: Int64 = 10_000
  /// The least time between two slow walks, as a multiple of their duration.
  static let share = 20.0

  private var last: QueuePoint?
  /// The duration and the end of the last whole walk.
  private var whole: (duration: Double, end: Double) = (0, 0)

  static func == (one: ClaimPace, other: ClaimPace) -> Bool {
    one.last == other.last && one.whole == other.whole
  }

  /// Returns where the next walk begins; `nil` for the beginning.
  func start(now: Double) -> QueuePoint? {
    guard let last, whole.duration > ClaimPace.slow, now - whole.end < ClaimPace.share * whole.duration else {
      return nil
    }
    return last
  }

  /// Records a walk.
  /// - Parameters:
  ///   - start: where it began.
  ///   - point: the last job that it took; `nil` if it took none.
  ///   - claims: the number of claims of the fleet so far; `nil` if it took no job.
  ///   - seconds: its duration.
  ///   - ended: when it ended, by a monotonic clock.
  mutating func record(
    from start: QueuePoint?, to point: QueuePoint?, claims: Int64?, seconds: Double, ended: Double
  ) {
    if start == nil {
      whole = (claims ?? 0 < ClaimPace.few ? 0 : seconds, ended)
      last = point
    } else if let point {
      last = point
    } else {
      // No job is left behind that place: walk from the beginning soon.
      whole.end = min(whole.end, ended - ClaimPace.share * whole.duration + max(1, 4 * whole.duration))
    }
  }
}
