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

  /// The first line, and all that the parser knows of it: it wants a version before it parses anything, and the others would
  /// load libcurl for that.
  static let program = "dray \(DrayVersion.text)"

  /// The versions of dray, libcurl, its TLS library and SQLite, and what that libcurl can do.
  static var text: String {
    let library = DownloadManager.library
    let version = library.lack.map { "cannot be loaded (\($0))" } ?? "\(library.version) \(library.tls)"
    return """
      \(program)
      commit \(commit ?? "unknown")
      libcurl \(version)
      \(JobStores.software)
      schemes: \(library.schemes.joined(separator: " "))
      features: \(library.features.joined(separator: " "))
      """
  }
}
