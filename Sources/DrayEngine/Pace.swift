// When the bytes of one transfer may be taken, by the limits that it shares with others.

/// The reservations of one transfer with its limiters. Confined to the loop's thread.
struct Pace {
  private struct Reservation {
    var time = 0.0
    /// Which limit it was made under.
    var generation = -1
  }

  private let limiters: [RateLimiter]
  private var reservations: [Reservation]
  /// Bytes that were asked for already.
  private var granted = 0
  /// The time until which bytes are held back.
  private(set) var heldUntil = 0.0

  init(_ limiters: [RateLimiter]) {
    self.limiters = limiters
    reservations = Array(repeating: Reservation(), count: limiters.count)
  }

  /// When `count` bytes may be taken, if that is later than now. Bytes once granted are not asked for again, unless a
  /// limit has changed meanwhile: then they stand in its new line.
  mutating func hold(_ count: Int, now: () -> Double) -> Double? {
    guard !limiters.isEmpty else { return nil }
    if granted < count || isOutdated {
      let now = now()
      for index in limiters.indices {
        let generation = limiters[index].generation
        let wanted = generation == reservations[index].generation ? count - granted : count
        guard wanted > 0 else { continue }
        reservations[index] = Reservation(time: limiters[index].reserve(wanted, now: now), generation: generation)
      }
      granted = max(granted, count)
      let time = reservations.reduce(now) { max($0, $1.time) }
      if time > now {
        heldUntil = time
        return time
      }
    }
    granted -= count
    heldUntil = 0
    return nil
  }

  /// Whether bytes are held back under a limit that is not in force any more.
  func mustAskAgain(now: Double) -> Bool { heldUntil > now && isOutdated }

  private var isOutdated: Bool {
    limiters.indices.contains { limiters[$0].generation != reservations[$0].generation }
  }
}
