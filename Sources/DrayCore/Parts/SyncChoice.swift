// How a group of files is made durable: each separately, or their file system as a whole. A pure decision.

/// How long syncing took recently, and which way is faster for the next group.
///
/// A disk must flush its cache once for each file that is synced separately, and once for a file system however
/// many files it has. But the file system also contains what others write, which may be much.
public struct SyncChoice: Sendable, Equatable {
  /// Files from which on the file system as a whole is considered.
  public static let least = 4
  /// The assumed cost of one file, in seconds, before any was measured.
  static let assumed = 0.001
  /// What is left of a cost that was too high, after each group that did without: others may be done by now.
  static let fading = 0.8

  private var oneFile = SyncChoice.assumed
  private var fileSystem = 0.0

  /// Nothing is known yet.
  public init() {}

  /// Whether the file system is to be synced for so many files, rather than each of them.
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

  /// Records the time of syncing this number of files one by one, in seconds.
  public mutating func note(files: Int, _ seconds: Double) {
    guard files > 0 else { return }
    oneFile = (oneFile + seconds / Double(files)) / 2
  }
}
