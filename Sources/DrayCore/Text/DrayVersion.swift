/// The version of dray.
package enum DrayVersion {
  /// The version as printed by `dray --version` (semver.org).
  package static let text = "0.1.0"
  /// The release date for manual pages. Change it with ``text``.
  package static let date = "November 21, 2026"
}
