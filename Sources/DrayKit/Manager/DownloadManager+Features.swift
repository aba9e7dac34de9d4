// The abilities of this system's libcurl and file systems.

package import DrayCore
internal import DrayEngine
internal import Posix
internal import Threads

extension DownloadManager {
  /// The facts about the installed libcurl.
  package static var library: LibraryFacts { Engine.library }

  /// Finds out what the file system of a directory can do, by creating temporary files there.
  /// - Throws: Kind `file` if the directory cannot be opened, or no file can be created in it.
  package static func tryOut(_ directory: String) async throws(Failure) -> DirectoryAbilities {
    try await BlockingExecutor("dray.disk").run { () throws(Failure) in
      do throws(SystemError) {
        return try TargetDirectory(path: directory).tryOut()
      } catch {
        throw error.failure(directory)
      }
    }
  }

  /// Returns whether an authentication scheme is supported.
  package static func supports(_ scheme: AuthenticationOptions.Scheme) -> Bool { Engine.supports(scheme) }
}
