// Writes a small file atomically: the old or the new one is always there, complete (P1).

internal import DrayEngine
internal import FoundationEssentials
internal import Glibc
internal import Posix

/// Files that are replaced atomically.
public enum AtomicFile {
  /// Writes `bytes` to `path` through a temporary file beside it, which is synced and renamed; then syncs the
  /// directory. The temporary file always has the same name, so the next write replaces a leftover of a crash. The
  /// caller ensures that there is only one writer at a time.
  /// - Parameters:
  ///   - bytes: the new content.
  ///   - path: the path of the file.
  ///   - isPrivate: whether only its owner may read it; otherwise the umask decides.
  ///   - hasNeighbors: whether other programs put files into the directory, any of which may have the name of the
  ///     temporary file. That then gets a new name, as a part file without a job, and several writers may write at once.
  ///     `dray clean` removes a leftover.
  /// - Throws: kind `file`; the old file is unchanged.
  public static func write(
    _ bytes: some Collection<UInt8>, to path: String, isPrivate: Bool = false, hasNeighbors: Bool = false
  ) throws(Failure) {
    let parent = PathText.directory(of: path)
    let name = PathText.name(of: path)
    do throws(SystemError) {
      let directory = try TargetDirectory(path: parent.isEmpty ? "." : parent)
      let temporary = hasNeighbors ? Job.partFileName(UUID()) : ".\(name).new"
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
}
