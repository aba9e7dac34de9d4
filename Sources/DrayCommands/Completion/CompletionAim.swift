// Finds out from the definition of the command line what the word at the cursor can be.

/// What the word at the cursor can be.
enum CompletionAim: Equatable {
  case commands(path: [String])
  case options(path: [String])
  /// The value of an option, or the operand with the index `position`. If the word begins with the option, `prefix` is
  /// that beginning.
  case value(path: [String], name: String, position: Int, prefix: String)
  /// An argument of `dray help` that follows a command.
  case help(path: [String])
  /// A file, as for `--config`.
  case file(prefix: String)
  /// A directory, as for `--store` and `--shared-dir`.
  case directory(prefix: String)
  case nothing

  private var isValue: Bool { if case .value = self { true } else { false } }

  /// Reads a command line.
  /// - Parameters:
  ///   - words: The words before the word at the cursor, without the name of the program.
  ///   - current: The part of the word at the cursor that is before the cursor.
  static func read(_ root: CommandReference, _ words: [String], _ current: String) -> CompletionAim {
    var words = words
    for (name, isFile) in [("--config", true), ("--store", false), ("--shared-dir", false)] {
      if words.last == name { return isFile ? .file(prefix: "") : .directory(prefix: "") }
      if current.hasPrefix(name + "=") { return isFile ? .file(prefix: name + "=") : .directory(prefix: name + "=") }
      while let place = words.firstIndex(of: name), place + 1 < words.count { words.removeSubrange(place...place + 1) }
      words.removeAll { $0.hasPrefix(name + "=") }
    }
    words.removeAll { ["--no-config", "--local-targets"].contains($0) }
    if words == ["--host"] || words.isEmpty && current.hasPrefix("--host=") { return .nothing }
    if let first = words.first, first == "--host" || first.hasPrefix("--host=") {
      let aim = read(root, Array(words.dropFirst(first == "--host" ? 2 : 1)), current)
      // Jobs and files cannot be completed, because they are those of another machine.
      return aim.isValue ? .nothing : aim
    }
    if words.first == "help" {
      let (command, path) = root.command(in: words.dropFirst())
      if current.hasPrefix("-") { return .help(path: path) }
      if path.isEmpty { return words.count == 1 ? .commands(path: []) : .nothing }
      return command.visibleSubcommands.isEmpty ? .help(path: path) : .commands(path: path)
    }
    let (command, path) = root.command(in: words)
    let rest = words.dropFirst(path.count)
    if !command.visibleSubcommands.isEmpty, rest.isEmpty {
      return current.hasPrefix("-") ? .options(path: path) : .commands(path: path)
    }
    guard !path.isEmpty else { return .nothing }
    var scan = Scan(command, path)
    for word in rest { scan.pass(word) }
    return scan.aim(current)
  }

  /// Goes through the words of one command.
  private struct Scan {
    let command: CommandReference
    let path: [String]
    private var position = 0
    private var isTerminated = false
    /// The option whose value is the next word.
    private var pending: ArgumentReference?
    /// Whether the next word is the value of another program's option.
    private var isForeign = false

    init(_ command: CommandReference, _ path: [String]) { (self.command, self.path) = (command, path) }

    func aim(_ current: String) -> CompletionAim {
      if isForeign { return .nothing }
      if let pending { return value(pending, "") }
      guard !isTerminated, current.hasPrefix("-") else { return operand() }
      if current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
        guard let option = long(String(current[..<equals])), !option.isFlag else { return .nothing }
        return value(option, String(current[...equals]))
      }
      guard !current.hasPrefix("--"), current.count > 1 else { return .options(path: path) }
      // The word consists of short options, and the value of the last one may follow it directly.
      for index in current.indices.dropFirst() {
        guard let option = command.option("-\(current[index])") else { return .nothing }
        if !option.isFlag { return value(option, String(current[...index])) }
      }
      return .nothing
    }

    mutating func pass(_ word: String) {
      if isForeign || pending != nil {
        (isForeign, pending) = (false, nil)
      } else if isTerminated || word == "-" || !word.hasPrefix("-") {
        position += 1
      } else if word == "--" {
        isTerminated = true
      } else if word.hasPrefix("--") {
        guard !word.contains("=") else { return }
        if let option = long(word) {
          pending = option.isFlag ? nil : option
        } else {
          isForeign = Habit.named(word)?.value == .required
        }
      } else {
        for index in word.indices.dropFirst() {
          guard let option = command.option("-\(word[index])") else {
            isForeign = word.index(after: index) == word.endIndex && Habit.named("-\(word[index])")?.value == .required
            return
          }
          guard option.isFlag else {
            pending = word.index(after: index) == word.endIndex ? option : nil
            return
          }
        }
      }
    }

    /// Returns the option with a long name, which may be abbreviated if only one option begins with it.
    private func long(_ text: String) -> ArgumentReference? {
      if let option = command.option(text) { return option }
      let found = command.visibleOptions.filter { $0.texts.contains { $0.hasPrefix(text) } }
      return found.count == 1 ? found.first : nil
    }

    private func value(_ option: ArgumentReference, _ prefix: String) -> CompletionAim {
      .value(path: path, name: "--\(option.key)", position: 0, prefix: prefix)
    }

    private func operand() -> CompletionAim {
      let operands = command.operands
      let place = min(position, operands.count - 1)
      guard operands.indices.contains(place), place == position || operands[place].isRepeating else { return .nothing }
      return .value(path: path, name: "", position: place, prefix: "")
    }
  }
}
