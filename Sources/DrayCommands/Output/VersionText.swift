// What `dray --version` prints, as bug reports want it.

internal import DrayKit

enum VersionText {
  /// The version of dray, then libcurl's with what it can do.
  static var text: String {
    let library = DownloadManager.library
    return """
      dray \(DrayVersion.text)
      libcurl \(library.version) \(library.tls)
      schemes: \(library.schemes.joined(separator: " "))
      features: \(library.features.joined(separator: " "))
      """
  }
}
