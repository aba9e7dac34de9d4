// The options that every command has.

internal import DrayKit

/// The options that every command has. They are taken out of the command line before it is parsed.
struct GlobalOptions: Equatable {
  var config: String?
  var noConfig = false
  /// The job store, as the user typed it. The text may contain a password.
  var store: String?
  /// Whether each machine that uses the store keeps the files of its own jobs.
  var localTargets = false
  /// The directories that all machines using the store have in common, as the user typed them.
  var sharedDirectories: [String] = []

  /// The first of these options that concerns the job store; `nil` if none was given.
  var ofStore: String? {
    if store != nil { return "--store" }
    if localTargets { return "--local-targets" }
    return sharedDirectories.isEmpty ? nil : "--shared-dir"
  }

  var words: [String] {
    (config.map { ["--config", $0] } ?? []) + (noConfig ? ["--no-config"] : []) + (store.map { ["--store", $0] } ?? [])
      + (localTargets ? ["--local-targets"] : []) + sharedDirectories.flatMap { ["--shared-dir", $0] }
  }

  /// Removes these options from the arguments before `--`.
  /// - Throws: Kind `usage` if one of the options has no value.
  static func take(from typed: [String]) throws(Failure) -> (GlobalOptions, rest: [String]) {
    var globals = GlobalOptions()
    var rest: [String] = []
    var index = typed.startIndex
    while index < typed.endIndex {
      let word = typed[index]
      index += 1
      switch word {
      case "--":
        return (globals, rest + typed[(index - 1)...])
      // These are aria2's names for `--no-config`.
      case "--no-config", "--no-conf", "--no-conf=true":
        globals.noConfig = true
      case "--local-targets":
        globals.localTargets = true
      case "--config":
        globals.config = try value(word, "write --config FILE, or --no-config for none", typed, &index)
      case "--store":
        globals.store = try value(word, "write --store postgresql://…, or the path of a directory", typed, &index)
      case "--shared-dir":
        globals.sharedDirectories.append(try value(word, "write --shared-dir DIR", typed, &index))
      case _ where word.hasPrefix("--config="):
        globals.config = String(word.dropFirst("--config=".count))
      case _ where word.hasPrefix("--store="):
        globals.store = String(word.dropFirst("--store=".count))
      case _ where word.hasPrefix("--shared-dir="):
        globals.sharedDirectories.append(String(word.dropFirst("--shared-dir=".count)))
      default:
        rest.append(word)
      }
    }
    return (globals, rest)
  }

  /// Returns the word that follows an option.
  private static func value(
    _ option: String, _ advice: String, _ typed: [String], _ index: inout Int
  ) throws(Failure) -> String {
    guard index < typed.endIndex, !typed[index].isEmpty else {
      throw OptionValue.bad(option, "its value is missing: \(advice)")
    }
    defer { index += 1 }
    return typed[index]
  }
}
