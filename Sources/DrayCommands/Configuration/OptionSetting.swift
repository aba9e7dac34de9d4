// An option that the configuration file or the environment sets. It is checked against the definition of the option,
// and turned into arguments.

internal import DrayDocuments
internal import DrayKit

enum SettingSource: Equatable {
  case variable(String)
  case file(path: String, line: Int)

  var text: String {
    switch self {
    case .variable(let name): name
    case .file(let path, let line): "\(TextSafety.escaped(path)):\(line)"
    }
  }
}

struct OptionSetting: Equatable {
  /// The long name of the option, without dashes.
  var name: String
  /// The command for which the option is set; `nil` for all commands.
  var command: [String]?
  var flag: Bool?
  var values: [String]
  var source: SettingSource

  var arguments: [String] {
    if let flag { return flag ? ["--\(name)"] : [] }
    // The parser takes an empty value after `=` for a missing one, so an empty value becomes a separate word.
    return values.flatMap { $0.isEmpty ? ["--\(name)", ""] : ["--\(name)=\($0)"] }
  }

  var shown: String {
    flag.map { "\($0)" } ?? values.map { ConfigurationKeys.shown(name, $0) }.joined(separator: ", ")
  }

  func bad(_ reason: String) -> Failure { OptionValue.bad("\(source.text): \(name)", reason) }
}

extension OptionSetting {
  /// Reads a key of the configuration file.
  /// - Throws: Kind `usage` with the file, the line and the key.
  init(_ entry: ConfigurationDocument.Entry, _ option: ArgumentReference, _ paths: ValuePaths) throws(Failure) {
    name = entry.key
    if case .command(let path) = entry.section { command = path }
    source = .file(path: paths.file, line: entry.line)
    values = []
    if option.isFlag {
      guard case .boolean(let value) = entry.value else { throw bad("it must be true or false") }
      flag = value
      return
    }
    let found: [ConfigurationDocument.Value] = if case .array(let all) = entry.value { all } else { [entry.value] }
    guard option.isRepeating || found.count == 1 else { throw bad("it takes one value, not \(found.count)") }
    for value in found {
      guard let text = value.text else {
        throw bad("\(OptionSetting.word(value)) is not a valid value: it must be a string or a number")
      }
      values.append(paths.resolved(text, option))
    }
    try check(option)
  }

  /// Reads an environment variable.
  /// - Throws: Kind `usage` with the name of the variable.
  init(variable: String, _ text: String, _ name: String, _ option: ArgumentReference) throws(Failure) {
    self.name = name
    source = .variable(variable)
    values = []
    if let reason = ConfigurationKeys.refusal(name) {
      throw OptionValue.bad(variable, "--\(name) cannot be set in the environment: \(reason)")
    }
    if option.isFlag {
      switch text.lowercased() {
      case "1", "true", "yes", "on": flag = true
      case "0", "false", "no", "off", "": flag = false
      default: throw OptionValue.bad(variable, "\(OptionValue.quote(text)) is not true or false")
      }
    } else {
      values = [text]
      try check(option)
    }
  }

  /// Checks the values as far as that is possible without knowing what the option means.
  private func check(_ option: ArgumentReference) throws(Failure) {
    for value in values {
      if name == "header", let reason = ConfigurationKeys.refusal(header: value) { throw bad(reason) }
      if value.contains("\0") { throw bad("it contains a NUL byte: remove it") }
      guard let known = option.allValues, !known.isEmpty, !known.contains(value) else { continue }
      let hint = NearestName.find(value, among: known).map { "; did you mean \($0)?" } ?? ""
      throw bad("\(OptionValue.quote(value)) is not one of \(known.joined(separator: ", "))\(hint)")
    }
  }

  private static func word(_ value: ConfigurationDocument.Value) -> String {
    switch value {
    case .boolean(let value): "\(value)"
    case .array: "an array"
    case .other(let word): word
    case .string, .integer, .float: "this number"
    }
  }
}
