/// The time and the zone in which values such as "tomorrow" are read.
package struct SettingContext: Sendable {
  /// Seconds since 1970.
  package var now: Double
  /// The time zone.
  package var zone: LocalZone

  /// Creates a context.
  package init(now: Double, zone: LocalZone) { (self.now, self.zone) = (now, zone) }

  /// The context for values that depend on neither.
  package static let fixed = SettingContext(now: 0, zone: .utc)
}
