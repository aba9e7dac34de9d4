// Decides how a group of files is brought to the disk: file by file, or by a sync of their whole file system.

/// What syncing cost recently, and which way is faster for the next group.
///
/// If files are synced one by one, the disk flushes its cache once for each file; if the whole file system is synced,
/// only once. But a sync of the file system also writes other programs' data, which may be large.
package struct SyncChoice: Sendable, Equatable {
  /// The number of files from which a sync of the file system is considered.
  package static let least = 4
  /// The seconds that the sync of one file is assumed to take before the first measurement.
  static let assumed = 0.001
  /// Each group that is synced file by file multiplies the remembered cost of the file system by this factor, because
  /// other programs may have finished writing.
  static let fading = 0.8

  private var oneFile = SyncChoice.assumed
  private var fileSystem = 0.0

  /// Creates a choice without measurements.
  package init() {}

  /// Whether to sync the file system as a whole instead of `files` single files.
  package mutating func takesFileSystem(files: Int) -> Bool {
    guard files >= SyncChoice.least else { return false }
    if fileSystem <= oneFile * Double(files) { return true }
    fileSystem *= SyncChoice.fading
    return false
  }

  /// Records the time of a sync of the file system, in seconds.
  package mutating func note(fileSystem seconds: Double) {
    fileSystem = (fileSystem + seconds) / 2
  }

  /// Records the time of syncing this number of files separately, in seconds.
  package mutating func note(files: Int, _ seconds: Double) {
    guard files > 0 else { return }
    oneFile = (oneFile + seconds / Double(files)) / 2
  }
}
