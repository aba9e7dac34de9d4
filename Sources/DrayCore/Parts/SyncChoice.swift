// How a group of files is made durable: each by itself, or their file system as a whole. A pure decision.

/// What syncing took lately, and what is the quicker way for the next group.
///
/// A disk is told to empty its cache once for each file that is synced by itself, and once for a file system however
/// many files it has. But the file system also has what others write, and that may be much.
public struct SyncChoice: Sendable, Equatable {
  /// Files from which on the file system as a whole is considered.
  public static let least = 4
  /// What is taken for the cost of one file, in seconds, before any was measured.
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

  /// Learns what it took to sync the file system, in seconds.
  public mutating func note(fileSystem seconds: Double) {
    fileSystem = (fileSystem + seconds) / 2
  }

  /// Learns what it took to sync so many files one by one, in seconds.
  public mutating func note(files: Int, _ seconds: Double) {
    guard files > 0 else { return }
    oneFile = (oneFile + seconds / Double(files)) / 2
  }
}
