// Decides how many bytes of a connection may be taken now. Limits that the connection shares with other connections
// decide.

internal import Curl

/// The shares of a connection in its limits. Confined to the connection's thread.
final class Pace {
  /// The seconds between two moments at which held bytes are released.
  private static let grid = 0.01

  private let shares: [RateLimiter.Share]
  /// The number of bytes at the start of the next delivery that were already taken: after a pause, libcurl delivers all
  /// bytes of the delivery again.
  private var ahead = 0
  /// The time until which bytes are held back.
  private(set) var heldUntil = 0.0

  /// - Parameter limiters: The limits, the most specific one first. Connections with the same first limit belong to one
  ///   job, and share its part of the other limits.
  init(_ limiters: [RateLimiter]) {
    shares = limiters.enumerated().map { $1.join($0 == 0 ? nil : limiters[0]) }
  }

  /// Starts again for a new answer before any of its bytes have arrived.
  func reset() { (ahead, heldUntil) = (0, 0) }

  /// Returns how many of `count` bytes may be taken now; if not all of them, also the time at which to ask for the
  /// rest.
  func take(_ count: Int, now: () -> Double) -> (count: Int, until: Double?) {
    guard !shares.isEmpty else { return (count, nil) }
    let now = now()
    var (allowed, wait) = (count, 0.0)
    for (index, share) in shares.enumerated() {
      let part = share.take(allowed, now: now)
      wait = max(wait, part.wait)
      // Give back what the earlier limits have granted but this limit does not allow.
      if part.count < allowed { for before in shares[..<index] { before.giveBack(allowed - part.count) } }
      allowed = part.count
    }
    // Wake up all waiting connections at the same moments, at most a hundred per second, no matter how many there are.
    heldUntil = allowed < count ? ((now + wait) / Pace.grid).rounded(.up) * Pace.grid : 0
    return (allowed, allowed < count ? heldUntil : nil)
  }

  /// Passes on as many of the delivered bytes as may be taken now. If some remain, libcurl later delivers all bytes
  /// again; the bytes that were passed on are then skipped.
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

  /// Whether bytes are held back under a limit that has since changed.
  func mustAskAgain(now: Double) -> Bool {
    heldUntil > now && shares.contains { !$0.isCurrent }
  }
}
