// What this system's libcurl can do.

public import DrayCore
internal import DrayEngine
internal import Posix

extension DownloadManager {
  /// The libcurl in use.
  public static var library: LibraryFacts { Engine.library }

  /// Prepares what takes milliseconds and does not depend on the store, on a thread of its own: for a program that will
  /// transfer something. What needs it earlier waits for it.
  public static func warmUp() { BlockingQueue("dray.start").start { Engine.warmUp() } }

  /// Checks that libcurl can be used, before anything is asked for that would need it.
  /// - Throws: kind `other` where it is missing.
  public static func needLibrary() throws(Failure) { try Engine.needLibrary() }

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
