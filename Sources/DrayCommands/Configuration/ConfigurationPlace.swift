// Decides from options and environment where the configuration file is, without opening it.

internal import DrayKit
internal import DrayStore

struct ConfigurationPlace: Equatable {
  /// The absolute path of the file; `nil` if the user wants no configuration, or if the home directory is not known.
  var path: String?
  /// Whether the user named the file. In that case it must exist.
  var isNamed: Bool

  /// Returns the first of these that applies: `--no-config` or `--config FILE`; `DRAY_CONFIG`;
  /// `$XDG_CONFIG_HOME/dray/config.toml`; `~/.config/dray/config.toml`. A relative `XDG_CONFIG_HOME` is ignored, as the
  /// XDG specification requires.
  static func locate(
    _ globals: GlobalOptions, environment: [String: String], currentDirectory: String?,
    passwordDatabaseHome: () -> String? = StateDirectory.passwordDatabaseHome
  ) -> ConfigurationPlace {
    if globals.noConfig { return ConfigurationPlace(path: nil, isNamed: false) }
    if let named = globals.config ?? environment["DRAY_CONFIG"].flatMap({ $0.isEmpty ? nil : $0 }) {
      let path = PathText.homed(named, home: environment["HOME"])
      return ConfigurationPlace(path: PathText.absolute(path, from: currentDirectory ?? "/"), isNamed: true)
    }
    let file = "dray/config.toml"
    if let directory = environment["XDG_CONFIG_HOME"], directory.hasPrefix("/") {
      return ConfigurationPlace(path: PathText.join(directory, file), isNamed: false)
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? passwordDatabaseHome()
    return ConfigurationPlace(path: home.map { PathText.join($0, ".config/\(file)") }, isNamed: false)
  }
}
