// Decides where a claim begins its walk along the queue.
//
// Jobs that left the queue stay in its index until the server cleans it, which a long transaction elsewhere delays for
// hours. A walk from the beginning passes all of them. So a claim first looks for the head of the queue, before it takes
// a lock for which others wait. Once a look from the beginning turns out slow, looks begin at the last head, and only a
// small part of the time is spent on whole looks, which find what was queued before that head.

/// A place in the queue.
struct QueuePoint: Sendable, Equatable {
  var priority: Int
  var place: Double
  var id: Int64
}

/// The rule for the beginning of looks.
struct ClaimPace: Sendable, Equatable {
  /// Seconds from which on a whole look is slow.
  static let slow = 0.001
  /// The minimum number of claims of the fleet for a slow look to count: with fewer, the index cannot be the reason.
  static let few: Int64 = 10_000
  /// The least time between two slow looks, as a multiple of their duration.
  static let share = 50.0
  /// The same after a look that found nothing from the last head on.
  static let shareWhenEmpty = 4.0

  /// The first due job that the last look found.
  private var head: QueuePoint?
  /// The duration and the end of the last whole look.
  private var whole = Whole()
  /// The number of claims of the fleet, as far as it is known.
  private var claims: Int64 = 0

  private struct Whole: Equatable {
    var (duration, end) = (0.0, 0.0)
  }

  /// Returns where the next look begins; `nil` for the beginning.
  func start(now: Double) -> QueuePoint? {
    guard let head, whole.duration > ClaimPace.slow, now - whole.end < ClaimPace.share * whole.duration else {
      return nil
    }
    return head
  }

  /// Returns whether a whole look follows one that found nothing from the last head on.
  func looksAgain(now: Double) -> Bool { now - whole.end >= ClaimPace.shareWhenEmpty * whole.duration }

  /// Makes the next look start at the beginning, because a job before the last head is due.
  mutating func jobIsBeforeHead() { head = nil }

  /// Records a look.
  /// - Parameters:
  ///   - start: where it began.
  ///   - head: the first due job; `nil` if there is none.
  ///   - claims: the number of claims of the fleet so far; `nil` if it is not known.
  ///   - seconds: its duration, the way to the server and back aside.
  ///   - ended: when it ended, by a monotonic clock.
  mutating func record(
    from start: QueuePoint?, to head: QueuePoint?, claims: Int64?, seconds: Double, ended: Double
  ) {
    self.claims = max(self.claims, claims ?? 0)
    if start == nil {
      whole = Whole(duration: self.claims < ClaimPace.few ? 0 : seconds, end: ended)
      self.head = head
    } else if let head {
      self.head = head
    }
  }
}
