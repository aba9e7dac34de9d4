// The features of this system's libcurl and of file systems.

public import DrayCore
internal import DrayEngine
internal import Posix
internal import Threads

extension DownloadManager {
  /// The libcurl in use.
  public static var library: LibraryFacts { Engine.library }

  /// Tests the features of a directory's file system with temporary files.
  /// - Throws: Kind `file` if the directory cannot be opened, or no file can be created in it.
  public static func tryOut(_ directory: String) async throws(Failure) -> DirectoryAbilities {
    try await BlockingExecutor("dray.disk").run { () throws(Failure) in
      do throws(SystemError) {
        return try TargetDirectory(path: directory).tryOut()
      } catch {
        throw error.failure(directory)
      }
    }
  }

  /// Returns whether an authentication scheme is supported.
  public static func supports(_ scheme: AuthenticationOptions.Scheme) -> Bool { Engine.supports(scheme) }
}
