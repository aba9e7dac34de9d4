// A service from its start to its end: a runner, listeners, the log, signals, and notifications to systemd.

internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Logging
internal import Posix
internal import WebServer

actor ServeSession {
  private var setup: ServiceSetup
  private var options: RunOptions
  private let home: StateDirectory
  private let environment: [String: String]
  private let systemd: ServiceManager?
  private let preparation: JobPreparation
  private var supervisor: RunnerSupervisor?
  private var ending: Int32?
  private var hasEnded = false

  /// - Parameter preparation: Applies the configuration to clients' jobs.
  init(_ setup: ServiceSetup, _ options: RunOptions, _ preparation: JobPreparation, home: StateDirectory) {
    (self.setup, self.options, self.preparation, self.home) = (setup, options, preparation, home)
    self.options.renewLinks(from: CommandContext.current.sources, grants: setup.rule.grants)
    environment = ProcessVariables.all
    systemd = ServiceManager(environment: environment, process: System.processID)
  }

  /// Serves until a signal or a client ends the service.
  /// - Throws: The failure if the service cannot listen; kind `store` if the job store can never be used again.
  func run() async throws -> ExitStatus {
    let activation = SocketActivation(environment: environment, process: System.processID)
    // The programs that hooks run must not inherit these variables.
    System.unsetVariables(SocketActivation.variables + ServiceManager.variables + [SecretSource.variable])
    let inherited = activation?.listeners() ?? []
    setup.count(inherited: inherited.map(\.listenerKind), home: home)
    try ListenerRule.check(setup.addresses, hasSecret: setup.secret.isNeeded)
    let manager = try await Store.patiently(Store.openForService)
    let lock = try ServiceLock.take(in: home)
    try makeDirectories()
    let (log, logFile) = try openLog()
    (options.logger, options.namesInLog) = (log, .commandLine)
    var policy = setup.policy
    policy.secret = try setup.secret.take()
    let listeners = try listen(inherited)
    let record = record(listeners, logFile)
    ServiceFile.listens(at: record.listening)
    let web: WebService
    let memory = ServiceMemory(home)
    let supervisor = RunnerSupervisor(manager, options)
    do {
      try await supervisor.prepare()
      var settings = WebService.Settings(policy: policy, rule: setup.rule, directory: setup.directory) {
        await self.end(0)
      }
      settings.native = native(record)
      settings.native?.sources = CommandContext.current.sources
      settings.native?.maxPerOrigin = options.maxPerOrigin
      settings.prepare = preparation
      settings.jobs = options.maxConcurrent
      settings.memory = memory.ofAccessControl
      settings.run = { supervisor.metrics }
      web = WebService(manager, listeners, settings, log: log)
    } catch {
      for listener in listeners { listener.close() }
      throw error
    }
    let signals = SignalWatch(restore: "") { request in Task { await self.handle(request) } }
    try lock.write(record)
    greet(record, web, log)
    systemd?.tell(.ready, .status("serves at \(record.listening.joined(separator: ", "))"))
    Detachment.report()
    let beats = Task { await self.beat() }
    defer { beats.cancel() }
    var problem: (any Error)?
    do { try await serve(supervisor) } catch { problem = error }
    systemd?.tell(.stopping)
    await web.stop()
    await memory.finish()
    if let problem { log.error("\(problem)") } else { log.info("dray serve has ended") }
    ServiceLog.finish()
    _ = consume lock
    if let problem { throw problem }
    return withExtendedLifetime(signals) { ending.flatMap { ExitStatus(rawValue: 128 + $0) } ?? .success }
  }

  // MARK: Beginning

  /// Reports the addresses, and prints the link that opens the page.
  private func greet(_ record: ServiceRecord, _ web: WebService, _ log: Logger) {
    if setup.secret == .none, record.address != nil { log.warning("secret: \(record.secretText)") }
    // The link is not printed into systemd's journal, because the journal is kept and other users may read it.
    if let address = record.address, environment["JOURNAL_STREAM"] == nil, let ticket = web.ticket() {
      Messages.print("open the page with this link, once, within an hour: \(address)#login=\(ticket)")
    }
    log.info("dray \(record.version) serves at \(record.listening.joined(separator: ", "))")
  }

  private func makeDirectories() throws(Failure) {
    for directory in setup.rule.directories.roots + [setup.directory] where !ObjectPlace.isMeant(by: directory) {
      do throws(SystemError) {
        try System.makeDirectories(directory)
      } catch {
        throw Failure(
          .file, directory, "this directory for files cannot be made: \(error.text)",
          advice: "choose another with --root")
      }
    }
  }

  private func openLog() throws(Failure) -> (Logger, file: String?) {
    if let file = setup.logFile ?? (Detachment.isDetached ? PathText.join(home.path, "serve.log") : nil) {
      return (try ServiceLog.logger(.file(file), level: setup.level), file)
    }
    let isJournal = environment["JOURNAL_STREAM"] != nil
    return (try ServiceLog.logger(isJournal ? .journal : .terminal, level: setup.level), nil)
  }

  /// Returns the listeners that systemd passed, and opens the addresses that the options name. The default addresses
  /// are opened only if systemd passed no listener.
  private func listen(_ inherited: [Listener]) throws(Failure) -> [Listener] {
    var opened = inherited
    do throws(Failure) {
      try ListenerRule.check(opened, hasSecret: setup.secret.isNeeded)
      for address in opened.isEmpty || !setup.isUsual ? setup.addresses : [] {
        do throws(ListenError) { opened += try Listener.open(address) } catch { throw Failure(error) }
      }
    } catch {
      for listener in opened { listener.close() }
      throw error
    }
    return opened
  }

  private func record(_ listeners: [Listener], _ logFile: String?) -> ServiceRecord {
    ServiceRecord(
      pid: System.processID, version: DrayVersion.text, startedAt: System.secondsSince1970,
      listening: listeners.map(\.name), hasSecret: setup.secret.isNeeded,
      secretFile: setup.secret.file.map { PathText.absolute($0, from: System.currentDirectory ?? "/") },
      roots: setup.rule.directories.roots, directory: setup.directory, log: logFile)
  }

  private func native(_ record: ServiceRecord) -> NativeAPI.Settings {
    let hosts = HostLimits.current
    return NativeAPI.Settings(
      rule: setup.rule, directory: setup.directory, names: .commandLine, commit: VersionText.commit,
      started: Double(record.startedAt)
    ) { list, directory async throws(Failure) in try ServedList.jobs(list, in: directory, hosts: hosts) }
  }

  // MARK: Serving

  /// Transfers the jobs of the queue until the service ends.
  private func serve(_ supervisor: RunnerSupervisor) async throws(Failure) {
    self.supervisor = supervisor
    // The request to stop may have arrived before.
    if hasEnded { supervisor.stop() }
    try await supervisor.run()
  }

  private func beat() async {
    guard let interval = systemd?.watchdogInterval else { return }
    while !Task.isCancelled {
      systemd?.tell(.watchdog)
      try? await Task.sleep(for: .seconds(interval))
    }
  }

  private func handle(_ request: SignalWatch.Request) {
    switch request {
    case .suspend: SignalWatch.suspendProcess()
    case .end(let number): end(number)
    }
  }

  /// Begins to end the service. The number is that of the signal; 0 means that a client asked for the end.
  private func end(_ number: Int32) {
    guard !hasEnded else { return }
    hasEnded = true
    ending = number == 0 ? nil : number
    supervisor?.stop()
  }
}
