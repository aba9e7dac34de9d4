/// The texts about an option in help, manual pages and completions.
public struct SettingHelp: Sendable, Equatable {
  /// The kind of values that a shell offers.
  public enum Offer: Sendable, Equatable {
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
  public var abstract: String
  /// Details for the manual page.
  public var discussion: String
  /// The placeholder for the value, as in `--limit RATE`.
  public var value: String?
  /// The short name of the option.
  public var short: Character?
  /// Another long name of the option.
  public var also: String?
  /// The values that a shell offers.
  public var offers: Offer
}

/// The topics of settings in help.
public enum SettingTopic: String, Sendable, CaseIterable {
  case input, files, verify, speed, queue, retries, http, login, cookies, tls, proxy, network, ftp, s3, hooks
}
