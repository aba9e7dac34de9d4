// The time of day, for records and dates.

internal import Posix
internal import Synchronization

/// The time of day: this machine's, or that of a clock which machines that work together follow.
///
/// They compare times that others recorded, so all of them read one clock, however theirs are set.
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

  /// Follows a clock for the rest of the process, or goes on with what is known of it if that fits.
  /// - Parameters:
  ///   - time: what it showed between the sending of a question and now.
  ///   - sent: when it was asked, by ``bootClock()``.
  public static func follow(_ time: Double, askedAt sent: Double) {
    let received = bootClock()
    let lead = lead(now() - received, reading: time, sent: sent, received: received)
    followed.store(lead.bitPattern, ordering: .relaxed)
  }

  /// Returns the lead of another clock after a reading. The reading was made at some moment between its question and its
  /// answer, so a lead that explains it stays: a slow answer says nothing. Otherwise the nearest lead that does counts.
  static func lead(_ known: Double, reading time: Double, sent: Double, received: Double) -> Double {
    min(max(known, time - received), time - sent)
  }
}
