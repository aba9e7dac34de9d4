// The options that every command has.

internal import DrayKit

/// The options that every command has. They are taken out of the command line before it is parsed.
struct GlobalOptions: Equatable {
  var config: String?
  var noConfig = false

  /// The words for these options.
  var words: [String] { (config.map { ["--config", $0] } ?? []) + (noConfig ? ["--no-config"] : []) }

  /// Removes these options from the arguments, up to `--`.
  /// - Throws: kind `usage` if `--config` has no value.
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
      default:
        rest.append(word)
      }
    }
    return (globals, rest)
  }
}
