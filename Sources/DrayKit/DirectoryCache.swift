// Directories of targets that are open already: the files of a run mostly go to a few.

internal import DrayEngine
internal import Synchronization

/// Open directories by path. Blocks.
final class DirectoryCache: Sendable {
  private let known = Mutex<[String: TargetDirectory]>([:])

  /// Directories that are kept open; beyond that all are let go, which costs an opening each.
  private static let limit = 64

  /// The directory at a path as it is now, made if it is not there.
  func open(_ path: String) throws(SystemError) -> TargetDirectory {
    if let directory = known.withLock({ $0[path] }), directory.isInPlace { return directory }
    let directory = try TargetDirectory(path: path, create: true)
    known.withLock { known in
      if known.count >= DirectoryCache.limit { known = [:] }
      known[path] = directory
    }
    return directory
  }
}
