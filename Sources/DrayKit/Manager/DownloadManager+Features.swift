// What this system's libcurl can do.

public import DrayCore
internal import DrayEngine
internal import Posix
internal import Threads

extension DownloadManager {
  /// The libcurl in use.
  public static var library: LibraryFacts { Engine.library }

  /// Finds out what the file system of a directory can do, with files that are removed again.
  /// - Throws: kind `file` where the directory cannot be opened, or no file be made in it.
  public static func tryOut(_ directory: String) async throws(Failure) -> DirectoryAbilities {
    try await BlockingQueue("dray.disk").run { () throws(Failure) in
      do throws(SystemError) {
        return try TargetDirectory(path: directory).tryOut()
      } catch {
        throw error.failure(directory)
      }
    }
  }

  /// Whether a scheme of authentication can be used here.
  public static func supports(_ scheme: AuthenticationOptions.Scheme) -> Bool { Engine.supports(scheme) }
}
