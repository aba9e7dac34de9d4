// Writes a small file atomically: at any time the old or the new one exists, and is complete (P1).

internal import DrayEngine
internal import FoundationEssentials
internal import Posix

/// Files that are replaced atomically.
public enum AtomicFile {
  /// Writes `bytes` to `path` through a temporary file beside it, which is synced and renamed; then syncs the
  /// directory. The temporary file is created exclusively, with an unguessable name and mode 0600. The next write
  /// removes the temporary file of a crash. The caller ensures that only one writer at a time exists.
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - path: The path of the file.
  ///   - isPrivate: Whether only its owner may read it; otherwise the umask decides.
  ///   - hasNeighbors: Whether several writers may write at once. The temporary file is then named like a part file
  ///     without a job, and `dray clean` removes a leftover.
  /// - Throws: Kind `file`; the old file is then unchanged.
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
  /// The longest name in bytes to which a UUID can be added.
  private static let longestName = 200

  /// Removes the temporary files of crashed writers. Best effort: files in use, and other users' files, stay (P17).
  private static func removeLeftovers(of name: String, in directory: TargetDirectory, _ path: String) {
    for found in (try? directory.names()) ?? [] where isTemporary(found, of: name) {
      guard let status = try? System.status(at: PathText.join(path, found), following: false), status.isRegular,
        status.owner == System.effectiveUserID
      else { continue }
      try? PartFile.remove(found, in: directory, store: nil)
    }
  }

  static func isTemporary(_ found: String, of name: String) -> Bool {
    let beginning = ".\(name)."
    guard found.hasPrefix(beginning), found.hasSuffix(ending) else { return false }
    return UUID(uuidString: String(found.dropFirst(beginning.count).dropLast(ending.count))) != nil
  }
}
