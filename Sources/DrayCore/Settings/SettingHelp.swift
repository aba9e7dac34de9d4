/// The texts about an option in help, manual pages and completions.
package struct SettingHelp: Sendable, Equatable {
  /// The kind of values that a shell offers.
  package enum Offer: Sendable, Equatable {
    /// The setting's own words, if it has any.
    case nothing
    /// File names.
    case files
    /// Directory names.
    case directories
    /// Jobs.
    case jobs
    /// Named queues.
    case queues
    /// Values that other programs use.
    case words([String])
  }

  /// One sentence on the purpose.
  package var abstract: String
  /// Details for the manual page.
  package var discussion: String
  /// The placeholder for the value, as in `--limit RATE`.
  package var value: String?
  /// The short name of the option.
  package var short: Character?
  /// Another long name of the option.
  package var also: String?
  /// The values that a shell offers.
  package var offers: Offer
}

/// The topics of settings in help.
package enum SettingTopic: String, Sendable, CaseIterable {
  case input, files, verify, speed, queue, retries, http, login, cookies, tls, proxy, network, ftp, s3, hooks
}
