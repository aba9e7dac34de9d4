// The output of `dray --version`, which contains all that a bug report needs.

internal import CBuild
internal import DrayKit
internal import DrayStore

enum VersionText {
  static var commit: String? {
    let text = String(cString: dray_commit())
    return text.isEmpty ? nil : text
  }

  /// The versions of dray, libcurl, its TLS library and SQLite, and the features of this libcurl.
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
