// Decides how a group of files is made durable: each separately, or their file system as a whole.

/// The recent costs of syncing, and the faster way for the next group.
///
/// A disk flushes its cache once for each file that is synced separately, and only once for a sync of the whole file
/// system. But that sync also writes other programs' data, which may be large.
public struct SyncChoice: Sendable, Equatable {
  /// The minimum number of files for which the whole file system is considered.
  public static let least = 4
  /// In seconds, for one file, before the first measurement.
  static let assumed = 0.001
  /// The factor by which the remembered cost of the file system falls with each group that is synced file by file. By
  /// then, other programs may have finished writing.
  static let fading = 0.8

  private var oneFile = SyncChoice.assumed
  private var fileSystem = 0.0

  /// Creates a choice without measurements.
  public init() {}

  /// Whether to sync the file system as a whole and not each of `files` files.
  public mutating func takesFileSystem(files: Int) -> Bool {
    guard files >= SyncChoice.least else { return false }
    if fileSystem <= oneFile * Double(files) { return true }
    fileSystem *= SyncChoice.fading
    return false
  }

  /// Records the time of a sync of the file system, in seconds.
  public mutating func note(fileSystem seconds: Double) {
    fileSystem = (fileSystem + seconds) / 2
  }

  /// Records the time of syncing this number of files separately, in seconds.
  public mutating func note(files: Int, _ seconds: Double) {
    guard files > 0 else { return }
    oneFile = (oneFile + seconds / Double(files)) / 2
  }
}
