// Translates a typed command line into the form that the parser reads: joined short options, shortened long options,
// and options of other programs.

internal import DrayKit

struct ArgumentSyntax {
  private let longs: [String: ArgumentReference]
  private let shorts: [Character: ArgumentReference]

  /// - Parameter options: The options of the command by their long names.
  init(_ options: [String: ArgumentReference]) {
    longs = options
    var shorts: [Character: ArgumentReference] = [:]
    for argument in options.values {
      for name in argument.names ?? [] where name.kind == "short" { shorts[Character(name.name)] = argument }
    }
    self.shorts = shorts
  }

  /// The options of dray that have another meaning in wget or aria2, such as aria2's `-k 1M`.
  private static let withOtherMeanings: Set<String> = ["-k", "-b", "-T"]

  /// Whether the parser would misunderstand the words instead of rejecting them, as with `-j64 URL`.
  static func isNeeded(for words: some Sequence<String>) -> Bool {
    words.prefix { $0 != "--" }.contains {
      $0.hasPrefix("-") && !$0.hasPrefix("--") && ($0.count > 2 || withOtherMeanings.contains($0))
    }
  }

  /// Returns the words in the form that the parser reads. A line without a command stays as it is.
  /// - Throws: Kind `usage` with the name of the option.
  static func words(of typed: [String], _ catalog: OptionCatalog) throws(Failure) -> [String] {
    guard let (command, count) = catalog.command(in: typed) else { return typed }
    return typed.prefix(count) + (try ArgumentSyntax(command.options).words(typed.dropFirst(count)))
  }

  /// Returns the words in the form that the parser reads.
  /// - Throws: Kind `usage` with the name of the option, if several options begin with the name, or if the option has
  ///   another name in dray.
  func words(_ typed: some Sequence<String>) throws(Failure) -> [String] {
    var words: [String] = []
    var rest = Array(typed)[...]
    while let word = rest.popFirst() {
      if word == "--" { return words + [word] + rest }
      if word == "-" || !word.hasPrefix("-") {
        words.append(word)
      } else if word.hasPrefix("--") {
        words += try long(word, &rest)
      } else {
        words += try short(word, &rest, before: words)
      }
    }
    return words
  }

  /// Reads words without the parser.
  /// - Parameter unknown: Returns the failure for an option that is not among the known ones.
  /// - Returns: The operands, and the values by the long names of the options. A flag has the value `yes`.
  func read(
    _ typed: [String], unknown: (String) -> Failure
  ) throws(Failure) -> (values: [String: [String]], operands: [String]) {
    var (values, operands): ([String: [String]], [String]) = ([:], [])
    var rest = try words(typed)[...]
    while let word = rest.popFirst() {
      if word == "--" { return (values, operands + rest) }
      guard word.hasPrefix("-"), let short = word.dropFirst().first else {
        operands.append(word)
        continue
      }
      let (name, given) = short == "-" ? Self.split(word) : ("\(short)", nil)
      let text = short == "-" ? "--\(name)" : "-\(name)"
      guard let option = short == "-" ? longs[name] : shorts[short] else { throw unknown(text) }
      if option.isFlag {
        guard given == nil else { throw OptionValue.bad(text, "it takes no value") }
        values[option.key] = ["yes"]
      } else {
        guard let value = given ?? rest.popFirst() else { throw OptionValue.bad(text, "it needs a value") }
        values[option.key, default: []].append(value)
      }
    }
    return (values, operands)
  }

  /// Returns the other program's option with this name. Only commands that make requests accept such options: `run -c`
  /// is a mistake.
  private func habit(_ name: String) -> Habit? { longs["user-agent"] == nil ? nil : Habit.named(name) }

  // MARK: Long options

  private func long(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) -> [String] {
    let (name, value) = Self.split(word)
    if let option = longs[name] { return Self.taking(word, option, hasValue: value != nil, &rest) }
    if let habit = habit("--\(name)") { return try words(of: habit, "--\(name)", value, &rest) }
    // The word `--no-NAME` cancels a setting of the configuration. Every command has `--help` and `--version`.
    if ["help", "version"].contains(name) || name.hasPrefix("no-") && longs[String(name.dropFirst(3))] != nil {
      return [word]
    }
    let candidates = longs.filter { $0.key.hasPrefix(name) && !name.isEmpty }
    guard let first = candidates.keys.min(by: { ($0.count, $0) < ($1.count, $1) }), let option = longs[first] else {
      return [word]
    }
    let kinds = Set(candidates.values.map { $0.texts.first ?? "" })
    guard kinds.count == 1 else {
      let names = candidates.keys.sorted().prefix(6).map { "--\($0)" }.joined(separator: ", ")
      throw OptionValue.bad(
        "--\(TextSafety.escaped(name))", "it could be \(names)\(candidates.count > 6 ? ", …" : "")",
        advice: "write more of the name")
    }
    return Self.taking("--" + first + (value.map { "=" + $0 } ?? ""), option, hasValue: value != nil, &rest)
  }

  /// Splits a long option into its name without dashes, and the text after `=`.
  private static func split(_ word: String) -> (name: String, value: String?) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
  }

  /// Returns the words for an option. The next word is its value, even if that word looks like an option.
  private static func taking(
    _ word: String, _ option: ArgumentReference, hasValue: Bool, _ rest: inout ArraySlice<String>
  ) -> [String] {
    guard !option.isFlag, !hasValue, let value = rest.popFirst() else { return [word] }
    // The parser would take a negative number for an option.
    let isNegative = value.hasPrefix("-") && Int(value) != nil
    return isNegative && word.hasPrefix("--") ? ["\(word)=\(value)"] : [word, value]
  }

  // MARK: Short options

  private func short(
    _ word: String, _ rest: inout ArraySlice<String>, before: [String]
  ) throws(Failure) -> [String] {
    // In wget, some short options have two letters, such as -nc.
    if word.count == 3, shorts[word[word.index(after: word.startIndex)]] == nil, let habit = habit(word) {
      return try words(of: habit, word, nil, &rest)
    }
    var words: [String] = []
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = shorts[letter] else {
        let (name, value) = ("-\(letter)", letters.isEmpty ? nil : String(letters))
        // If a number follows, `-s` is aria2's `--split` and not curl's `--silent`, because no URL is a number.
        if letter == "s", let given = value ?? rest.first, Int(given) != nil {
          if value == nil { rest.removeFirst() }
          return words + ["--max-connections", given]
        }
        // In curl `-O` is a flag. In wget it takes the name of a file, where `-` means standard output.
        if letter == "O", longs["output"] != nil, value == "-" || value == nil && rest.first == "-" {
          if value == nil { rest.removeFirst() }
          return words + ["--output", "-"]
        }
        if letter == "O", let value, !areFlags(letters) { throw Self.takesNoName(value) }
        // The option `-m` is `--max-time` in curl and `--mirror` in wget.
        if letter == "m", longs["max-time"] != nil, let given = value ?? rest.first, Double(given) != nil {
          if value == nil { rest.removeFirst() }
          // The value 0 removes the limit, even one that the configuration sets.
          return words + (Double(given) == 0 ? ["--no-max-time"] : ["--max-time", given])
        }
        // A single dash at this place would become `--`.
        if letter == "-" { throw OptionValue.bad(TextSafety.escaped(word), "a dash is not an option") }
        guard let habit = habit(name) else {
          // The letter that is not an option is passed alone, so that the error of the parser names it.
          return words + [name] + (letters.isEmpty ? [] : ["-\(letters)"])
        }
        if letters.isEmpty { try Self.refuseValue(of: letter, rest, before: before) }
        if habit.value == .required { return words + (try self.words(of: habit, name, value, &rest)) }
        words += try self.words(of: habit, name, nil, &rest)
        continue
      }
      if option.isFlag {
        // The option `-k` is `--insecure` in curl and `--min-split-size` in aria2.
        if letter == "k" {
          if letters.count > 1, Self.isSize(letters) { return words }
          if letters.isEmpty, let next = rest.first, Self.isSize(next[...]) {
            rest.removeFirst()
            return words
          }
        }
        words.append("-\(letter)")
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      if let value = letters.isEmpty ? rest.first : String(letters) { try Self.refuse(value, for: letter) }
      let long = option.names?.first { $0.kind == "long" }?.text ?? "-\(letter)"
      if !letters.isEmpty { return words + ["\(long)=\(letters)"] }
      return words + Self.taking("-\(letter)", option, hasValue: false, &rest)
    }
    return words
  }

  /// Whether all letters are options that take no value. The last one may take the next word as its value.
  private func areFlags(_ letters: Substring) -> Bool {
    letters.indices.allSatisfy { index in
      let isLast = letters.index(after: index) == letters.endIndex
      if let option = shorts[letters[index]] { return option.isFlag || isLast }
      return habit("-\(letters[index])").map { $0.value != .required || isLast } ?? false
    }
  }

  /// Whether a text is a value of aria2's -k, such as `1M`.
  private static func isSize(_ text: Substring) -> Bool {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && ["", "k", "m", "g"].contains(text[digits.endIndex...].lowercased())
  }

  private static func takesNoName(_ name: some StringProtocol) -> Failure {
    OptionValue.bad("-O", "it takes no name here", advice: "write -o \(TextSafety.escaped(String(name)))")
  }

  /// Refuses a value for wget's -O or curl's -c. In dray these two options take no value, so the parser would take the
  /// value for a URL.
  /// - Parameter before: The words that precede the option.
  private static func refuseValue(
    of letter: Character, _ rest: ArraySlice<String>, before: [String]
  ) throws(Failure) {
    guard let next = rest.first, !next.hasPrefix("-"), !next.contains("://"),
      (rest.dropFirst() + before).contains(where: { $0.contains("://") })
    else { return }
    switch letter {
    case "O": throw takesNoName(next)
    case "c":
      throw OptionValue.bad(
        "-c", "it means continue, as in wget and aria2", advice: "write --cookie-jar \(TextSafety.escaped(next))")
    default: break
    }
  }

  /// Refuses values that make sense only if the user meant the option of wget with this letter.
  private static func refuse(_ value: String, for letter: Character) throws(Failure) {
    switch letter {
    case "b" where value.contains("://"):
      throw OptionValue.bad(
        "-b", "it means --cookie, and this is a URL", advice: "in the background: `dray add URL`, then `dray run`")
    case "T" where Double(value) != nil:
      throw OptionValue.bad(
        "-T", "it means --upload-file, and this is a number",
        advice: "write --connect-timeout \(value) and --stall-timeout \(value), or ./\(value) for a file of that name")
    default: break
    }
  }

  // MARK: Options of other programs

  private func words(
    of habit: Habit, _ name: String, _ value: String?, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> [String] {
    let given = habit.value == .required ? value ?? rest.popFirst() : value
    if habit.value == .required, given == nil, !habit.isRefused { throw OptionValue.bad(name, "its value is missing") }
    return try known(try habit.words(for: given ?? "", name), name)
  }

  /// Checks that this command has the option with which the words begin.
  private func known(_ words: [String], _ name: String) throws(Failure) -> [String] {
    // A word that is not an option is an operand.
    guard let option = words.first, option.hasPrefix("--"), longs[String(option.dropFirst(2))] == nil else {
      return words
    }
    throw OptionValue.bad(name, "this command has no \(option)")
  }
}
