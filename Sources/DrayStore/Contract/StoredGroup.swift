public import DrayCore

/// A group of jobs: the facts that all files of one directory share.
public struct StoredGroup: Sendable, Equatable {
  public var label: GroupLabel
  /// The URL of the directory as sent, with its secrets.
  public var url: String
  /// The absolute path of the directory for the group's files.
  public var directory: String
  /// The time at which the first job was added, in seconds since 1970.
  public var addedAt: Double

  public init(label: GroupLabel, url: String, directory: String, addedAt: Double) {
    (self.label, self.url, self.directory, self.addedAt) = (label, url, directory, addedAt)
  }
}
