internal import DrayEngine
internal import FoundationEssentials
internal import Posix

/// Writes small files atomically: at any time, either the old or the new file exists, and is complete (P1).
package enum AtomicFile {
  /// Writes `bytes` to a temporary file beside `path`, syncs it, renames it, and syncs the directory. The temporary
  /// file is newly created, with a name that cannot be guessed and mode 0600. If a crash leaves the temporary file
  /// behind, the next write removes it. The caller must make sure that only one writer at a time writes the file,
  /// unless `hasNeighbors` is set.
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - path: The path of the file.
  ///   - isPrivate: Whether only the owner may read the file; otherwise the umask decides.
  ///   - hasNeighbors: Whether several writers may write at once. In that case, the temporary file has the name of a
  ///     part file without a job, so that `dray clean` removes it after a crash.
  /// - Throws: Kind `file`; the old file is then unchanged.
  package static func write(
    _ bytes: some Collection<UInt8>, to path: String, isPrivate: Bool = false, hasNeighbors: Bool = false
  ) throws(Failure) {
    let parent = PathText.directory(of: path)
    let name = PathText.name(of: path)
    do throws(SystemError) {
      let directory = try TargetDirectory(path: parent.isEmpty ? "." : parent)
      if !hasNeighbors { removeLeftovers(of: name, in: directory, parent.isEmpty ? "." : parent) }
      // The name must leave space for the UUID.
      let isShort = name.utf8.count <= longestName
      let temporary =
        hasNeighbors || !isShort ? Job.partFileName(UUID()) : ".\(name).\(UUID().uuidString)\(ending)"
      let part = try PartFile.create(temporary, in: directory)
      do throws(SystemError) {
        try part.replace(with: Array(bytes), isPrivate: isPrivate)
        try directory.rename(temporary, to: name, replacing: true)
      } catch {
        // Report the first error, not one from the removal.
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

  /// Removes the temporary files of writers that crashed. Failures are ignored; files in use and files of other users
  /// stay (P17).
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
