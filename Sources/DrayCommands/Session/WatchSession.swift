// Shows the jobs of other processes as they change. It starts no job and changes nothing in the store.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix
internal import TerminalUI
internal import Threads

actor WatchSession {
  private let manager: DownloadManager
  private let ids: Set<JobID>?
  private let style: SessionStyle
  private let bars: BarsView?
  private var reporter = PlainReporter()
  private var model = RunnerBars()
  private var reading: Task<Bool, any Error>?
  private var ending: Int32?

  init(_ manager: DownloadManager, _ ids: Set<JobID>?, _ style: SessionStyle) {
    self.manager = manager
    self.ids = ids
    self.style = style
    bars = style.progress == .bars ? BarsView(profile: style.profile) : nil
  }

  /// Prints the message that no job is active.
  /// - Parameter holds: The pauses of servers for which jobs may be waiting.
  static func nothing(_ holds: [OriginHold] = []) -> ExitStatus {
    Messages.print("nothing is active; `dray run` transfers the queue")
    for hold in holds.prefix(20) { Messages.print(HoldText.status(hold, now: WallClock.now())) }
    return .success
  }

  func run() async throws -> ExitStatus {
    let signals = SignalWatch(restore: LivePainter.restoreSequence(for: style.profile)) { request in
      Task { await self.handle(request) }
    }
    defer { bars?.finish() }
    let reading = Task { try await read() }
    self.reading = reading
    if ending != nil { reading.cancel() }
    guard try await reading.value else { return WatchSession.nothing(try await manager.holds()) }
    return withExtendedLifetime(signals) { ending.flatMap { ExitStatus(rawValue: 128 + $0) } ?? .success }
  }

  /// Shows each batch of changes until no job is active.
  /// - Returns: Whether any job was active.
  private func read() async throws -> Bool {
    var wasActive = false
    for try await batch in manager.changes(of: ids.map { $0.sorted() }).batches {
      guard try await show(batch) else { return wasActive }
      wasActive = true
    }
    return wasActive || ending != nil
  }

  /// Shows a batch of changes.
  /// - Returns: Whether any job is active.
  private func show(_ batch: JobChanges.Batch) async throws(Failure) -> Bool {
    let now = System.now
    let store = manager.jobs
    let new = try await store.jobs(ids: model.new(in: batch.progress))
    let gone = model.take(batch.progress, now: now, new: new)
    for job in try await store.jobs(ids: gone) { report(job, now) }
    let limit = try await manager.limit()?.rule.rate(at: WallClock.now(), zone: .current)
    let totals = model.totals(try await store.counts(ids: nil), limit: limit)
    if let bars {
      bars.show(model.items, totals)
    } else if style.progress == .plain {
      print(reporter.lines(for: model.items, totals: totals, now: now))
    } else if style.progress == .json {
      for item in model.items where !ResultOutput.standard.isBehind {
        ResultOutput.standard.write(EventJSON.movement(item, time: WallClock.now()))
      }
      ResultOutput.standard.flush()
    }
    // Between two jobs, a runner has no active job for a moment, so ask the store.
    let active = try await store.counts(ids: ids)[.active, default: 0]
    return !batch.progress.isEmpty || active > 0
  }

  /// Reports what became of a job that is no longer active.
  private func report(_ job: Job, _ now: Double) {
    guard style.progress == .bars || style.progress == .plain else { return }
    let name = job.target ?? job.specification.request.url.description
    let why = job.state == .failed || job.state == .interrupted ? job.failure.map { ": \($0.message)" } : nil
    let line = "[\(job.id)] \(name): \(job.state.rawValue)\(why ?? "")"
    if let bars { bars.say(line) } else { Messages.print(line) }
  }

  private func print(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    Messages.write(lines.map { TextSafety.escaped($0) + "\n" }.joined())
  }

  private func handle(_ request: SignalWatch.Request) {
    switch request {
    case .suspend:
      bars?.finish()
      SignalWatch.suspendProcess()
    case .end(let number):
      ending = number
      reading?.cancel()
    }
  }
}
