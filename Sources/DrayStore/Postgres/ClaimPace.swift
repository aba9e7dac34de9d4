// Decides where a claim begins its walk along the queue.
//
// Entries of jobs that have left the queue stay in its index until the server cleans the index, which a long
// transaction elsewhere delays for hours. A walk from the beginning passes all these entries. A claim therefore looks
// for the head of the queue before it takes the lock that other claims wait for. Once a look from the beginning is
// slow, looks begin at the last head. Only a small part of the time goes to whole looks, which find the jobs that were
// queued before that head.

/// A place in the queue.
struct QueuePoint: Sendable, Equatable {
  var priority: Int
  var place: Double
  var id: Int64
}

struct ClaimPace: Sendable, Equatable {
  /// A whole look is slow from this number of seconds on.
  static let slow = 0.001
  /// A slow look counts only after this many claims of the fleet. With fewer, the index cannot be the reason.
  static let few: Int64 = 10_000
  /// The minimum time between two slow looks, as a multiple of their duration.
  static let share = 50.0
  /// As ``share``, after a look that found nothing from the last head on.
  static let shareWhenEmpty = 4.0

  /// The first due job that the last look found.
  private var head: QueuePoint?
  /// The duration and the end of the last whole look.
  private var whole = Whole()
  /// The last known number of claims of the fleet.
  private var claims: Int64 = 0

  private struct Whole: Equatable {
    var (duration, end) = (0.0, 0.0)
  }

  /// Returns where the next look begins; `nil` for the beginning of the queue.
  func start(now: Double) -> QueuePoint? {
    guard let head, whole.duration > ClaimPace.slow, now - whole.end < ClaimPace.share * whole.duration else {
      return nil
    }
    return head
  }

  /// Returns whether to look at the whole queue after a look that found nothing from the last head on.
  func looksAgain(now: Double) -> Bool { now - whole.end >= ClaimPace.shareWhenEmpty * whole.duration }

  /// Makes the next look start at the beginning, because a job before the last head is due.
  mutating func jobIsBeforeHead() { head = nil }

  /// Records a look.
  /// - Parameters:
  ///   - start: The place where the look began.
  ///   - head: The first due job; `nil` if no job is due.
  ///   - claims: The number of claims of the fleet so far; `nil` if unknown.
  ///   - seconds: The duration of the look, without the round trip to the server.
  ///   - ended: The end of the look, by a monotonic clock.
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
