public import DrayCore

/// A group of jobs: what the files of one directory have in common.
public struct StoredGroup: Sendable, Equatable {
  public var label: GroupLabel
  /// The URL of the directory as sent, with its secrets.
  public var url: String
  /// The absolute path of the directory for its files.
  public var directory: String
  /// The time at which the first job was added, in seconds since 1970.
  public var addedAt: Double

  public init(label: GroupLabel, url: String, directory: String, addedAt: Double) {
    (self.label, self.url, self.directory, self.addedAt) = (label, url, directory, addedAt)
  }
}
