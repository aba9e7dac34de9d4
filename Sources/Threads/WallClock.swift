// The time of day, for records and dates.

internal import Posix
internal import Synchronization

/// The time of day: this machine's, or that of a clock which machines that work together follow.
///
/// These machines compare times that the others recorded, so all of them read one clock, whatever their own clocks
/// show.
public enum WallClock {
  /// The followed clock's lead over the boot clock, as a bit pattern; not a number while none is followed.
  private static let followed = Atomic<UInt64>(Double.nan.bitPattern)

  /// Returns seconds since 1970.
  public static func now() -> Double {
    let lead = Double(bitPattern: followed.load(ordering: .relaxed))
    return lead.isNaN ? machine() : bootClock() + lead
  }

  /// Returns seconds since 1970 by this machine's own clock, which gives files their times.
  public static func machine() -> Double { System.time }

  /// Returns seconds since an arbitrary moment, by a clock that no program sets. It continues while the machine sleeps.
  public static func bootClock() -> Double { System.bootTime }

  /// Follows a clock for the rest of the process. Keeps the known lead if the reading agrees with it.
  /// - Parameters:
  ///   - time: The clock's time at some moment between `sent` and now.
  ///   - sent: The time of the question, by ``bootClock()``.
  public static func follow(_ time: Double, askedAt sent: Double) {
    let received = bootClock()
    let lead = lead(now() - received, reading: time, sent: sent, received: received)
    followed.store(lead.bitPattern, ordering: .relaxed)
  }

  /// Returns the lead of another clock after a reading, made at some moment between question and answer. The known lead
  /// stays if it explains the reading: a slow answer proves little. Otherwise the result is the nearest lead that
  /// explains the reading.
  static func lead(_ known: Double, reading time: Double, sent: Double, received: Double) -> Double {
    min(max(known, time - received), time - sent)
  }
}
