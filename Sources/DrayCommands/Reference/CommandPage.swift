// The manual page of a command: synopsis, description, operands, options, sections from a text file, examples.

internal import DrayKit

struct CommandPage {
  private let root: CommandReference
  private let command: CommandReference
  private let written: [ManualTexts.Section]
  private var name: String { "dray-\(command.commandName)" }

  /// If a page has more options than this, those that other commands also have are described briefly.
  private static let many = 30

  /// - Parameter texts: The parts of pages that are written by hand.
  init(_ root: CommandReference, _ command: CommandReference, _ texts: ManualTexts) throws(Failure) {
    (self.root, self.command) = (root, command)
    written = try texts.sections("dray-\(command.commandName).1")
  }

  var page: ManualPage {
    var page = ManualPage(name: name, line: Self.line(command))
    let text = CommandText(command.discussion)
    page.body += ".Sh SYNOPSIS\n" + (command.visibleSubcommands.isEmpty ? synopsis(command, []) : "")
    for below in command.visibleSubcommands { page.body += synopsis(below, [command.commandName]) }
    page.body += ".Sh DESCRIPTION\n" + description(command, text, "dray")
    if !command.visibleSubcommands.isEmpty { page.body += ".Sh COMMANDS\n" + subcommands }
    page.body += optionSection
    for (title, body) in written { page.add(title, body) }
    page.add("EXIT STATUS", "As in dray(1), which also has environment and files.")
    page.body += Self.examples(text, title: "EXAMPLES")
    page.add("SEE ALSO", seeAlso)
    return page
  }

  /// Returns the abstract for the section NAME.
  private static func line(_ command: CommandReference) -> String {
    var line = (command.abstract ?? "").lowercasedFirst
    while line.hasSuffix(".") { line.removeLast() }
    return line
  }

  /// Returns a synopsis such as `dray cookies list [options] [domain]`.
  private func synopsis(_ command: CommandReference, _ above: [String]) -> String {
    var text = ".Nm dray\n.Cm \((above + [command.commandName]).map(Mdoc.escape).joined(separator: " "))\n"
    if !command.visibleOptions.isEmpty { text += ".Op Ar options\n" }
    for operand in command.operands {
      let name = Mdoc.escape(operand.valueName ?? "value") + (operand.isRepeating ? " ..." : "")
      text += operand.isOptional ? ".Op Ar \(name)\n" : ".Ar \(name)\n"
    }
    return text
  }

  /// - Parameter above: The words that precede the aliases of the command.
  private func description(_ command: CommandReference, _ text: CommandText, _ above: String) -> String {
    var paragraphs = [command.abstract ?? ""] + text.paragraphs
    if let aliases = command.aliases, !aliases.isEmpty {
      paragraphs[0] += " It is also called \(aliases.map { "`\(above) \($0)`" }.joined(separator: ", "))."
    }
    var body = Mdoc.body(paragraphs.joined(separator: "\n\n"))
    if !command.operands.isEmpty {
      body += ".Bl -tag -width Ds\n"
      for operand in command.operands {
        body += ".It Ar \(Mdoc.escape(operand.valueName ?? "value"))\(operand.isRepeating ? " ..." : "")\n"
        body += Mdoc.prose(operand.abstract ?? "")
      }
      body += ".El\n"
    }
    return body
  }

  private var subcommands: String {
    command.visibleSubcommands.map { below in
      let text = CommandText(below.discussion)
      var body = ".Ss \(Mdoc.escape("dray \(command.commandName) \(below.commandName)"))\n"
      body +=
        description(below, text, "dray \(command.commandName)") + Self.options(below.visibleOptions, isWhole: true)
      if !text.examples.isEmpty { body += Mdoc.literal(text.examples) }
      return body
    }.joined()
  }

  // MARK: Options

  private var optionSection: String {
    let options = command.visibleOptions
    guard !options.isEmpty else { return "" }
    var body = ".Sh OPTIONS\n"
    if isShort { body += Mdoc.prose("Options without details here are those of dray-get(1), which describes them.") }
    for (topic, options) in OptionTopic.divide(options) {
      if let topic { body += ".Ss \(Mdoc.escape(topic.title))\n" }
      body += Self.list(options) { isWhole($0) }
    }
    return body
  }

  private var isShort: Bool { !command.visibleOptions.allSatisfy(isWhole) }

  /// Whether this page describes an option in full. A long page does so only for the command's own options, and for
  /// options that no earlier command has.
  private func isWhole(_ option: ArgumentReference) -> Bool {
    if option.isOwn || command.visibleOptions.count <= Self.many { return true }
    let first = root.visibleSubcommands.first { other in
      other.visibleOptions.contains { !$0.isOwn && $0.key == option.key }
    }
    return first?.commandName == command.commandName
  }

  static func options(_ options: [ArgumentReference], isWhole: Bool) -> String { list(options) { _ in isWhole } }

  private static func list(_ options: [ArgumentReference], isWhole: (ArgumentReference) -> Bool) -> String {
    guard !options.isEmpty else { return "" }
    return ".Bl -tag -width Ds\n" + options.map { entry($0, isWhole: isWhole($0)) }.joined() + ".El\n"
  }

  private static func entry(_ option: ArgumentReference, isWhole: Bool) -> String {
    let text = OptionText(option)
    // The dash before a flag is left out, because mdoc writes it.
    let names = option.orderedNames.map { "Fl " + Mdoc.escape(String($0.dropFirst())) }
    var body = ".It " + names.joined(separator: " , ")
    if let value = option.shownValue { body += " Ar " + Mdoc.escape(value) }
    body += "\n" + Mdoc.prose(isWhole ? text.whole : option.abstract ?? "")
    guard isWhole, !text.values.isEmpty else { return body }
    body += ".Bl -tag -width overwrite -compact\n"
    for (value, meaning) in text.values { body += ".It Cm \(Mdoc.escape(value))\n" + Mdoc.prose(meaning.sentence) }
    return body + ".El\n"
  }

  // MARK: The end

  private static func examples(_ text: CommandText, title: String) -> String {
    text.examples.isEmpty ? "" : ".Sh \(title)\n" + Mdoc.literal(text.examples)
  }

  /// The pages of the other commands in the same group, and related pages.
  private var seeAlso: String {
    let group = CommandGroup.divide(root.visibleSubcommands).first { group in
      group.commands.contains { $0.commandName == command.commandName }
    }
    var names = ["dray(1)"]
    if isShort { names.append("dray-get(1)") }
    names += (group?.commands ?? []).map { "dray-\($0.commandName)(1)" }
    names += ["dray-config(5)", "dray-formats(7)"]
    var seen: Set<String> = ["\(name)(1)"]
    return names.filter { seen.insert($0).inserted }.joined(separator: ", ")
  }
}

extension String {
  var sentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}
