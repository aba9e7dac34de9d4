// `dray config`: shows, checks and edits the configuration.

internal import ArgumentParser
internal import DrayKit
internal import Posix

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show, check and edit the configuration.",
    discussion: """
      The configuration is a TOML file whose keys are the long names of options; see dray-config(5).

      EXAMPLES
        dray config edit
        dray config show
        dray config check
        dray config check https://example.org/film.mkv
      """,
    subcommands: [ConfigShow.self, ConfigPath.self, ConfigEdit.self, ConfigCheck.self])
}

struct ConfigShow: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show each value in force and where it comes from.",
    discussion: "Secrets are shown as `…`. Options on a command line override all of it.")

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(name: .customLong("defaults"), help: "Also show the options that are not set.")
  var showsDefaults = false

  func execute() async throws -> ExitStatus {
    let report = try ConfigurationReport.make(
      ConfigurationSource.current(), try OptionCatalog.read(CommandContext.current.root), withDefaults: showsDefaults)
    if json {
      ResultOutput.standard.write(report.json)
    } else {
      report.write { ResultOutput.standard.write($0) }
    }
    return .success
  }
}

struct ConfigPath: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of the configuration file, whether it exists or not.")

  func execute() async throws -> ExitStatus {
    ResultOutput.standard.write(try ConfigurationSource.current().requiredPath() + "\n")
    return .success
  }
}

struct ConfigCheck: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check whether the configuration is valid, and what its rules mean for a URL.",
    discussion: """
      Checks every value, also those of other commands. The exit status is 0 or 2. For each URL the rules are shown that match \
      and those that do not, with the conditions that decide, and the settings that a job for it gets from them and from [host] \
      sections. No server is \
      asked: rules about a type or size that only the answer tells are shown with what they would set.
      """)

  @Argument(help: ArgumentHelp("Explain the rules for this URL.", valueName: "url"))
  var urls: [String] = []

  @Option(help: ArgumentHelp("Assume that the files have this media type.", valueName: "type"))
  var assumeType: String?

  @Option(help: ArgumentHelp("Assume that the files have this size, such as 3G.", valueName: "size"))
  var assumeSize: String?

  func execute() async throws -> ExitStatus {
    let source = ConfigurationSource.current()
    let path = try source.requiredPath()
    _ = try ConfigurationCheck.run(source)
    guard urls.isEmpty else { return try explain(source) }
    if source.isPresent {
      let rows = try ConfigurationReport.make(
        source, try OptionCatalog.read(CommandContext.current.root), withDefaults: false
      ).rows
        .filter { if case .file? = $0.source { true } else { false } }
      let sections = Set(rows.compactMap(\.section))
      let rules = sections.count { $0.hasPrefix("rule ") }
      let parts = [(rows.count, "value"), (sections.count - rules, "section"), (rules, "rule")]
        .filter { $0.0 > 0 || $0.1 == "value" }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
      Messages.print("\(path) is valid: \(parts.joined(separator: ", "))")
    } else {
      Messages.print("\(path) does not exist; `dray config edit` creates it")
    }
    return .success
  }

  private func explain(_ source: ConfigurationSource) throws(Failure) -> ExitStatus {
    let document = try source.file()?.document
    let rules = try document.map { (document) throws(Failure) in try RuleSections.rules(document, source.paths) }
    let hosts = try document.map { (document) throws(Failure) in try HostSections.rules(document, source.paths) }
    var job = JobSpecification.plain
    if let assumeType { job.options.expectedType = try OptionValue.read(assumeType, .type, "--assume-type") }
    if let assumeSize { job.options.expectedSize = try OptionValue.size(assumeSize, "--assume-size") }
    for text in urls {
      do throws(URLParseError) {
        job.request = TransferRequest(url: try RequestURL.parse(text).url)
      } catch {
        throw OptionValue.bad(OptionValue.quote(URLRedaction.redacted(text)), error.message)
      }
      let lines = RuleReport.lines(
        job.request.url, RuleFacts(job), rules ?? JobRules(), hosts ?? HostRules())
      for line in lines { ResultOutput.standard.write(line + "\n") }
    }
    return .success
  }
}

struct ConfigEdit: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit the configuration, then check it.",
    discussion: """
      Runs $VISUAL, else $EDITOR, else vi. A missing file is created, with all keys in it as comments, ten common ones first; only its \
      owner can read it.
      """)

  func execute() async throws -> ExitStatus {
    let source = ConfigurationSource.current()
    let path = try source.requiredPath()
    if System.kind(path) == .missing {
      try ConfigurationTemplate.write(
        ConfigurationTemplate.text(try OptionCatalog.read(CommandContext.current.root)), to: path)
    }
    let editor = ["VISUAL", "EDITOR"].lazy.compactMap { ProcessVariables.all[$0] }.first { !$0.isEmpty } ?? "vi"
    while true {
      let status = try Editor.run(editor, path)
      guard status == 0 else {
        throw Failure(
          .other, TextSafety.escaped(editor), "it ended with exit status \(status)",
          advice: "the edited text is in \(TextSafety.escaped(path)); `dray config check` checks it")
      }
      do throws(Failure) {
        _ = try ConfigurationCheck.run(source)
        return .success
      } catch {
        Messages.print(error)
        guard Editor.asks("Edit again? [Y/n] ") else { return error.exitStatus }
      }
    }
  }
}
