/// The time and the zone in which values such as "tomorrow" are read.
public struct SettingContext: Sendable {
  /// Seconds since 1970.
  public var now: Double
  /// The time zone.
  public var zone: LocalZone

  /// Creates a context.
  public init(now: Double, zone: LocalZone) { (self.now, self.zone) = (now, zone) }

  /// The context for values that depend on neither.
  public static let fixed = SettingContext(now: 0, zone: .utc)
}
