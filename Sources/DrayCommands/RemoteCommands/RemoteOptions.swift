// The options of a command that a service carries out. The code in this file has no effects outside its values.

internal import DrayKit

struct RemoteOptions {
  /// The values by the long names of the options. A flag has the value `yes`.
  let values: [String: [String]]
  let operands: [String]
  private let command: String

  /// Names of options that are settings of another name.
  private static let renamed = ["output": "out"]
  /// The options of `add` that a service has: the settings that a list may have, and those for lists.
  static let settings = Setting.listed.map(\.name).filter { $0 != "out" } + ["input-file", "mirror", "output", "quiet"]

  /// Reads the words after the name of a command.
  /// - Parameter names: The options that a service has for this command.
  /// - Throws: Kind `usage` for any other option, and for an option without its value.
  init(
    _ command: String, _ words: [String], taking names: [String], _ catalog: OptionCatalog
  ) throws(Failure) {
    let own = catalog.command([command])?.options ?? [:]
    var known: [String: ArgumentReference] = [:]
    for option in names.compactMap({ own[$0] ?? catalog.option($0) }) {
      for name in option.names ?? [] where name.kind == "long" { known[name.name] = option }
    }
    self.command = command
    (values, operands) = try ArgumentSyntax(known).read(words) { option in
      OptionValue.bad(
        TextSafety.escaped(option.start(60)), "a service does not have this for dray \(command)",
        advice: "--host [USER@]HOST runs the command there, over ssh")
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

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
    for name in values.keys.sorted() where !["dir", "input-file", "quiet"].contains(name) {
      for value in values[name] ?? [] { adding.settings.append("\(RemoteOptions.renamed[name] ?? name)=\(value)") }
    }
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
