// The version of dray.

/// The version of dray, in one place.
public enum DrayVersion {
  /// As `dray --version` prints it (semver.org).
  public static let text = "0.1.0"
  /// The day of its release, as manual pages have it; it changes with ``text``.
  public static let date = "November 21, 2026"
}
