// The manual page in mdoc(7): the commands out of the definition, the rest as written in ManualText.

internal import DrayKit

enum ManualPage {
  /// The date of the release, not of the day: the page must be the same whenever it is made.
  static let date = "November 21, 2026"

  static func text(_ root: CommandReference) -> String {
    var page = """
      .\\" Made by `make generate` out of the program's own definition; edit Sources/DrayCommands instead.
      .Dd \(date)
      .Dt DRAY 1
      .Os
      .Sh NAME
      .Nm dray
      .Nd fetch files, complete and verified: queue, transfer, watch, resume
      .Sh SYNOPSIS

      """
    for command in root.visibleSubcommands { page += synopsis(command) }
    page += Mdoc.section("DESCRIPTION", ManualText.description)
    page += ".Ss Commands\n.Bl -tag -width Ds\n"
    for command in root.visibleSubcommands {
      page += entry(command)
      for nested in command.visibleSubcommands { page += entry(nested, below: command.commandName) }
    }
    page += ".El\n"
    page += shared(root)
    for (title, body) in ManualText.sections { page += Mdoc.section(title, body) }
    return page
  }

  /// `.Nm dray Cm get Op Ar options …`
  private static func synopsis(_ command: CommandReference) -> String {
    var line = ".Nm\n.Cm \(command.commandName)\n"
    if command.visibleArguments.contains(where: { $0.kind != "positional" }) { line += ".Op Ar options\n" }
    for argument in command.visibleArguments where argument.kind == "positional" {
      let name = Mdoc.escape(argument.valueName ?? "value") + (argument.isRepeating ? " ..." : "")
      line += argument.isOptional ? ".Op Ar \(name)\n" : ".Ar \(name)\n"
    }
    return line
  }

  /// A command with the options that are its own.
  private static func entry(_ command: CommandReference, below parent: String? = nil) -> String {
    var text = ".It Cm \(parent.map { $0 + " " } ?? "")\(command.commandName)"
    for argument in command.visibleArguments where argument.kind == "positional" {
      text += " Ar " + Mdoc.escape(argument.valueName ?? "value") + (argument.isRepeating ? " ..." : "")
    }
    text += "\n" + Mdoc.prose(command.abstract ?? "")
    if let aliases = command.aliases, !aliases.isEmpty {
      text += Mdoc.prose("Also \(aliases.map { "`\($0)`" }.joined(separator: ", ")).")
    }
    if let discussion = command.discussion { text += ".Pp\n" + Mdoc.body(paragraphs(discussion)) }
    let own = command.visibleArguments.filter { $0.kind != "positional" && $0.sectionTitle == nil }
    return text + options(own)
  }

  /// A discussion as the page has it: the heading of its examples is a line of text there.
  private static func paragraphs(_ discussion: String) -> String {
    discussion.replacing("\nEXAMPLES\n", with: "\nExamples:\n").replacing("\nEXAMPLE\n", with: "\nExample:\n")
  }

  /// The groups of options that several commands share, each once.
  private static func shared(_ root: CommandReference) -> String {
    var text = ""
    var seen: [String] = []
    for command in root.visibleSubcommands {
      for title in command.visibleArguments.compactMap(\.sectionTitle) where !seen.contains(title) {
        seen.append(title)
        let users = root.visibleSubcommands.filter { $0.visibleArguments.contains { $0.sectionTitle == title } }
        text += ".Ss \(Mdoc.escape(title))\n"
        text += Mdoc.prose("Of \(users.map { "`\($0.commandName)`" }.joined(separator: ", ")).")
        let members = command.visibleArguments.filter { $0.sectionTitle == title }
        text += options(members.filter { $0.kind != "positional" })
      }
    }
    return text
  }

  private static func options(_ arguments: [ArgumentReference]) -> String {
    guard !arguments.isEmpty else { return "" }
    var text = ".Bl -tag -width Ds\n"
    for argument in arguments {
      // mdoc writes the first dash of a flag itself.
      let names = (argument.names ?? []).map { "Fl " + Mdoc.escape(String($0.text.dropFirst())) }
      text += ".It " + names.joined(separator: " , ")
      if argument.kind == "option", let value = argument.valueName { text += " Ar " + Mdoc.escape(value) }
      text += "\n" + Mdoc.prose(argument.abstract ?? "")
      if let discussion = argument.discussion { text += Mdoc.prose(discussion) }
      if let values = argument.allValues, !values.isEmpty {
        text += Mdoc.prose("One of \(values.map { "`\($0)`" }.joined(separator: ", ")).")
      }
      if let standard = argument.defaultValue, argument.kind == "option" {
        text += Mdoc.prose("Default: `\(standard)`.")
      }
    }
    return text + ".El\n"
  }
}
