// The options of a command that a service carries out. The code in this file has no effects outside its values.

internal import DrayKit

struct RemoteOptions {
  private(set) var flags: Set<String> = []
  private(set) var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  private let command: String
  private var knownFlags: Set<String> = []
  private var knownValues: Set<String> = []
  private var shorts: [Character: String] = [:]
  /// Options whose settings have other names.
  private static let renamed = ["output": "out"]

  init(_ command: String) { self.command = command }

  // MARK: Known options

  mutating func allow(flags: Set<String> = [], values: Set<String> = [], short: [Character: String] = [:]) {
    knownFlags.formUnion(flags)
    knownValues.formUnion(values)
    shorts.merge(short) { $1 }
  }

  /// Allows the options for settings that a list may contain, and the options of `add` that concern lists.
  mutating func allowSettings() {
    allow(
      flags: ["quiet"], values: ["dir", "output", "input-file", "mirror"],
      short: ["q": "quiet", "o": "output", "i": "input-file", "d": "dir"])
    for setting in Setting.listed where !["dir", "out"].contains(setting.name) {
      if setting.isFlag { knownFlags.insert(setting.name) } else { knownValues.insert(setting.name) }
      if let short = setting.help?.short { shorts[short] = setting.name }
    }
  }

  // MARK: Reading

  mutating func read(_ words: [String]) throws(Failure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return
      }
      if word.hasPrefix("--") {
        let (name, value) = RemoteOptions.parts(word.dropFirst(2))
        try take(String(name), "--\(name)", value, &rest)
      } else if word.hasPrefix("-"), let short = word.dropFirst().first {
        guard let name = shorts[short] else { throw refusal("-\(short)") }
        let joined = word.dropFirst(2)
        try take(name, "-\(short)", joined.isEmpty ? nil : String(joined), &rest)
      } else {
        operands.append(word)
      }
    }
  }

  private static func parts(_ text: Substring) -> (Substring, String?) {
    guard let equals = text.firstIndex(of: "=") else { return (text, nil) }
    return (text[..<equals], String(text[text.index(after: equals)...]))
  }

  private mutating func take(
    _ name: String, _ typed: String, _ value: String?, _ rest: inout ArraySlice<String>
  ) throws(Failure) {
    if knownFlags.contains(name) {
      guard value == nil else { throw OptionValue.bad(typed, "it takes no value") }
      flags.insert(name)
      return
    }
    guard knownValues.contains(name) else { throw refusal(typed) }
    guard let value = value ?? rest.popFirst() else { throw OptionValue.bad(typed, "it needs a value") }
    values[name, default: []].append(value)
  }

  private func refusal(_ option: String) -> Failure {
    OptionValue.bad(
      TextSafety.escaped(option.start(60)), "a service does not have this for dray \(command)",
      advice: "--host [USER@]HOST runs the command there, over ssh")
  }

  // MARK: Orders

  func refuseOperands() throws(Failure) {
    guard let word = operands.first else { return }
    throw OptionValue.bad(OptionValue.quote(word.start(60)), "dray \(command) takes no such word")
  }

  func onlyID() throws(Failure) -> JobID {
    let ids = try JobIDs.parse(operands)
    guard ids.count == 1 else { throw OptionValue.bad("dray \(command)", "write the id of one job") }
    return ids[0]
  }

  /// Returns the jobs that a command line of `dray add` names.
  func adding() throws(Failure) -> RemoteCommand.Adding {
    var adding = RemoteCommand.Adding(urls: operands, file: values["input-file"]?.last, directory: values["dir"]?.last)
    for name in values.keys.sorted() where !["dir", "input-file"].contains(name) {
      for value in values[name] ?? [] { adding.settings.append("\(RemoteOptions.renamed[name] ?? name)=\(value)") }
    }
    for name in flags.sorted() where name != "quiet" { adding.settings.append("\(name)=yes") }
    guard !adding.urls.isEmpty || adding.file != nil else {
      throw OptionValue.bad("dray \(command)", "no URL is given: write URLs, or -i FILE")
    }
    if adding.file != nil, !adding.settings.isEmpty || !adding.urls.isEmpty {
      throw OptionValue.bad("-i", "the service reads the list alone: write URLs and settings into it")
    }
    if adding.urls.count > 1, values["output"] != nil {
      throw OptionValue.bad("-o", "one name cannot be that of \(adding.urls.count) files")
    }
    for text in adding.urls + adding.settings where text.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      throw OptionValue.bad(OptionValue.quote(text.start(60)), "it contains a control character")
    }
    return adding
  }
}
