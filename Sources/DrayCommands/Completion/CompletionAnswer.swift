// The candidates for a command line in the form that the completion scripts read: one in each line, with its meaning
// after a tab. A line that begins with a colon is an instruction for the script (``CompletionScript``).

internal import DrayKit

struct CompletionAnswer {
  let root: CommandReference
  /// Calls the completion function that an option's own definition contains.
  var custom: ([String]) -> [String] = { _ in [] }
  /// The sources whose schemes begin names.
  var sources = CommandContext.current.sources
  /// Returns the jobs in these states whose ids begin with a text.
  var jobs: (Set<JobState>, String) -> [Candidate] = JobCandidates.find

  /// Returns the candidates as lines of text.
  /// - Parameter question: The words of the command line that follow the name of the program. The last of them is the
  ///   part of the word at the cursor that is before the cursor.
  func text(_ question: [String]) -> String {
    let (words, current) = (Array(question.dropLast()), question.last ?? "")
    let aim = CompletionAim.read(root, words, current)
    var lines: [String]
    switch aim {
    case .nothing: lines = []
    case .file(let prefix): lines = [":prefix \(prefix)", ":files"]
    case .directory(let prefix): lines = [":prefix \(prefix)", ":directories"]
    case .commands(let path):
      lines = commands(path)
    case .options(let path):
      lines = options(path, words)
    case .help(let path):
      lines = help(path, current)
    case .value(let path, let name, let position, let prefix):
      let command = root.command(in: path).command
      let found = name.isEmpty ? command.operands[position] : command.option(name)
      lines = found.map { values($0, path, words, current, prefix, position) } ?? []
    }
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: Commands and options

  private func commands(_ path: [String]) -> [String] {
    let command = root.command(in: path).command
    guard path.isEmpty else {
      return [":group commands"] + command.visibleSubcommands.map { line($0.commandName, $0.abstract) }
    }
    return CommandGroup.divide(root.visibleSubcommands).flatMap { title, commands in
      [":group \(title.lowercased())"] + commands.map { line($0.commandName, $0.abstract) }
    } + [line("help", "Explain a command or an option.")]
  }

  /// Returns the options that can still be given; the most important ones come first.
  private func options(_ path: [String], _ words: [String]) -> [String] {
    let command = root.command(in: path).command
    let given = Set(words.map { String($0.prefix { $0 != "=" }) })
    func isOpen(_ option: ArgumentReference) -> Bool { option.isRepeating || given.isDisjoint(with: option.texts) }
    let usual = OptionTopic.usual(command)
    let keys = Set(usual.map(\.key))
    var lines = [":group \(usual.count < command.visibleOptions.count ? "usual options" : "options")"]
    lines += usual.filter(isOpen).map(line)
    for (topic, options) in OptionTopic.divide(command.visibleOptions) {
      let rest = options.filter { !keys.contains($0.key) && isOpen($0) }
      if let topic, !rest.isEmpty { lines += [":group \(topic.title.lowercasedFirst)"] }
      lines += rest.map(line)
    }
    if path.isEmpty { lines.append(line("--version", "Show the version.")) }
    return lines + [line("--help", "Show help.")]
  }

  private func help(_ path: [String], _ current: String) -> [String] {
    let command = root.command(in: path).command
    if current.hasPrefix("-") {
      // If the line has no command yet, the options of all commands are candidates.
      let commands = path.isEmpty ? root.visibleSubcommands : [command]
      var seen: Set<String> = []
      let options = commands.flatMap(\.visibleOptions).filter { seen.insert($0.key).inserted }
      return [line("--all", "Everything.")] + options.filter { $0.key != "all" }.map(line)
    }
    return [":group groups of options"]
      + OptionTopic.divide(command.visibleOptions).compactMap(\.topic).map { line($0.name, $0.title) }
  }

  private func line(_ option: ArgumentReference) -> String {
    line("--\(option.key)", option.abstract)
  }

  private func line(_ word: String, _ meaning: String?) -> String {
    guard let meaning, !meaning.isEmpty else { return word }
    return word + "\t" + meaning.replacing("\n", with: " ").replacing("\t", with: " ")
  }

  // MARK: Values

  private func values(
    _ argument: ArgumentReference, _ path: [String], _ words: [String], _ current: String, _ start: String,
    _ position: Int
  ) -> [String] {
    // In a list that is separated by commas, only the last element is completed.
    var prefix = start
    let typed = current.dropFirst(start.count)
    let kinds = (argument.valueName ?? "").split(separator: "|").map(String.init)
    let isList = argument.isRepeating && !argument.isFlag && argument.kind == "option"
    if isList, let comma = typed.lastIndex(of: ",") { prefix += typed[...comma] }
    let word = String(current.dropFirst(prefix.count))
    var lines = prefix.isEmpty ? [] : [":prefix \(prefix)"]
    if kinds.contains("id") {
      let given = Set(argument.isRepeating ? words + prefix.split(separator: ",").map(String.init) : [])
      let name = argument.kind == "positional" ? nil : argument.key
      let states = JobCandidates.states(path, option: name, words: words)
      lines.append(":group jobs")
      lines += jobs(states, word).filter { !given.contains($0.word) }.map { line($0.word, $0.meaning) }
    }
    if argument.kind == "positional", kinds.contains("url"), ["get", "add", "info"].contains(path.first) {
      let found = sources.rows.filter { "\($0.scheme):".hasPrefix(word) }
      lines += found.isEmpty ? [] : [":group names"] + found.map { line("\($0.scheme):", $0.about.summary) }
    }
    if !argument.describedValues.isEmpty {
      return lines + [":group \(argument.key)"] + argument.describedValues.map { line($0.value, $0.meaning) }
    }
    switch argument.completionKind?.name {
    case "file":
      let extensions = argument.completionKind?.extensions ?? []
      lines.append(([":files"] + extensions).joined(separator: " "))
    case "directory":
      lines.append(":directories")
    case "list":
      lines.append(":group \(argument.key)")
      lines += (argument.completionKind?.values ?? []).map { line($0, JobCandidates.meaning(ofState: $0)) }
    case "custom", "customAsync":
      guard !kinds.contains("id") else { break }
      let name = argument.kind == "positional" ? "positional@\(position)" : "--\(argument.key)"
      let all = words + [current]
      lines += custom(path + ["--", name, "\(words.count)", "\(current.count)"] + all)
    default: break
    }
    return lines
  }
}
