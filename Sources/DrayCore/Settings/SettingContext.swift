/// The time at which values are read, for relative times.
public struct SettingContext: Sendable {
  /// Seconds since 1970.
  public var now: Double
  /// The time zone.
  public var zone: LocalZone

  /// Creates a context.
  public init(now: Double, zone: LocalZone) { (self.now, self.zone) = (now, zone) }

  /// The context for values that depend neither on the time nor on the zone.
  public static let fixed = SettingContext(now: 0, zone: .utc)
}
