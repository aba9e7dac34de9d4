// Writes a small file so that there is always the old one or the new one, whole (P1).

internal import DrayEngine
internal import Glibc
internal import Posix

/// Files that are replaced in one instant.
public enum AtomicFile {
  /// Writes `bytes` to `path`: a temporary file beside it, synced, renamed, its directory synced. That file always has the same
  /// name, so that what a crash leaves of it is replaced by the next; the caller ensures that there is one writer at a time.
  /// - Parameters:
  ///   - bytes: what it is to contain.
  ///   - path: where it is.
  ///   - isPrivate: whether only its owner may read it; else the umask says who may.
  /// - Throws: kind `file`; then the old file is as it was.
  public static func write(
    _ bytes: some Collection<UInt8>, to path: String, isPrivate: Bool = false
  ) throws(Failure) {
    let parent = PathText.directory(of: path)
    let name = PathText.name(of: path)
    do throws(SystemError) {
      let directory = try TargetDirectory(path: parent)
      let temporary = ".\(name).new"
      let part = try PartFile.create(temporary, in: directory)
      do throws(SystemError) {
        try part.replace(with: Array(bytes), isPrivate: isPrivate)
        try directory.rename(temporary, to: name, replacing: true)
      } catch {
        // The first error is the one to report.
        try? directory.remove(temporary)
        throw error
      }
      try directory.sync()
    } catch {
      throw error.failure(path)
    }
  }
}
