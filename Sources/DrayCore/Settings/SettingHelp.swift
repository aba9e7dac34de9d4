// The help of a setting's option.

/// What help, manual pages and completions say of an option.
public struct SettingHelp: Sendable, Equatable {
  /// What a shell offers for a value.
  public enum Offer: Sendable {
    /// Nothing, or the words that there are.
    case nothing
    /// Names of files.
    case files
    /// Names of directories.
    case directories
    /// Jobs.
    case jobs
  }

  /// One sentence.
  public var abstract: String
  /// More, for the manual page.
  public var discussion: String
  /// What the value is called.
  public var value: String?
  /// The short name of the option.
  public var short: Character?
  /// Another long name of it.
  public var also: String?
  /// What a shell offers.
  public var offers: Offer
}
