// The options that every command has.

internal import DrayKit

/// The options that every command has. They are taken out of the command line before it is parsed.
struct GlobalOptions: Equatable {
  var config: String?
  var noConfig = false
  /// The job store, as typed. It may have a password.
  var store: String?

  /// The words for these options.
  var words: [String] {
    (config.map { ["--config", $0] } ?? []) + (noConfig ? ["--no-config"] : []) + (store.map { ["--store", $0] } ?? [])
  }

  /// Removes these options from the arguments, up to `--`.
  /// - Throws: kind `usage` if `--config` or `--store` has no value.
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
      case "--no-config":
        globals.noConfig = true
      case "--config":
        guard index < typed.endIndex, !typed[index].isEmpty else {
          throw OptionValue.bad("--config", "no file is given: write --config FILE, or --no-config for none")
        }
        globals.config = typed[index]
        index += 1
      case _ where word.hasPrefix("--config="):
        globals.config = String(word.dropFirst("--config=".count))
      case "--store":
        guard index < typed.endIndex, !typed[index].isEmpty else {
          throw OptionValue.bad(
            "--store", "no store is given: write --store postgresql://…, or the path of a directory")
        }
        globals.store = typed[index]
        index += 1
      case _ where word.hasPrefix("--store="):
        globals.store = String(word.dropFirst("--store=".count))
      default:
        rest.append(word)
      }
    }
    return (globals, rest)
  }
}
