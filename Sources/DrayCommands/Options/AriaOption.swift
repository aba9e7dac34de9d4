// aria2's options as they occur in its lists, session files and configuration.

internal import DrayKit
internal import DrayServer

/// What dray knows about aria2's options. ``Habit`` translates the options of a command line.
enum AriaOption {
  /// The names of all options, without dashes.
  static var names: Set<String> { Aria2Option.names }

  /// Returns the name of the setting that accepts the values of an option unchanged; `nil` if there is none.
  static func setting(_ name: some StringProtocol) -> String? { settings[String(name)] }

  private static let settings = Dictionary(
    uniqueKeysWithValues: Setting.all.compactMap { setting in setting.foreign.aria2.map { ($0, setting.name) } })

  /// The options that have a meaning in a list.
  static let used = [
    "split", "max-connection-per-server", "http-user", "http-passwd", "ftp-user", "ftp-passwd", "pause",
    "max-download-limit", "max-tries", "timeout", "all-proxy", "http-proxy", "https-proxy", "allow-overwrite",
    "auto-file-renaming", "check-certificate", "continue",
  ]
}
