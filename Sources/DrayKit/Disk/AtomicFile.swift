// Writes a small file atomically: the old or the new one is always there, complete (P1).

internal import DrayEngine
internal import FoundationEssentials
internal import Posix

/// Files that are replaced atomically.
public enum AtomicFile {
  /// Writes `bytes` to `path` through a temporary file beside it, which is synced and renamed; then syncs the
  /// directory. The temporary file is created exclusively, with an unguessable name and mode 0600. The next write
  /// removes a leftover of a crash. The caller ensures that there is only one writer at a time.
  /// - Parameters:
  ///   - bytes: the new content.
  ///   - path: the path of the file.
  ///   - isPrivate: whether only its owner may read it; otherwise the umask decides.
  ///   - hasNeighbors: whether several writers may write at once. The temporary file is then named like a part file
  ///     without a job, and `dray clean` removes a leftover.
  /// - Throws: kind `file`; the old file is unchanged.
  public static func write(
    _ bytes: some Collection<UInt8>, to path: String, isPrivate: Bool = false, hasNeighbors: Bool = false
  ) throws(Failure) {
    let parent = PathText.directory(of: path)
    let name = PathText.name(of: path)
    do throws(SystemError) {
      let directory = try TargetDirectory(path: parent.isEmpty ? "." : parent)
      if !hasNeighbors { removeLeftovers(of: name, in: directory, parent.isEmpty ? "." : parent) }
      // The longer name must fit, too.
      let isShort = name.utf8.count <= longestName
      let temporary =
        hasNeighbors || !isShort ? Job.partFileName(UUID()) : ".\(name).\(UUID().uuidString)\(ending)"
      let part = try PartFile.create(temporary, in: directory)
      do throws(SystemError) {
        try part.replace(with: Array(bytes), isPrivate: isPrivate)
        try directory.rename(temporary, to: name, replacing: true)
      } catch {
        // Report the first error.
        try? directory.remove(temporary)
        throw error
      }
      try directory.sync()
    } catch {
      throw error.failure(path)
    }
  }

  private static let ending = ".new"
  /// The longest name in bytes that leaves room for a UUID.
  private static let longestName = 200

  /// Removes the temporary files of crashed writers. Best effort: a file in use, and one of another user, stays (P17).
  private static func removeLeftovers(of name: String, in directory: TargetDirectory, _ path: String) {
    for found in (try? directory.names()) ?? [] where isTemporary(found, of: name) {
      guard let status = try? System.status(at: PathText.join(path, found), following: false), status.isRegular,
        status.owner == System.effectiveUserID
      else { continue }
      try? PartFile.remove(found, in: directory, store: nil)
    }
  }

  /// Whether a name is that of a temporary file for the file `name`.
  static func isTemporary(_ found: String, of name: String) -> Bool {
    let beginning = ".\(name)."
    guard found.hasPrefix(beginning), found.hasSuffix(ending) else { return false }
    return UUID(uuidString: String(found.dropFirst(beginning.count).dropLast(ending.count))) != nil
  }
}
