// The configuration as `dray config` checks it, which is for all commands.

internal import DrayDocuments
internal import DrayKit
internal import Posix

struct ConfigurationSource {
  var place: ConfigurationPlace
  var environment: [String: String]

  static func current() -> ConfigurationSource {
    let environment = ProcessVariables.all
    return ConfigurationSource(
      place: ConfigurationPlace.locate(
        CommandContext.current.globals, environment: environment, currentDirectory: System.currentDirectory),
      environment: environment)
  }

  /// Returns the path of the configuration file.
  /// - Throws: Kind `usage` if there is no such path.
  func requiredPath() throws(Failure) -> String {
    if let path = place.path { return path }
    throw OptionValue.bad(
      "the configuration", "it has no path: --no-config was given, or HOME is not set",
      advice: "name the file with --config")
  }

  var isPresent: Bool { place.path.map { System.kind($0) != .missing } ?? false }

  var paths: ValuePaths { ValuePaths(file: place.path ?? "", home: environment["HOME"]) }

  func file() throws(Failure) -> ConfigurationFile? {
    var place = place
    // A file that the user named and that does not exist yet counts as empty. `dray config edit` creates the file.
    if let path = place.path, System.kind(path) == .missing { place.isNamed = false }
    return try ConfigurationFile.read(place)
  }
}
