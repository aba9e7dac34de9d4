// How many bytes of one connection may be taken now, by the limits that it shares with others.

internal import Curl

/// One connection's parts in the limits that hold for it. Confined to its thread.
final class Pace {
  /// Seconds between the moments at which bytes that are held back may be let go.
  private static let grid = 0.01

  private let shares: [RateLimiter.Share]
  /// Bytes at the head of what comes next that were taken before: libcurl gives all of it again after a pause.
  private var ahead = 0
  /// The time until which bytes are held back.
  private(set) var heldUntil = 0.0

  /// - Parameter limiters: the most special first. Connections that have that one in common share what one gets of the
  ///   others: they are of one job.
  init(_ limiters: [RateLimiter]) {
    shares = limiters.enumerated().map { $1.join($0 == 0 ? nil : limiters[0]) }
  }

  /// Begins again: no byte of an answer has come.
  func reset() { (ahead, heldUntil) = (0, 0) }

  /// How many of `count` bytes may be taken now, and when to ask for the rest, if not all may.
  func take(_ count: Int, now: () -> Double) -> (count: Int, until: Double?) {
    guard !shares.isEmpty else { return (count, nil) }
    let now = now()
    var (allowed, wait) = (count, 0.0)
    for (index, share) in shares.enumerated() {
      let part = share.take(allowed, now: now)
      wait = max(wait, part.wait)
      // What this one does not allow has been taken from those before in vain.
      if part.count < allowed { for before in shares[..<index] { before.giveBack(allowed - part.count) } }
      allowed = part.count
    }
    // All who wait are woken at the same moments, a hundred a second at most, however many they are.
    heldUntil = allowed < count ? ((now + wait) / Pace.grid).rounded(.up) * Pace.grid : 0
    return (allowed, allowed < count ? heldUntil : nil)
  }

  /// Hands on as many of the bytes that came as may be taken now. The rest are held back: they come again, with those before
  /// them, which are skipped then.
  func admit(
    _ bytes: UnsafeRawBufferPointer, now: () -> Double, _ use: (UnsafeRawBufferPointer) -> BodyVerdict
  ) -> BodyVerdict {
    guard ahead < bytes.count || ahead == 0 else {
      ahead -= bytes.count
      return .taken
    }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[ahead...])
    let (count, until) = take(rest.count, now: now)
    if count > 0 || rest.isEmpty {
      switch use(UnsafeRawBufferPointer(rebasing: rest[..<count])) {
      case .taken: break
      case .abort: return .abort
      case .pause(let time):
        for share in shares { share.giveBack(count) }
        return .pause(until: time)
      }
    }
    guard let until else {
      ahead = 0
      return .taken
    }
    ahead += count
    return .pause(until: until)
  }

  /// Whether bytes are held back under a limit that is not in force any more.
  func mustAskAgain(now: Double) -> Bool {
    heldUntil > now && shares.contains { !$0.isCurrent }
  }
}
