// A group of jobs: what the files of one directory have in common.

public import DrayCore

/// A group as it is stored.
public struct StoredGroup: Sendable, Equatable {
  /// Its number and its name.
  public var label: GroupLabel
  /// The URL of its directory as it is sent; its secrets are in it.
  public var url: String
  /// The absolute path of the directory that its files go to.
  public var directory: String
  /// When its first job was added, in seconds since 1970.
  public var addedAt: Double

  /// Makes the record.
  public init(label: GroupLabel, url: String, directory: String, addedAt: Double) {
    (self.label, self.url, self.directory, self.addedAt) = (label, url, directory, addedAt)
  }
}
