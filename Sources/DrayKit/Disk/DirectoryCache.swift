// Directories of targets that are open already: the files of a run mostly go to a few.

internal import DrayEngine
internal import Posix
internal import Synchronization

/// Open directories by their places. Blocks.
final class DirectoryCache: Sendable {
  private let known = Mutex<[DirectoryPlace: (directory: TargetDirectory, lookedAt: Double)]>([:])

  /// Directories that are kept open; beyond that all are let go, which costs an opening each.
  private let limit: Int
  /// Seconds for which a directory is taken to be where it was: it is checked once more before a file is published.
  private static let trust = 0.02

  init(limit: Int = 64) { self.limit = limit }

  /// The directory at a place as it is now; if it is not there it is made, unless `create` is false.
  func open(_ place: DirectoryPlace, create: Bool = true) throws(SystemError) -> TargetDirectory {
    let now = SteadyClock.now()
    if let (directory, lookedAt) = known.withLock({ $0[place] }) {
      if now - lookedAt < DirectoryCache.trust { return directory }
      if directory.isInPlace { return keep(directory, now) }
    }
    let directory = try TargetDirectory(place, create: create)
    try directory.checkRenaming()
    return keep(directory, now)
  }

  private func keep(_ directory: TargetDirectory, _ now: Double) -> TargetDirectory {
    known.withLock { known in
      if known.count >= limit { known = [:] }
      known[directory.place] = (directory, now)
    }
    return directory
  }
}
