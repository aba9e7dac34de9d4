// Selects the page for `dray help …` and `--help`.

internal import DrayKit
internal import TerminalUI

struct HelpRequest {
  let root: CommandReference
  let layout: HelpLayout

  /// Returns the words that `dray help` would have for a request for help anywhere in a command line.
  static func words(_ typed: [String]) -> (words: [String], isStrict: Bool) {
    if typed.first == "help" { return (Array(typed.dropFirst()), true) }
    let plain = typed.prefix { $0 != "--" }
    let path = plain.prefix { !$0.hasPrefix("-") }
    // As in curl, a word may follow: `dray get --help http`.
    guard let flag = plain.firstIndex(where: { ["-h", "--help"].contains($0) }), flag + 1 < plain.endIndex else {
      return (Array(path), false)
    }
    return (path + [plain[flag + 1]], false)
  }

  /// Returns the page as a text that ends with a line end.
  /// - Parameter isStrict: Whether a word that is not known is an error. If not, such words are ignored, for example
  ///   the operands of a typed command.
  /// - Throws: Kind `usage` for a topic or an option that does not exist.
  func page(_ words: [String], isStrict: Bool = true) throws(Failure) -> String {
    let (command, path) = root.command(in: words)
    var pages: [[String]] = []
    for word in words.dropFirst(path.count) where word != "help" && word != "-h" && word != "--help" {
      do throws(Failure) {
        pages.append(try page(about: word, of: command, path))
      } catch {
        if isStrict { throw error }
      }
    }
    if pages.isEmpty { pages = [path.isEmpty ? overview : HelpPage(command, path: path, layout).short] }
    return pages.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private func page(
    about word: String, of command: CommandReference, _ path: [String]
  ) throws(Failure) -> [String] {
    if word == "--all" || word == "all" {
      return path.isEmpty ? everyCommand : HelpPage(command, path: path, layout).all
    }
    if word.hasPrefix("-") { return try option(word, command, path) }
    if path.isEmpty, word == SourceHelp.topic {
      return SourceHelp(layout: layout, sources: CommandContext.current.sources).lines
    }
    let page = HelpPage(command, path: path, layout)
    if let topic = page.topic(word) { return topic }
    let subject = "dray help \(TextSafety.escaped((path + [word]).joined(separator: " ").start(80)))"
    guard !path.isEmpty else {
      throw Failure(.usage, subject, "no such command", advice: "see `dray --help`")
    }
    let names = page.topicNames.isEmpty ? command.visibleSubcommands.map(\.commandName) : page.topicNames
    guard !names.isEmpty else {
      let help = path.joined(separator: " ")
      throw Failure(.usage, subject, "`\(page.name)` has no groups of options", advice: "see `dray help \(help)`")
    }
    let nearest = NearestName.find(word, among: names).map { "did you mean \($0)? " } ?? ""
    throw Failure(
      .usage, subject, page.topicNames.isEmpty ? "no such command" : "no such group of options",
      advice: Advice("\(nearest)there are \(names.joined(separator: ", ")), and --all"))
  }

  // MARK: The overview

  /// The output of `dray --help`. With 80 columns it fits on a screen of 24 lines together with the prompt after it.
  var overview: [String] {
    // The command `help` is left out of the list, because the last lines describe it.
    let divided = CommandGroup.divide(root.visibleSubcommands)
    let width = (divided.flatMap(\.commands).map(\.commandName.count).max() ?? 0) + 2
    let blocks = divided.map { group in
      [group.title + ":"]
        + group.commands.map { command in
          let cell = "  " + TextFit.paddedRight(command.commandName, width: width) + CommandGroup.words(command)
          return TextFit.truncatedEnd(cell, width: HelpRequest.widestCell)
        }
    }
    return layout.wrapped(root.abstract ?? "") + layout.wrapped("Usage: dray <command> [options] [arguments]")
      + layout.beside(blocks)
      + layout.wrapped("More: `dray help COMMAND`, `--OPTION`, `sources`, `--all`, man dray.")
      + layout.wrapped("With all: --config FILE, --no-config, --store STORE, --host HOST. Version: -V.")
  }

  /// With this width, two columns fit 80 columns.
  private static let widestCell = 39

  private var everyCommand: [String] {
    var lines: [String] = []
    for (title, commands) in CommandGroup.divide(root.visibleSubcommands) {
      lines += (lines.isEmpty ? [] : [""]) + ["\(title):"]
      for command in commands {
        lines += layout.entry(command.commandName, command.abstract ?? "", column: 18)
        for below in command.visibleSubcommands {
          lines += layout.entry("\(command.commandName) \(below.commandName)", below.abstract ?? "", column: 18)
        }
      }
    }
    return lines
  }

  // MARK: One option

  /// Returns the help about an option of a command; if `path` is empty, about an option of all commands.
  private func option(_ typed: String, _ command: CommandReference, _ path: [String]) throws(Failure) -> [String] {
    let word = typed.hasPrefix("--") ? String(typed.prefix { $0 != "=" }) : typed
    let commands = path.isEmpty ? everyNamedCommand : [(path.joined(separator: " "), command)]
    var variants: [(lines: [String], users: [String])] = []
    for (name, command) in commands {
      guard let option = command.option(word) else { continue }
      let text = OptionText(option)
      let lines =
        [text.term] + layout.wrapped(text.whole, indent: 4)
        + text.values.flatMap { layout.entry("  " + $0.value, $0.meaning, column: 16) }
      if let same = variants.firstIndex(where: { $0.lines == lines }) {
        variants[same].users.append(name)
      } else {
        variants.append((lines, [name]))
      }
    }
    if let global = root.option(word), path.isEmpty {
      let text = OptionText(global)
      variants.insert(([text.term] + layout.wrapped(text.whole + " With every command.", indent: 4), []), at: 0)
    }
    guard variants.isEmpty else {
      return variants.enumerated().flatMap { index, variant in
        let users = variant.users.map { "dray \($0)" }.joined(separator: ", ")
        return (index > 0 ? [""] : []) + variant.lines
          + (users.isEmpty ? [] : layout.wrapped("Of \(users).", indent: 4))
      }
    }
    if let habit = Habit.named(word) {
      return [habit.names.joined(separator: ", ")]
        + layout.wrapped("An option of another program: \(habit.sentence)", indent: 4)
    }
    let names = Set(commands.flatMap { $0.command.visibleOptions.flatMap(\.texts) }).sorted()
    let nearest = NearestName.find(word, among: names)
    throw Failure(
      .usage, "\(path.isEmpty ? "dray" : "dray " + path.joined(separator: " ")) \(TextSafety.escaped(word))",
      "no such option",
      advice: Advice(
        nearest.map { "did you mean \($0)?" }
          ?? "see `dray help \((path.isEmpty ? ["get"] : path).joined(separator: " ")) --all`"))
  }

  private var everyNamedCommand: [(name: String, command: CommandReference)] {
    root.visibleSubcommands.flatMap { command in
      [(command.commandName, command)]
        + command.visibleSubcommands.map { ("\(command.commandName) \($0.commandName)", $0) }
    }
  }
}
