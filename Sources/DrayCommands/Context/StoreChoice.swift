// Chooses the job store of a command line: `--store`, then `DRAY_STORE`, then `store =` of the configuration.

internal import DrayKit

enum StoreChoice {
  static let variable = "DRAY_STORE"
  /// The key of the configuration, at the top of the file.
  static let key = "store"

  /// Returns the store that the command line or the environment names; `nil` if neither does.
  /// - Throws: Kind `usage` for a text that names no store. The failure does not repeat the text, which may contain a
  ///   password.
  static func choose(_ typed: String?, environment: [String: String]) throws(Failure) -> StoreAddress? {
    if let typed { return try read(typed, "--store", home: environment["HOME"]) }
    // An empty variable sets nothing, as for other options.
    guard let text = environment[variable], !text.isEmpty else { return nil }
    return try read(text, variable, home: environment["HOME"])
  }

  /// Reads a text.
  /// - Parameter subject: The source of the text, for the failure.
  static func read(_ text: String, _ subject: String, home: String?) throws(Failure) -> StoreAddress {
    do throws(StoreAddressProblem) {
      switch try StoreAddress.parse(text) {
      case .directory(let path): return .directory(PathText.homed(path, home: home))
      case .database(let uri): return .database(uri)
      }
    } catch {
      throw OptionValue.bad(subject, error.reason)
    }
  }

  /// The variables and keys for the directories of jobs.
  static let localVariable = "DRAY_LOCAL_TARGETS"
  static let sharedVariable = "DRAY_SHARED_DIR"
  static let localKey = "local-targets"
  static let sharedKey = "shared-dir"

  /// Returns the rule for directories that the command line and the environment give.
  static func reach(
    _ globals: GlobalOptions, environment: [String: String], currentDirectory: String
  ) throws(Failure) -> TargetReach {
    var reach = TargetReach()
    switch environment[localVariable]?.lowercased() {
    case nil, "", "0", "false", "no", "off": break
    case "1", "true", "yes", "on": reach.allowsLocal = true
    case let text?: throw OptionValue.bad(localVariable, "\(OptionValue.quote(text)) is not true or false")
    }
    if globals.localTargets { reach.allowsLocal = true }
    var typed = globals.sharedDirectories
    if let text = environment[sharedVariable], !text.isEmpty { typed.append(text) }
    reach.shared = typed.map {
      PathText.absolute(PathText.homed($0, home: environment["HOME"]), from: currentDirectory)
    }
    return reach
  }

  /// Returns the warning about a password on the command line, which every user of the machine can read.
  static func warning(_ typed: String?) -> String? {
    guard let typed, StoreAddress.hasPassword(typed) else { return nil }
    return
      "--store: others see the password in the list of processes; put it into ~/.pgpass, a service file or \(variable)"
  }
}
