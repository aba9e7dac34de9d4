// Has a service carry out a command: `dray --host http://HOST:PORT list`.

internal import DrayDocuments
internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Posix
internal import TerminalUI

enum RemoteExecution {
  /// Runs a command line by the service at a URL.
  /// - Parameter catalog: The options of all commands.
  static func run(
    _ address: String, _ words: [String], _ catalog: OptionCatalog
  ) async throws(Failure) -> ExitStatus {
    let line = try RemoteCommand(words, catalog)
    let url = try service(address)
    var base = url.string
    while base.hasSuffix("/") { base.removeLast() }
    let calls = try RemoteCalls(base, secret: try secret(line, url)) { PasswordPrompt.ask($0) }
    let status = try await carryOut(line, calls)
    let output = ResultOutput.standard
    output.flush()
    if let failure = output.failure { Messages.print(failure) }
    return status == .success && output.isBroken ? .other : status
  }

  /// Returns the URL of a service.
  /// - Throws: Kind `usage` if the text is not a URL, or if it contains a secret, which every user could read (P7).
  static func service(_ address: String) throws(Failure) -> RequestURL {
    let parsed: RequestURL.Parsed
    do throws(URLParseError) { parsed = try RequestURL.parse(address) } catch {
      throw OptionValue.bad("--host", error.message)
    }
    guard parsed.userInfo == nil, parsed.url.query == nil else {
      throw OptionValue.bad(
        "--host", "the URL of a service has no user name and no query",
        advice: "give the secret with --secret-file or $\(SecretSource.variable)")
    }
    return parsed.url
  }

  // MARK: The secret

  /// Returns the secret from the file that the user named, or from the variable, or that of this user's own service at
  /// the URL.
  private static func secret(_ line: RemoteCommand, _ url: RequestURL) throws(Failure) -> String? {
    let source = SecretSource.choose(file: line.secretFile, environment: ProcessVariables.all) {
      System.kind($0) != .missing
    }
    if let source { return try source.text() }
    guard let home = try? Store.user().home, case .running(let record) = ServiceLock.look(home),
      isOf(record, url), let file = record.secretFile
    else { return nil }
    return try SecretSource.file(file).text()
  }

  /// Whether a service of this user listens at a URL. The program at another port may belong to another user (P7).
  static func isOf(_ record: ServiceRecord, _ url: RequestURL) -> Bool {
    guard url.scheme == "http" else { return false }
    let hosts = url.host == "localhost" ? ["127.0.0.1", "[::1]"] : [url.host]
    return hosts.contains { record.listening.contains("\($0):\(url.port ?? 80)") }
  }

  // MARK: Commands

  private static func carryOut(_ line: RemoteCommand, _ calls: RemoteCalls) async throws(Failure) -> ExitStatus {
    switch line.command {
    case .list(let filter, let isJSON): try await list(filter, isJSON: isJSON, calls)
    case .show(let id, let isJSON): try await show(id, isJSON: isJSON, calls)
    case .add(let adding):
      for id in try await added(adding, calls) { ResultOutput.standard.write("\(id)\n") }
    case .get(let adding):
      let ids = try await added(adding, calls)
      if !line.isQuiet { Messages.print("the files arrive there: \(TextSafety.escaped(calls.base))") }
      return try await RemoteWatch(calls, ids, isQuiet: line.isQuiet).untilEnded()
    case .wait(let ids): return try await RemoteWatch(calls, ids, isQuiet: line.isQuiet).untilEnded()
    case .watch(let ids):
      let profile = TerminalProfile.detect(isTTY: TerminalDevice.isTTY(2), environment: ProcessVariables.all)
      guard profile.isInteractive, WatchProgram.hasKeyboard else { return try await RemoteWatch(calls, ids).run() }
      // This call asks the user for a missing secret before the display fills the screen.
      try await calls.call("GET", "/service")
      do { return try await WatchProgram(RemoteBackend(calls: calls, ids: Set(ids)), profile).run() } catch {
        throw error as? Failure ?? Failure(.other, "watch", "\(error)")
      }
    case .act(let action, let jobs, let done): return try await act(action, jobs, done, line.isQuiet, calls)
    case .change(let ids, let settings):
      let json = try RemoteReport.changes(settings)
      for id in ids {
        try await calls.call("PATCH", "/jobs/\(id)", json)
        if !line.isQuiet { Messages.print("[\(id)] changed") }
      }
    case .setURL(let id, let text):
      var json = JSONText()
      json.beginObject()
      json.field("url", text)
      json.endObject()
      try await calls.call("PATCH", "/jobs/\(id)", json)
      if !line.isQuiet { Messages.print("[\(id)] has the new URL") }
    case .move(let ids, let place):
      try await calls.call("POST", "/jobs/move", RemoteReport.move(ids, place))
      if !line.isQuiet { Messages.print(ids.count == 1 ? "1 job moved" : "\(ids.count) jobs moved") }
    case .limit(let limits):
      var present = try await calls.call("GET", "/limits")
      if limits != RemoteCommand.Limits() {
        present = try await calls.call("PUT", "/limits", try RemoteReport.limits(limits, from: present))
      }
      if !line.isQuiet || limits == RemoteCommand.Limits() {
        for text in RemoteReport.lines(ofLimits: present) { ResultOutput.standard.write(text + "\n") }
      }
    case .queues:
      let queues = try await calls.call("GET", "/queues")["queues"]?.array ?? []
      if queues.isEmpty { Messages.print("no queues") }
      for queue in queues { ResultOutput.standard.write(RemoteReport.line(ofQueue: queue) + "\n") }
    case .queue(let name, let isPaused):
      var json = JSONText()
      json.beginObject()
      json.field("paused", isPaused)
      json.endObject()
      let queue = try await calls.call("PATCH", "/queues/\(RemoteReport.encoded(name))", json)
      if !line.isQuiet { Messages.print(RemoteReport.line(ofQueue: queue)) }
    }
    return .success
  }

  /// Returns all jobs in the given states; jobs in all states if no state is given.
  static func jobs(_ states: [String], _ calls: RemoteCalls) async throws(Failure) -> [JSONNode] {
    try await page(states, calls).jobs
  }

  /// Returns all jobs in the given states, and the number of jobs in each state.
  static func page(
    _ states: [String], _ calls: RemoteCalls
  ) async throws(Failure) -> (jobs: [JSONNode], counts: JSONNode?) {
    var all: [JSONNode] = []
    var after: Int64 = 0
    while true {
      let chosen = states.isEmpty ? "" : "&states=\(states.joined(separator: ","))"
      let page = try await calls.call("GET", "/jobs?limit=2000&after=\(after)\(chosen)")
      all += page["jobs"]?.array ?? []
      guard let next = page["next"]?.integer, next > after else { return (all, page["counts"]) }
      after = next
    }
  }

  private static func show(_ id: JobID, isJSON: Bool, _ calls: RemoteCalls) async throws(Failure) {
    let job = try await calls.call("GET", "/jobs/\(id)")
    let output = ResultOutput.standard
    output.write(isJSON ? RemoteReport.json(job) + "\n" : RemoteReport.page(job, columns: output.columns))
  }

  private static func list(
    _ filter: RemoteCommand.Filter, isJSON: Bool, _ calls: RemoteCalls
  ) async throws(Failure) {
    let pattern = filter.match.map(Wildcard.init(search:))
    let jobs = try await RemoteExecution.jobs(filter.states, calls).filter { job in
      if let queue = filter.queue, job["queue"]?.string != queue { return false }
      guard let pattern else { return true }
      return ["url", "target"].contains { job[$0]?.string.map { pattern.matches($0) } ?? false }
    }
    let output = ResultOutput.standard
    if isJSON {
      let lines = jobs.map(RemoteReport.json).joined(separator: ",\n")
      return output.write(jobs.isEmpty ? "[]\n" : "[\n\(lines)\n]\n")
    }
    guard !jobs.isEmpty else { return Messages.print("no jobs") }
    let isTTY = TerminalDevice.isTTY(1)
    RemoteReport.table(jobs, width: isTTY ? TerminalDevice.size(1).columns : nil, isTTY: isTTY) { output.write($0) }
  }

  static func added(_ adding: RemoteCommand.Adding, _ calls: RemoteCalls) async throws(Failure) -> [JobID] {
    let json = RemoteReport.list(try RemoteReport.text(adding, try Surroundings.real()), directory: adding.directory)
    // With this key, a repeated call adds no job a second time.
    let added = try await calls.call("POST", "/jobs", json, key: Secret.randomText())
    var seen: Set<JobID> = []
    return (added["jobs"]?.array ?? []).compactMap { $0["id"]?.integer }.filter { seen.insert($0).inserted }
  }

  private static func act(
    _ action: String, _ jobs: RemoteCommand.Jobs, _ done: String, _ isQuiet: Bool, _ calls: RemoteCalls
  ) async throws(Failure) -> ExitStatus {
    let answer = try await calls.call("POST", "/jobs/actions", RemoteReport.action(action, jobs))
    var (status, count) = (ExitStatus.success, 0)
    for result in answer["results"]?.array ?? [] {
      let id = result["id"]?.integer ?? 0
      switch result["result"]?.string ?? "" {
      case "done":
        count += 1
        if jobs != .all, !isQuiet { Messages.print("[\(id)] \(done)") }
      case "unknown":
        Messages.print(OptionValue.bad("job \(id)", "no such job"))
        status = .usage
      default:
        let reason = result["message"]?.string.map(TextSafety.escaped) ?? "the service refused it"
        Messages.print("job \(id) \(JobIDs.refusal(done, reason, nil))")
        if status == .success { status = .other }
      }
    }
    if jobs == .all, !isQuiet { Messages.print("\(count) \(count == 1 ? "job" : "jobs") \(done)") }
    return status
  }
}
