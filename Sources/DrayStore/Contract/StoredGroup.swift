// A group of jobs: the common properties of one directory's files.

public import DrayCore

/// A group as stored.
public struct StoredGroup: Sendable, Equatable {
  /// Its number and name.
  public var label: GroupLabel
  /// The URL of its directory as sent, with its secrets.
  public var url: String
  /// The absolute path of the directory for its files.
  public var directory: String
  /// When its first job was added, in seconds since 1970.
  public var addedAt: Double

  /// Creates a record.
  public init(label: GroupLabel, url: String, directory: String, addedAt: Double) {
    (self.label, self.url, self.directory, self.addedAt) = (label, url, directory, addedAt)
  }
}
