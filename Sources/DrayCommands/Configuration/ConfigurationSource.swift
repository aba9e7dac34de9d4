// The configuration as `dray config` checks it: with all commands in view.

internal import DrayDocuments
internal import DrayKit
internal import Posix

/// Where the configuration of this process is to be found.
struct ConfigurationSource {
  var place: ConfigurationPlace
  var environment: [String: String]

  /// That of the command that runs.
  static func current() -> ConfigurationSource {
    let environment = ProcessVariables.all
    return ConfigurationSource(
      place: ConfigurationPlace.locate(
        CommandContext.current.globals, environment: environment, currentDirectory: System.currentDirectory),
      environment: environment)
  }

  /// The path of the file.
  /// - Throws: kind `usage` where there is none.
  func requiredPath() throws(Failure) -> String {
    if let path = place.path { return path }
    throw OptionValue.bad(
      "the configuration", "it has no path: --no-config was given, or HOME is not set",
      advice: "name the file with --config")
  }

  var isPresent: Bool { place.path.map { System.kind($0) != .missing } ?? false }

  var paths: ValuePaths { ValuePaths(file: place.path ?? "", home: environment["HOME"]) }

  /// The file, if it is there.
  func file() throws(Failure) -> ConfigurationFile? {
    var place = place
    // A file that was named and is not there yet is shown as empty, and made by `edit`.
    if let path = place.path, System.kind(path) == .missing { place.isNamed = false }
    return try ConfigurationFile.read(place)
  }
}
