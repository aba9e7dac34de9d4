// Translates the sections [source.NAME] of the configuration into sources whose files a program finds.

internal import DrayDocuments
internal import DrayKit

enum SourceSections {
  static let keys = ["command", "timeout", "environment"]
  /// The maximum time limit in seconds.
  private static let longest = 3600.0

  /// Reads all these sections.
  /// - Returns: The sources of this program and those of the sections.
  /// - Throws: Kind `usage` with the file, the line and the key.
  static func sources(_ document: ConfigurationDocument, _ paths: ValuePaths) throws(Failure) -> NamedSources {
    let place: (Int) -> String = { "\(TextSafety.escaped(paths.file)):\($0)" }
    var sources = NamedSources()
    for heading in document.headings {
      guard case .source(let written) = heading.section else { continue }
      let mark = "\(place(heading.line)): [source.\(TextSafety.escaped(written.start(60)))]"
      let scheme = written.lowercased()
      if let objection = sources.objection(to: scheme) {
        throw OptionValue.bad(mark, objection, advice: "choose another name for the source")
      }
      var program = SourceProgram(scheme: scheme, command: [])
      for entry in document.entries where entry.section == heading.section {
        try take(entry, "\(place(entry.line)): \(TextSafety.escaped(entry.key))", paths, &program)
      }
      guard !program.command.isEmpty else {
        throw OptionValue.bad(mark, "its program is missing: add command = [\"PROGRAM\", \"ARGUMENT\"]")
      }
      try sources.add(ProgramSource(program))
    }
    // A key directly below [source] belongs to no name.
    if let stray = document.entries.first(where: { $0.section == .source("") }) {
      throw OptionValue.bad(
        "\(place(stray.line)): \(TextSafety.escaped(stray.key))", "it does not belong to a source: write [source.NAME]")
    }
    return sources
  }

  private static func take(
    _ entry: ConfigurationDocument.Entry, _ place: String, _ paths: ValuePaths, _ program: inout SourceProgram
  ) throws(Failure) {
    switch entry.key {
    case "command": program.command = try command(entry.value, place, paths)
    case "timeout":
      guard let text = entry.value.text else { throw OptionValue.bad(place, "it must be a time, such as \"90s\"") }
      let seconds = try OptionValue.seconds(text, place, mayBeZero: false)
      guard seconds <= longest else { throw OptionValue.bad(place, "it must be at most an hour") }
      program.timeout = seconds
    case "environment":
      program.environment = try texts(entry.value, place, "the names of variables, such as [\"REPORTS_TOKEN\"]")
      for name in program.environment {
        guard let objection = SourceProgram.objection(toVariable: name) else { continue }
        throw OptionValue.bad(place, "\(OptionValue.quote(name)): \(objection)")
      }
    default:
      let hint = NearestName.find(entry.key, among: keys).map { "did you mean \($0)?" }
      throw OptionValue.bad(
        place, "source sections have no such key; \(hint ?? "use \(keys.joined(separator: ", "))")")
    }
  }

  /// Returns the program and its arguments, which no shell reads.
  private static func command(
    _ value: ConfigurationDocument.Value, _ place: String, _ paths: ValuePaths
  ) throws(Failure) -> [String] {
    var words = try texts(value, place, "the program and its arguments, such as [\"python3\", \"~/reports.py\"]")
      .map { PathText.homed($0, home: paths.home) }
    guard let program = words.first, !program.isEmpty else {
      throw OptionValue.bad(place, "it is empty: name a program")
    }
    // A name without a slash is looked up in PATH.
    if program.contains("/") { words[0] = paths.resolved(program, isFile: true) }
    return words
  }

  private static func texts(
    _ value: ConfigurationDocument.Value, _ place: String, _ form: String
  ) throws(Failure) -> [String] {
    guard case .array(let all) = value else { throw OptionValue.bad(place, "it must be an array of \(form)") }
    var texts: [String] = []
    for one in all {
      guard case .string(let text) = one else { throw OptionValue.bad(place, "it must be an array of \(form)") }
      guard !text.utf8.contains(0) else { throw OptionValue.bad(place, "it contains a NUL byte: remove it") }
      texts.append(text)
    }
    return texts
  }
}
