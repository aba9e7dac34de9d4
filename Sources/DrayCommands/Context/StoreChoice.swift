// Chooses the job store of a command line: by `--store`, otherwise by `DRAY_STORE`, otherwise by `store =` in the
// configuration.

internal import DrayKit

enum StoreChoice {
  static let variable = "DRAY_STORE"
  /// The key in the configuration, which belongs at the top of the file.
  static let key = "store"

  /// Returns the store that the command line or the environment names; `nil` if neither names one.
  /// - Throws: Kind `usage` for a text that does not name a store. The failure does not repeat the text, because it may
  ///   contain a password.
  static func choose(_ typed: String?, environment: [String: String]) throws(Failure) -> StoreAddress? {
    if let typed { return try read(typed, "--store", home: environment["HOME"]) }
    // As for other options, an empty variable counts as not set.
    guard let text = environment[variable], !text.isEmpty else { return nil }
    return try read(text, variable, home: environment["HOME"])
  }

  /// Reads a store from a text.
  /// - Parameter subject: How the failure names the source of the text.
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

  /// The variables and keys that concern the directories of jobs.
  static let localVariable = "DRAY_LOCAL_TARGETS"
  static let sharedVariable = "DRAY_SHARED_DIR"
  static let localKey = "local-targets"
  static let sharedKey = "shared-dir"

  /// Returns the rule for directories that follows from the command line and the environment.
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

  /// Returns the warning about a password on the command line, where every user of the machine can read it; `nil` if
  /// there is none.
  static func warning(_ typed: String?) -> String? {
    guard let typed, StoreAddress.hasPassword(typed) else { return nil }
    return
      "--store: others see the password in the list of processes; put it into ~/.pgpass, a service file or \(variable)"
  }
}
