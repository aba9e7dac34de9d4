/// The version of dray.
public enum DrayVersion {
  /// The version as printed by `dray --version` (semver.org).
  public static let text = "0.1.0"
  /// The release date for manual pages. Change it with ``text``.
  public static let date = "November 21, 2026"
}
