package import DrayCore

/// A group of jobs: the facts that all files of one directory share.
package struct StoredGroup: Sendable, Equatable {
  package var label: GroupLabel
  /// The URL of the directory as sent, with its secrets.
  package var url: String
  /// The absolute path of the directory for the group's files.
  package var directory: String
  /// The time at which the first job was added, in seconds since 1970.
  package var addedAt: Double

  package init(label: GroupLabel, url: String, directory: String, addedAt: Double) {
    (self.label, self.url, self.directory, self.addedAt) = (label, url, directory, addedAt)
  }
}
