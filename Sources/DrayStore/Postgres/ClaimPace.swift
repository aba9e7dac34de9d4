// Decides where a claim begins its walk along the queue.
//
// When jobs leave the queue, their entries stay in its index until the server cleans it, which a long transaction
// elsewhere can delay for hours. A walk from the beginning passes all of these entries. A claim therefore looks for the
// head of the queue first, before it takes the lock that other claims wait for. If a look from the beginning was slow,
// the next looks begin where the last look found the head. Looks from the beginning then get only a small part of the
// time; they are needed to find jobs that were queued before that head.

#if Postgres

/// A place in the queue.
struct QueuePoint: Sendable, Equatable {
  var priority: Int
  var place: Double
  var id: Int64
}

struct ClaimPace: Sendable, Equatable {
  /// A look from the beginning is slow if it takes at least this many seconds.
  static let slow = 0.001
  /// A slow look counts only if the fleet has made at least this many claims; with fewer claims, dead index entries
  /// cannot be the reason.
  static let few: Int64 = 10_000
  /// Between two slow looks, at least this many times the duration of a look passes.
  static let share = 50.0
  /// The same multiple, for the case that a look from the last head on found nothing.
  static let shareWhenEmpty = 4.0

  /// The first due job that the last look found.
  private var head: QueuePoint?
  /// The duration and the end of the last look from the beginning.
  private var whole = Whole()
  /// The last known number of the fleet's claims.
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

  /// Returns whether to look from the beginning after a look from the last head on has found nothing.
  func looksAgain(now: Double) -> Bool { now - whole.end >= ClaimPace.shareWhenEmpty * whole.duration }

  /// Makes the next look begin at the beginning, because a job before the last head is due.
  mutating func jobIsBeforeHead() { head = nil }

  /// Records a look.
  /// - Parameters:
  ///   - start: The place where the look began.
  ///   - head: The first due job; `nil` if no job is due.
  ///   - claims: The number of the fleet's claims so far; `nil` if unknown.
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

#endif
