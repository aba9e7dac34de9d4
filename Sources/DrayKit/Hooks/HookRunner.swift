// Runs the hooks of a run during its transfers without using slots: a few at once, each with a time limit.

internal import DrayStore

/// The hooks of one runner. A hook starts once the end of its job is durable, and runs once for each end. If a crash
/// comes between the end and the start of the hook, the hook is not run.
actor HookRunner {
  private struct Waiting {
    var job: Job
    var words: [String]
  }

  private let hooks: RunHooks
  private let home: StateDirectory
  /// The address of the job store, if it is not in the state directory.
  private let database: String?
  private let report: @Sendable (JobID, HookReport) -> Void
  /// Returns the record of an ended job once it is durable; `nil` if a crash of the store's server has undone the end.
  private let lookUp: @Sendable (Job) async -> Job?
  private var waiting: [Waiting] = []
  private var running: [Int: Task<Void, Never>] = [:]
  private var begun = 0

  private static let limit = 4
  /// The seconds after which running hooks are ended once the run is stopped.
  private static let patience = 5.0

  init(
    _ hooks: RunHooks, home: StateDirectory, database: String? = nil, lookUp: @escaping @Sendable (Job) async -> Job?,
    report: @escaping @Sendable (JobID, HookReport) -> Void
  ) {
    (self.hooks, self.home, self.database, self.lookUp, self.report) = (hooks, home, database, lookUp, report)
  }

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
    guard let job = await lookUp(hook.job) else {
      let ending = HookReport.Ending.notStarted("the database has lost the end of the job")
      return report(hook.job.id, HookReport(program: hook.words.first ?? "", ending: ending))
    }
    var variables = HookEnvironment.variables(of: job)
    variables["DRAY_HOME"] = home.path
    variables["DRAY_STORE"] = database
    let process = HookProcess(
      words: hook.words, variables: variables, directory: job.specification.directory, input: hooks.describe(job),
      timeout: hooks.timeout)
    report(job.id, await process.run())
  }

  /// - Parameter isStopping: Returns whether the run has been stopped; running hooks are then ended after a few
  ///   seconds, and waiting ones are skipped.
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

extension HookRunner {
  /// The number of times that the record of an ended job is looked up before its hook is given up.
  private static let looks = 20

  /// Whether a crash of the database has undone the end of a job: the job is active again, in the same attempt. A
  /// runner that notices the loss records the end again.
  static func isUndone(_ stored: Job, after ended: Job) -> Bool {
    stored.state == .active && stored.attempts == ended.attempts
  }

  /// Waits until the end of a job is on disk.
  /// - Returns: The job's record; `nil` if the end was undone and not recorded again within some seconds. If the result
  ///   is `nil`, the hook runs at the next end of the job.
  static func settled(_ ended: Job, in store: any JobStoring) async -> Job? {
    for _ in 0..<looks {
      do throws(Failure) {
        // A job that was removed counts as ended.
        guard let job = try await store.settledJob(ended.id) else { return ended }
        if !isUndone(job, after: ended) { return job }
      } catch {
        guard error.isStoreAway else { return ended }
      }
      do { try await Task.sleep(for: .milliseconds(500)) } catch { return nil }
    }
    return nil
  }
}
