// `dray help COMMAND`: the most important parts on at most two screens; on request everything, the options of a topic,
// or one option.

struct HelpPage {
  let command: CommandReference
  /// The names of the program and the command.
  let name: String
  var layout = HelpLayout()

  /// The maximum number of lines in a short help, which fill two screens.
  static let room = 48

  init(_ command: CommandReference, path: [String], _ layout: HelpLayout = HelpLayout()) {
    (self.command, self.layout) = (command, layout)
    name = (["dray"] + path).joined(separator: " ")
  }

  private var manual: String { "dray-" + (name.split(separator: " ").dropFirst().first ?? "") }

  private var text: CommandText { CommandText(command.discussion) }

  /// The whole help if that is short enough; otherwise the most important part, with as many options as fit on two
  /// screens.
  var short: [String] {
    let whole = all
    if whole.count <= HelpPage.room { return whole }
    for count in (1...OptionTopic.few).reversed() {
      let lines = brief(OptionTopic.usual(command, atMost: count))
      if lines.count <= HelpPage.room || count == 1 { return lines }
    }
    return whole
  }

  var all: [String] {
    var lines = usage + [""] + layout.wrapped(command.abstract ?? "")
    for paragraph in text.paragraphs { lines += [""] + layout.wrapped(paragraph) }
    lines += operands + subcommands
    for (topic, options) in topics {
      lines += ["", topic.map { "\($0.title):" } ?? "Options:"]
      for option in options { lines += entry(option, isWhole: true) }
    }
    return lines + examples + ["", "Manual page: man \(manual)"]
  }

  /// Returns the most important part, with references to the rest.
  private func brief(_ usual: [ArgumentReference]) -> [String] {
    let isAll = usual.count == command.visibleOptions.count
    var lines = usage + [""]
    lines += layout.wrapped(([command.abstract ?? ""] + text.paragraphs.prefix(1)).joined(separator: " "))
    if command.operands.count > 1 { lines += operands }
    lines += subcommands
    if !usual.isEmpty {
      lines += ["", isAll ? "Options:" : "The options that people use most:"]
      for option in usual { lines += layout.entry(OptionText(option).term, OptionTopic.words(option), column: 34) }
    }
    lines += examples + [""]
    let help = "dray help \(name.split(separator: " ").dropFirst().joined(separator: " "))"
    guard !isAll else { return lines + layout.wrapped("In full: `\(help) --all`, or man \(manual)") }
    lines += layout.wrapped("All options: `\(help) --all`, man \(manual). A group: `\(help) NAME`:")
    let named = topics.compactMap(\.topic)
    let width = (named.map(\.name.count).max() ?? 0) + 4
    return lines + layout.columns(named.flatMap { layout.entry($0.name, $0.title.lowercasedFirst, column: width) })
  }

  /// Returns the options of a topic; `nil` if the command has no topic with this name.
  func topic(_ name: String) -> [String]? {
    guard let found = topics.first(where: { $0.topic?.name == name }), let topic = found.topic else { return nil }
    return ["\(self.name): \(topic.title.lowercasedFirst)", ""]
      + found.options.flatMap { entry($0, isWhole: true) }
  }

  var topicNames: [String] { topics.compactMap { $0.topic?.name } }

  private var topics: [(topic: OptionTopic?, options: [ArgumentReference])] {
    OptionTopic.divide(command.visibleOptions)
  }

  private var usage: [String] {
    var words = ["Usage:", name]
    if !command.visibleSubcommands.isEmpty { words.append("<command>") }
    if !command.visibleOptions.isEmpty { words.append("[options]") }
    for operand in command.operands {
      let name = "<\(operand.valueName ?? "value")>" + (operand.isRepeating ? "..." : "")
      words.append(operand.isOptional ? "[\(name)]" : name)
    }
    var lines = [words.joined(separator: " ")]
    if let aliases = command.aliases, !aliases.isEmpty, let start = name.lastIndex(of: " ") {
      lines.append("Also: " + aliases.map { "\(name[..<start]) \($0)" }.joined(separator: ", "))
    }
    return lines
  }

  private var operands: [String] {
    let said = command.operands.flatMap { layout.entry("<\($0.valueName ?? "value")>", $0.abstract ?? "") }
    return said.isEmpty ? [] : [""] + said
  }

  private var subcommands: [String] {
    let below = command.visibleSubcommands
    guard !below.isEmpty else { return [] }
    let width = (below.map(\.commandName.count).max() ?? 0) + 4
    return ["", "Commands (`dray help \(command.commandName) COMMAND` explains one):"]
      + below.flatMap { layout.entry($0.commandName, $0.abstract ?? "", column: width) }
  }

  private var examples: [String] {
    text.examples.isEmpty ? [] : ["", "Examples:"] + text.examples.map { "  \($0)" }
  }

  private func entry(_ option: ArgumentReference, isWhole: Bool) -> [String] {
    let text = OptionText(option)
    return layout.entry(text.term, isWhole ? text.whole : option.abstract ?? "")
      + (isWhole ? text.values.flatMap { layout.entry("    " + $0.value, $0.meaning, column: 20) } : [])
  }
}

struct OptionText {
  let option: ArgumentReference

  init(_ option: ArgumentReference) { self.option = option }

  /// The names of the option, and its value.
  var term: String {
    option.orderedNames.joined(separator: ", ") + (option.shownValue.map { " <\($0)>" } ?? "")
  }

  /// The description of the option without the meanings of its values.
  var whole: String {
    var sentences = [option.abstract, option.discussion].compactMap(\.self)
    if !option.isFlag, let standard = option.defaultValue, !(option.abstract ?? "").contains("(default") {
      sentences.append("Default: \(standard).")
    }
    return sentences.joined(separator: " ")
  }

  /// Those values of the option that have a description.
  var values: [(value: String, meaning: String)] { option.describedValues.filter { !$0.meaning.isEmpty } }
}

extension String {
  /// The text in a form for the middle of a sentence. A word in capitals, such as `FTP`, stays as it is.
  var lowercasedFirst: String {
    guard let first, !(dropFirst().first?.isUppercase ?? false), !(dropFirst().first?.isNumber ?? false) else {
      return self
    }
    return first.lowercased() + dropFirst()
  }
}
