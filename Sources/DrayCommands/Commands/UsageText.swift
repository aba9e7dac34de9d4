// Formats the errors of the command line as dray does: one line with the error and the remedy.

internal import ArgumentParser
internal import DrayKit

struct UsageText {
  /// The names of all commands, including aliases.
  let names: [String]
  private let commands: [any ParsableCommand.Type]

  init(_ commands: [any ParsableCommand.Type]) {
    self.commands = commands
    names = ["help"] + commands.flatMap(UsageText.names(of:))
  }

  /// Returns the name of a command, and its aliases.
  private static func names(of command: any ParsableCommand.Type) -> [String] {
    let settings = command.configuration
    return [settings.commandName ?? command._commandName] + settings.aliases
  }

  /// Returns the message of ArgumentParser as one line. The message may quote text that the user typed, so it is
  /// escaped, and secrets of URLs are removed.
  func line(_ message: String, arguments: [String]) -> String {
    if let unknown = unknownCommand(arguments) { return unknown }
    let joined = message.split(separator: "\n").map { $0.trimmingSpaces() }.joined(separator: " ")
    if let choice = UsageText.choice(String(joined)) {
      return TextSafety.escaped(URLRedaction.redactingURLs(in: choice))
    }
    var text = TextSafety.escaped(URLRedaction.redactingURLs(in: String(joined)))
    while text.hasSuffix(".") { text.removeLast() }
    var start = text.prefix(1).lowercased() + text.dropFirst()
    // A message that already suggests a correction as a question needs no reference to the help.
    if start.hasSuffix("?") {
      guard let question = start.firstRange(of: UsageText.question), !UsageText.isNear(start) else {
        return start.replacing(UsageText.question, with: "; did you mean")
      }
      start = String(start[..<question.lowerBound])
    }
    return "\(start); see `\(helpCommand(arguments))`"
  }

  /// The text with which ArgumentParser begins a suggestion.
  private static let question = ". Did you mean"

  /// Whether TYPED may be a slip for NAME in the message `unknown option 'TYPED'. Did you mean 'NAME'?`. This check is
  /// needed because ArgumentParser suggests any option of three letters for three typed letters.
  private static func isNear(_ text: String) -> Bool {
    let quoted = text.split(separator: "'")
    return quoted.count != 5 || NearestName.find(String(quoted[1]), among: [String(quoted[3])]) != nil
  }

  /// Returns the error for an option that ends in `=`; `nil` if there is no such option. ArgumentParser would use the
  /// next word as the value of the option.
  static func emptyValue(_ arguments: [String]) -> String? {
    let options = arguments.prefix { $0 != "--" }
    guard let option = options.first(where: { $0.hasPrefix("--") && $0.firstIndex(of: "=") == $0.indices.last }) else {
      return nil
    }
    let name = TextSafety.escaped(String(option.dropLast()))
    return "\(name): the value after = is missing; write \(name) '' for an empty one"
  }

  func unknownCommand(_ arguments: [String]) -> String? {
    guard let name = arguments.first, !names.contains(name) else { return nil }
    guard !name.hasPrefix("-") else { return nil }
    let shown = TextSafety.escaped(URLRedaction.redacted(name.start(60)))
    if name.contains("://") { return "\"\(shown)\" is not a command; to fetch it, write `dray get URL`" }
    // The meaning is looked up first, because `rm` does not look similar to `remove`.
    let hint =
      CommandMeaning.of(name).map { "that is `dray \($0)` here" }
      ?? NearestName.find(name, among: names).map { "did you mean `dray \($0)`?" } ?? "see `dray --help`"
    return "unknown command \"\(shown)\"; \(hint)"
  }

  /// Turns ArgumentParser's message about a value that is not one of the permitted values into `--sort foo: use id or
  /// queue`; returns `nil` for any other message. The message is `The value 'foo' is invalid for '--sort <sort>'.
  /// Please provide one of 'id' and 'queue'.`, or, for six or more values, `one of the following: - id - queue`.
  private static func choice(_ message: String) -> String? {
    guard message.hasPrefix("The value '"), let middle = message.firstRange(of: "' is invalid for '"),
      let end = message[middle.upperBound...].firstRange(of: "'. Please provide one of ")
    else { return nil }
    let value = message[..<middle.lowerBound].dropFirst("The value '".count)
    let name = message[middle.upperBound..<end.lowerBound].prefix { $0 != " " }
    let rest = message[end.upperBound...]
    var choices: [String] = []
    if rest.hasPrefix("the following:") {
      choices = rest.split(separator: " ").dropFirst(2).filter { $0 != "-" }.map { String($0) }
    } else {
      for (index, word) in rest.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      where index % 2 == 1 {
        choices.append(String(word))
      }
    }
    guard let last = choices.last else { return nil }
    let others = choices.dropLast().joined(separator: ", ")
    return "\(name) \(value): use \(others)\(others.isEmpty ? "" : " or ")\(last)"
  }

  /// Returns the command that shows the help of the command or subcommand in these arguments.
  private func helpCommand(_ arguments: [String]) -> String {
    var path: [String] = []
    var commands = commands
    // Commands with subcommands have no options with values, so other words before a subcommand are options.
    for word in arguments where path.isEmpty || !word.hasPrefix("-") {
      guard let command = commands.first(where: { UsageText.names(of: $0).contains(word) }) else { break }
      path.append(word)
      commands = command.configuration.subcommands
    }
    return path.isEmpty ? "dray --help" : "dray help \(path.joined(separator: " "))"
  }
}
