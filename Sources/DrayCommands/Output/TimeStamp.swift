// Formats times for people.

internal import Posix

enum TimeStamp {
  /// Returns the local time to the second, with its offset: `2026-11-21 04:35:12 +0000`.
  static func text(_ seconds: Double) -> String { format(seconds, "%Y-%m-%d %H:%M:%S %z") }

  /// Returns the local time to the minute: `23:00` if the time is less than a day away, otherwise with the date.
  static func moment(_ seconds: Double, now: Double) -> String {
    format(seconds, abs(seconds - now) < 86_400 ? "%H:%M" : "%Y-%m-%d %H:%M")
  }

  private static func format(_ seconds: Double, _ format: String) -> String {
    System.localTime(Int64(seconds), format)
  }
}
