// What `dray --version` prints, as bug reports want it.

internal import CBuild
internal import DrayKit
internal import DrayStore

enum VersionText {
  /// The commit that this program was built from; `nil` if that is not known.
  static var commit: String? {
    let text = String(cString: dray_commit())
    return text.isEmpty ? nil : text
  }

  /// The versions of dray, libcurl, its TLS library and SQLite, and what that libcurl can do.
  static var text: String {
    let library = DownloadManager.library
    return """
      dray \(DrayVersion.text)
      commit \(commit ?? "unknown")
      libcurl \(library.version) \(library.tls)
      \(JobStores.software)
      schemes: \(library.schemes.joined(separator: " "))
      features: \(library.features.joined(separator: " "))
      """
  }
}
