// What this system's libcurl can do.

public import DrayCore
internal import DrayEngine

extension DownloadManager {
  /// The libcurl in use.
  public static var library: LibraryFacts { Engine.library }

  /// Prepares what takes milliseconds and does not depend on the store, on a thread of its own: for a program that will
  /// transfer something. What needs it earlier waits for it.
  public static func warmUp() { BlockingQueue("dray.start").start { Engine.warmUp() } }

  /// Whether a scheme of authentication can be used here.
  public static func supports(_ scheme: AuthenticationOptions.Scheme) -> Bool { Engine.supports(scheme) }
}
