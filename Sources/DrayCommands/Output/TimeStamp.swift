// Times for people.

internal import Glibc

enum TimeStamp {
  /// Returns local time to the second, with the offset: `2026-11-21 04:35:12 +0000`.
  static func text(_ seconds: Double) -> String { format(seconds, "%Y-%m-%d %H:%M:%S %z") }

  /// Returns local time to the minute: `23:00` within a day, otherwise with the date.
  static func moment(_ seconds: Double, now: Double) -> String {
    format(seconds, abs(seconds - now) < 86_400 ? "%H:%M" : "%Y-%m-%d %H:%M")
  }

  private static func format(_ seconds: Double, _ format: String) -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "\(seconds)" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
