// Runs the hooks of a run beside its transfers: a few at once, without using slots, each with a time limit.

internal import DrayStore
internal import Glibc

/// The hooks of one runner. A hook starts after the end of its job is durable, and once for each end. A crash in
/// between loses it; it is not repeated.
actor HookRunner {
  private struct Waiting {
    var job: Job
    var words: [String]
  }

  private let hooks: RunHooks
  private let home: StateDirectory
  /// The database with the job store, if it is not in the state directory.
  private let database: String?
  private let report: @Sendable (JobID, HookReport) -> Void
  /// Returns the current record of a job.
  private let lookUp: @Sendable (Job) async -> Job
  private var waiting: [Waiting] = []
  private var running: [Int: Task<Void, Never>] = [:]
  private var begun = 0

  /// The maximum number of hooks at once.
  private static let limit = 4
  /// Seconds that hooks have left when the run is stopped.
  private static let patience = 5.0

  init(
    _ hooks: RunHooks, home: StateDirectory, database: String? = nil, lookUp: @escaping @Sendable (Job) async -> Job,
    report: @escaping @Sendable (JobID, HookReport) -> Void
  ) {
    (self.hooks, self.home, self.database, self.lookUp, self.report) = (hooks, home, database, lookUp, report)
  }

  /// Runs a command for an ended job.
  func run(_ words: [String], for job: Job) {
    waiting.append(Waiting(job: job, words: words))
    fill()
  }

  private func fill() {
    while running.count < HookRunner.limit, !waiting.isEmpty {
      let next = waiting.removeFirst()
      begun += 1
      let number = begun
      running[number] = Task {
        await self.execute(next)
        self.ended(number)
      }
    }
  }

  private func ended(_ number: Int) {
    running[number] = nil
    fill()
  }

  private func execute(_ hook: Waiting) async {
    let job = await lookUp(hook.job)
    var variables = HookEnvironment.variables(of: job)
    variables["DRAY_HOME"] = home.path
    variables["DRAY_STORE"] = database
    let process = HookProcess(
      words: hook.words, variables: variables, directory: job.specification.directory, input: hooks.describe(job),
      timeout: hooks.timeout)
    report(job.id, await process.run())
  }

  /// Returns when all hooks have ended.
  /// - Parameter isStopping: whether the run has been stopped. Then running hooks have a few seconds left, and waiting
  ///   ones are skipped.
  func finish(isStopping: @escaping @Sendable () -> Bool) async {
    let watch = Task {
      while !isStopping() { try await Task.sleep(for: .milliseconds(50)) }
      self.leaveOut()
      try await Task.sleep(for: .seconds(HookRunner.patience))
      self.cancelAll()
    }
    while let task = running.values.first { await task.value }
    watch.cancel()
  }

  private func leaveOut() {
    for left in waiting {
      report(
        left.job.id,
        HookReport(program: left.words[0], ending: .notStarted("it was skipped because the run was stopped")))
    }
    waiting = []
  }

  private func cancelAll() {
    for task in running.values { task.cancel() }
  }
}
