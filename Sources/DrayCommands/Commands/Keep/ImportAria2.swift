// `dray import aria2`: imports the configuration and the sessions of aria2.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import Posix

struct ImportAria2: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "aria2",
    abstract: "Take over aria2's configuration and its sessions.",
    discussion: """
      A FILE is a configuration (aria2.conf) or a session (what --save-session wrote, or a list for -i); its content says which. \
      A configuration is printed as one of dray: put what you want of it into dray's. A session becomes jobs, and their ids are \
      printed; those with pause=true are paused, and a file that aria2 had begun is continued, as with --adopt. What is not taken over is named, with its line. Without a FILE it is aria2's own \
      configuration, in ~/.aria2 or ~/.config/aria2. The files themselves are not changed.

      EXAMPLES
        dray import aria2
        dray import aria2 --write
        dray import aria2 ~/.aria2/aria2.session && dray run
      """)

  @Argument(help: ArgumentHelp("Files of aria2.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Flag(help: "Write the configuration of dray, if there is none yet, instead of printing it.")
  var write = false

  @Flag(name: .shortAndLong, help: "Print only results and errors.")
  var quiet = false

  private struct Session {
    var file: String
    var list: [UInt8]
  }

  func execute() async throws -> ExitStatus {
    let surroundings = try Surroundings.real()
    var text = ""
    var sessions: [Session] = []
    var remarks: [String] = []
    for file in files.isEmpty ? [try ImportAria2.ownFile(surroundings)] : files {
      let name = TextSafety.escaped(file)
      let bytes = try surroundings.contents(file, "aria2", limit: Surroundings.longLimit)
      switch AriaFile.kind(bytes) {
      case .compressed: throw OptionValue.bad(name, "it is compressed", advice: "uncompress it first: gunzip")
      case .empty: remarks.append("\(name): there is nothing in it")
      case .configuration:
        let configuration = try ImportAria2.configuration(bytes, name, surroundings)
        guard configuration.isOfAria2 else { throw ImportAria2.isForeign(name) }
        text += configuration.toml
        remarks += configuration.remarks
      case .session:
        let (list, left, count, torrents) = AriaFile.downloads(of: bytes, name: name)
        guard count + torrents > 0 else { throw ImportAria2.isForeign(name) }
        remarks += left
        if count > 0 { sessions.append(Session(file: file, list: list)) }
      }
    }
    guard !write || !text.isEmpty else {
      throw OptionValue.bad("--write", "it is for a configuration, and none is given", advice: "name an aria2.conf")
    }
    // Everything is checked before anything is changed.
    let path = write ? try ImportAria2.freePath() : nil
    let lists = try sessions.map { session in try ImportAria2.jobs(session, surroundings) }
    if !quiet { for line in remarks + lists.flatMap(\.remarks) { Messages.print(line) } }
    if let path {
      try ConfigurationTemplate.write(text, to: path)
      if !quiet { Messages.print("wrote \(TextSafety.escaped(path)); `dray config show` shows the values in force") }
    } else {
      ResultOutput.standard.write(text)
    }
    guard !lists.isEmpty else { return .success }
    let manager = try Store.open()
    var statuses: Set<ExitStatus> = []
    for list in lists {
      let (admissions, failures) = try await ImportAria2.queue(list, manager)
      Add.report(admissions, quiet: quiet)
      for failure in failures { Messages.print(failure) }
      statuses.formUnion(failures.map(\.exitStatus))
    }
    return ExitStatus.combined(statuses)
  }

  private static func isForeign(_ file: String) -> Failure {
    OptionValue.bad(
      file, "nothing in it is aria2's", advice: "name an aria2.conf, a session, or a list for aria2c -i")
  }

  /// Queues all jobs of a session: together if possible, otherwise one by one, so that one bad job does not prevent the
  /// others.
  /// - Throws: ``Failure`` of the kind `store`.
  private static func queue(
    _ list: SpecificationList, _ manager: DownloadManager
  ) async throws(Failure) -> ([Admission], [Failure]) {
    do throws(Failure) { return (try await Add.queue(list, manager), []) } catch {
      guard error.kind != .store, list.count > 1 else { throw error }
    }
    let paused = Set(list.paused)
    var (admissions, failures): ([Admission], [Failure]) = ([], [])
    for index in list.indices {
      do throws(Failure) {
        let admitted = try await manager.admit([list[index]])
        admissions += admitted
        if paused.contains(index), case .job(let added)? = admitted.first, !added.existing {
          _ = try await manager.pause([added.id])
        }
      } catch {
        guard error.kind != .store else { throw error }
        failures.append(error)
      }
    }
    return (admissions, failures)
  }

  /// Returns the path of the configuration file that aria2 would read.
  private static func ownFile(_ surroundings: Surroundings) throws(Failure) -> String {
    let places = AriaFile.configurations(surroundings.environment)
    if let found = places.first(where: { surroundings.kind($0) == .file }) { return found }
    throw OptionValue.bad(
      "aria2", "no configuration was found at \(places.map { TextSafety.escaped($0) }.joined(separator: " or "))",
      advice: "name a file")
  }

  /// Returns the path at which a new configuration of dray is written.
  /// - Throws: Kind `file` if a configuration of dray already exists.
  private static func freePath() throws(Failure) -> String {
    let source = ConfigurationSource.current()
    let path = try source.requiredPath()
    guard source.isPresent else { return path }
    throw Failure(
      .file, TextSafety.escaped(path), "it exists, and is not changed",
      advice: "without --write the keys are printed: add them with `dray config edit`")
  }

  /// Returns a configuration without those settings that dray refuses.
  private static func configuration(
    _ bytes: [UInt8], _ name: String, _ surroundings: Surroundings
  ) throws(Failure) -> AriaConfiguration {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw OptionValue.bad(name, "it is not UTF-8: save it as UTF-8")
    }
    let catalog = try OptionCatalog.read(CommandContext.current.root)
    let source = ConfigurationSource.current()
    var configuration = AriaConfiguration(text, file: name, catalog)
    for setting in configuration.settings {
      do {
        let document = try ConfigurationDocument.parse(setting.line)
        _ = try ConfigurationCheck.run(
          try OptionSettings(document, source.paths, catalog, environment: [:]), CommandContext.current.root)
      } catch let failure as Failure {
        configuration.leaveOut(setting, because: failure.reason)
      } catch {
        configuration.leaveOut(setting, because: "it cannot be written as TOML")
      }
    }
    return configuration
  }

  private static func jobs(_ session: Session, _ surroundings: Surroundings) throws -> SpecificationList {
    let source = ConfigurationSource.current()
    let all = try OptionSettings(
      try source.file()?.document, source.paths, try OptionCatalog.read(CommandContext.current.root),
      environment: source.environment)
    let settings = try CommandSettings(typed: ["add"], all)
    var context = CommandContext.current
    let names = settings.options.keys
    context.given = Set(names.filter { settings.isGiven($0) })
    context.configured = Set(settings.settings.map(\.name)).subtracting(context.given)
    return try CommandContext.$current.withValue(context) {
      let add = try Add.parse(settings.arguments.dropFirst() + ["--input-file", session.file])
      var list = InputList()
      try list.read(session.list, name: TextSafety.escaped(session.file))
      let template = try JobTemplate(add.job, add.request, surroundings)
      var jobs = try SpecificationList(list, template, add.job, surroundings, .plain)
      jobs.adoptBegun(surroundings.kind)
      return jobs
    }
  }
}
