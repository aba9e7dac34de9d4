// What this system's libcurl can do.

public import DrayCore
internal import DrayEngine

extension DownloadManager {
  /// Whether a scheme of authentication can be used here.
  public static func supports(_ scheme: AuthenticationOptions.Scheme) -> Bool { Engine.supports(scheme) }
}
