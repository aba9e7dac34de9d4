// `dray sync`: fetches the files of a manifest, and records their versions in a lock file.

internal import ArgumentParser
internal import DrayDocuments
internal import DrayKit
internal import Posix

struct SyncCommand: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Fetch the files of a manifest, as pinned by its lock.",
    discussion: """
      Reads FILE.toml, which lists files or names of files (`dray help sources`), fetches what is missing or differs, and writes FILE.lock: size, SHA-256, validators and final \
      URL of every file. Files that already match are not fetched again, and others come in the version that the lock \
      has, unless --update asks for that of the server. With --locked every file must match the \
      lock; a difference in the manifest, on the server or on disk is an error that names it (exit 9), and nothing is \
      changed. dray-formats(7) describes the format.

      EXAMPLES
        dray sync assets.toml
        dray sync --locked assets.toml
        dray sync --update assets.toml
      """)

  @Argument(help: ArgumentHelp("The manifest.", valueName: "file"), completion: .file(extensions: ["toml"]))
  var manifest: String

  @Flag(help: "Require everything to match the lock.")
  var locked = false

  @Flag(
    help: ArgumentHelp(
      "Take the servers' present versions, and write them into the lock.",
      discussion: "Otherwise a file comes only in the version that the lock has."))
  var update = false

  @Flag(help: "Show what would be done, without doing it.")
  var dryRun = false

  @OptionGroup(title: "File options") var transfer: TransferArguments
  @OptionGroup(title: "Connection options") var connections: ConnectionArguments
  @OptionGroup(title: "Request options") var request: RequestArguments
  @OptionGroup(title: "Object options") var objects: ObjectArguments
  @OptionGroup(title: "Run options") var run: RunArguments
  @OptionGroup(title: "Run options") var quota: QuotaArguments
  @OptionGroup(title: "Display options") var display: DisplayArguments

  func checkSettings(_ surroundings: Surroundings) throws {
    guard !update || !locked else {
      throw OptionValue.bad("--locked and --update", "one keeps the lock, the other writes it: choose one")
    }
    try request.checkSettings(surroundings)
    var job = JobSpecification.plain
    try connections.refuseProxy()
    try TypedSettings.put(connections, into: &job)
    try TypedSettings.put(transfer, into: &job)
    try TypedSettings.put(objects, into: &job)
    _ = try (run.options(), quota.limit(), run.endAction())
  }

  func execute() async throws -> ExitStatus {
    let action = try run.endAction()
    let status = try await sync()
    if !dryRun { await action?.carryOut(after: status) }
    return status
  }

  private func sync() async throws -> ExitStatus {
    let surroundings = try Surroundings.real()
    var options = try run.options()
    options.maxTransfer = try quota.limit()
    let style = SessionStyle(display, printsPaths: true)
    let path = surroundings.absolute(manifest)
    let lockPath = SyncCommand.lockPath(path)
    // The manifest is locked, so that no other `dray sync` fetches the same files at the same time.
    if !dryRun, surroundings.kind(path) == .file {
      System.hold(path) {
        guard !display.quiet else { return }
        Messages.print("another sync of \(TextSafety.escaped(manifest)) is running; waiting for it")
      }
    }
    let (written, lock) = try read(path, lockPath, surroundings)
    var job = try JobArguments.parse([])
    (job.connections, job.transfer, job.objects) = (connections, transfer, objects)
    var template = try JobTemplate(job, request, surroundings)
    // The manifest decides where the files go.
    template.hosts.choosesDirectories = false
    let document = try await resolved(written, lock, template)
    try refuse(document, besides: [path, lockPath])
    if let warning = ConnectionArguments.warning(template.options.maxConnections) { Messages.print(warning) }
    for url in document.files.flatMap(\.urls) { try template.prepare(for: url) }
    let directory = PathText.split(path).directory ?? "/"
    var place = DirectoryPlace(directory)
    let writesObjects = document.files.contains { ObjectPlace.isMeant(by: $0.target) }
    if writesObjects { place = DirectoryPlace(directory, access: try template.access()) }
    let present = try writesObjects ? Store.open() : Store.openIfPresent()
    if !dryRun, let present {
      let ids = try await present.halfPublished(document, in: place, server: template.sourceServer)
      let status = try await transfer(ids, present, options, style)
      if status.isStop { return status }
    }
    let set = try await SyncSet.compare(
      document, lock, in: place, server: template.sourceServer, mode, present)
    if dryRun { return show(set) }
    try refuse(set, lockPath)
    let leftOut = reportLeftOut(set)

    let manager = try Store.open()
    let wanted = set.wanted
    let specifications = try wanted.map { (item) throws(Failure) in try specification(item, template, path) }
    try await manager.prepare(set)
    let admissions = try await manager.admit(specifications)
    var report = AdmissionReport(style)
    let ids = report.report(admissions, specifications)
    try await AdmissionReport.resumePaused(admissions, manager)
    if !ids.isEmpty { try await run.reportLimit(manager, options, quiet: style.quiet) }
    let status = try await transfer(ids, manager, options, style)
    if status == .integrity, locked || wanted.contains(where: \.isPinned), !style.quiet {
      Messages.print("\(lockPath) pins the versions; `dray sync --update` takes those of the servers")
    }
    guard status == .success, !locked else { return status == .success ? leftOut : status }
    let text = try await set.lock(manager).text
    if lock?.text != text { try AtomicFile.write(text.utf8, to: lockPath) }
    guard leftOut == .success else { return leftOut }
    if !style.quiet, ids.isEmpty { Messages.print("\(TextSafety.escaped(manifest)): all files are up to date") }
    return .success
  }

  /// Returns the manifest with the files of its names.
  private func resolved(
    _ document: Manifest, _ lock: SyncLock?, _ template: JobTemplate
  ) async throws(Failure) -> Manifest {
    guard !document.names.isEmpty else { return document }
    let quiet = display.quiet
    return try await SignalWatch.endingPrograms { () async throws(Failure) in
      var questions = NameQuestions(CommandContext.current.sources, for: .user) { (choices) async throws(Failure) in
        try await SourceInput.client(template, choices, isQuiet: quiet)
      }
      let names = document.names
      let shown = names.count == 1 ? SourceReference.shown(names[0].text) : "\(names.count) names"
      return try await SourceInput.waiting(for: shown, isQuiet: quiet) { () async throws(Failure) in
        try await SyncSet.resolve(document, lock, mode, &questions)
      }
    }
  }

  private var mode: SyncMode { locked ? .locked : update ? .update : .usual }

  private func transfer(
    _ ids: [JobID], _ manager: DownloadManager, _ options: RunOptions, _ style: SessionStyle
  ) async throws -> ExitStatus {
    guard !ids.isEmpty else { return .success }
    let runner = try await manager.makeRunner(.jobs(ids), options)
    return try await TransferSession(runner, style, warnsOfInsecureJobs: false).run()
  }

  /// Returns the path of the lock file for a manifest: `FILE.lock` for `FILE.toml`.
  static func lockPath(_ path: String) -> String {
    (path.hasSuffix(".toml") ? String(path.dropLast(5)) : path) + ".lock"
  }

  private func read(
    _ path: String, _ lockPath: String, _ surroundings: Surroundings
  ) throws(Failure) -> (Manifest, SyncLock?) {
    guard manifest != "-", !surroundings.isPipe(manifest) else {
      throw OptionValue.bad(
        "the manifest", "\(OptionValue.quote(manifest)) has no directory, and its files and its lock go next to it",
        advice: "save it as a file and name that")
    }
    let text = try surroundings.textContents(manifest, "the manifest")
    let hasLock = surroundings.kind(lockPath) == .file
    let lockText = hasLock ? try surroundings.textContents(lockPath, "the lock") : ""
    let document: Manifest
    do throws(DocumentError) {
      document = try Manifest.parse(text)
    } catch {
      throw error.failure(TextSafety.escaped(manifest))
    }
    for file in document.files {
      for field in file.headers { _ = try HeaderLine.parse("\(field.name): \(field.value)", manifest) }
    }
    guard hasLock else {
      if locked {
        throw Failure(
          .integrity, lockPath, "the lock file is missing", advice: "`dray sync` without --locked writes it")
      }
      return (document, nil)
    }
    do throws(DocumentError) {
      return (document, try SyncLock.parse(lockText))
    } catch {
      throw error.failure(lockPath)
    }
  }

  /// Refuses a manifest that lists a file which would overwrite the manifest or its lock file, under whatever name.
  private func refuse(_ document: Manifest, besides own: [String]) throws(Failure) {
    let directory = own.first.flatMap { PathText.split($0).directory } ?? "/"
    let names = own.map { PathText.split($0).name }
    let files = own.compactMap { try? System.node($0) }
    for file in document.files {
      let path = PathText.join(directory, file.target)
      let first = file.target.prefix { $0 != "/" }
      let present = try? System.node(path)
      let isOwn = files.contains { file in present?.isSame(as: file) ?? false }
      guard isOwn || names.contains(String(first)) else { continue }
      throw Failure(
        .usage, TextSafety.escaped(manifest),
        "the target \(OptionValue.quote(file.target)) is the manifest itself or its lock",
        advice: "give that file another target")
    }
  }

  /// Throws if the set cannot be carried out; nothing has been changed at that point.
  private func refuse(_ set: SyncSet, _ lockPath: String) throws {
    var statuses: Set<ExitStatus> = []
    func report(_ failure: Failure) {
      Messages.print(failure)
      statuses.insert(failure.exitStatus)
    }
    if locked {
      for target in set.surplus {
        report(Failure(.integrity, lockPath, "it contains \(target), which the manifest does not"))
      }
    }
    for item in set.items {
      switch item.decision {
      case .right, .fetch, .leftOut: break
      case .conflict(let reason):
        report(Failure(.file, item.path, reason, advice: "move it away, or add its digest to the manifest"))
      case .differs(let reason):
        report(
          Failure(.integrity, item.path, reason, advice: "`dray sync` without --locked fetches what differs")
        )
      }
    }
    if !statuses.isEmpty { throw EarlyExit(status: ExitStatus.combined(statuses)) }
  }

  /// Reports the files that are left out because other files in the directory have their names, and returns the exit
  /// status for them.
  private func reportLeftOut(_ set: SyncSet) -> ExitStatus {
    for item in set.items {
      guard case .leftOut(let reason) = item.decision else { continue }
      Messages.print(
        Failure(.file, item.path, reason, advice: "it is left out; give it another target in the manifest"))
    }
    return set.items.contains(where: \.isLeftOut) ? .file : .success
  }

  /// Shows what would be done, and does nothing.
  private func show(_ set: SyncSet) -> ExitStatus {
    var statuses: Set<ExitStatus> = []
    for item in set.items {
      let words = item.decision.word + (item.decision.reason.map { ": " + $0 } ?? "")
      ResultOutput.standard.write("\(TextSafety.escaped(item.file.target))\t\(TextSafety.escaped(words))\n")
      switch item.decision {
      case .right, .fetch: break
      case .conflict, .leftOut: statuses.insert(.file)
      case .differs: statuses.insert(.integrity)
      }
    }
    if locked {
      for target in set.surplus {
        ResultOutput.standard.write("\(TextSafety.escaped(target))\tdiffers: not in the manifest\n")
        statuses.insert(.integrity)
      }
    }
    return ExitStatus.combined(statuses)
  }

  private func specification(
    _ item: SyncSet.Item, _ template: JobTemplate, _ path: String
  ) throws(Failure) -> JobSpecification {
    let place = TargetPlace(place: item.place, name: item.name)
    guard let url = item.file.urls.first else { throw Failure(.usage, path, "a file has no URL") }
    var own = LineOptions()
    own.source = item.file.source
    var job = template.specification(InputList.Entry(url: url, line: 0), own, place)
    item.apply(to: &job, isLocked: locked)
    return job
  }
}
