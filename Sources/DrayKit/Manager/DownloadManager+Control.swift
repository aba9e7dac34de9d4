// Pauses, resumes, retries and removes jobs, whether or not a runner owns them.

internal import DrayEngine
public import DrayStore
internal import FoundationEssentials
internal import Posix
internal import Synchronization
internal import Threads

extension DownloadManager {
  /// The result of a command for one job.
  public typealias ControlOutcome = (id: JobID, result: ControlResult)

  /// The number of seconds to wait for a runner that owns a job. Runners look for commands five times per second.
  private static let patience = 3.0

  /// Pauses jobs. Their bytes are kept, and only ``resume(_:)`` continues the jobs.
  public func pause(_ ids: [JobID]) async throws(Failure) -> [ControlOutcome] {
    try await pause(ids, patience: DownloadManager.patience)
  }

  /// - Parameter patience: The number of seconds to wait for runners that own jobs.
  package func pause(_ ids: [JobID], patience: Double) async throws(Failure) -> [ControlOutcome] {
    try await awaitingCommands(try await store.pause(ids), patience) { asked, job in
      switch job?.state {
      case .active?: nil
      case .complete?: .refused("it is already complete")
      case .failed?: .refused("it has failed", advice: "\(.retry, asked.id) starts it over")
      default: .done(job ?? asked)
      }
    }
  }

  /// The number of jobs in each step of ``all(_:in:_:)``.
  private static let step = 5000

  /// Pauses, resumes or removes all jobs that are now in these states, in steps between which other programs can work.
  /// - Parameter body: Receives the jobs of each step that need more than a change of the store: jobs that a runner
  ///   owns, and jobs whose files must be removed.
  /// - Returns: The number of the remaining jobs, which were changed.
  package func all(
    _ action: ControlAction, in states: Set<JobState>, _ body: ([JobID]) async throws(Failure) -> Void
  ) async throws(Failure) -> Int {
    var (count, last): (Int, JobID) = (0, 0)
    let newest = try await store.newestID()
    while last < newest {
      let page = try await store.control(action, allIn: states, after: last, limit: DownloadManager.step)
      count += page.done
      if !page.rest.isEmpty { try await body(page.rest) }
      guard let end = page.last else { break }
      last = end
    }
    return count
  }

  /// Queues paused and interrupted jobs again, to start at once.
  public func resume(_ ids: [JobID]) async throws(Failure) -> [ControlOutcome] { try await store.resume(ids) }

  /// Starts jobs from the beginning, without their bytes.
  public func retry(_ ids: [JobID]) async throws(Failure) -> [ControlOutcome] {
    try await executor.run { () async throws(Failure) in try await self.retryBlocking(ids) }
  }

  private func retryBlocking(_ ids: [JobID]) async throws(Failure) -> [ControlOutcome] {
    var refused: [ControlOutcome] = []
    var free: [JobID] = []
    // Only complete jobs are examined, because thousands of others may have failed.
    let states = try await store.states(of: Set(ids))
    for id in ids {
      let complete = states[id] == .complete ? try await store.job(id) : nil
      // If a complete job has its target, starting it from the beginning would only fail, and its record would be lost.
      if let target = complete?.target, FileManager.default.fileExists(atPath: target) {
        refused.append((id, .refused("it is complete, and \(target) exists", advice: "remove that to fetch it again")))
      } else if complete?.specification.request.body != nil {
        refused.append((id, .refused("it is complete, and its body was removed", advice: "\(.get) sends another")))
      } else {
        free.append(id)
      }
    }
    // The next attempt replaces an old part file. If it were removed now, the file of a runner could be hit.
    let retried = try await store.retry(free, with: [:])
    for case (_, .done(let job)) in retried { home.journal(of: job).remove() }
    return retried + refused
  }

  /// Removes jobs from the store, and deletes their part files, but not their targets.
  /// - Parameter sparing: Whether unfinished jobs for whose files other images or snapshots wait stay. They are not in
  ///   the result; of what is done with their files, only what others want is left.
  public func remove(_ ids: [JobID], sparing: Bool = false) async throws(Failure) -> [ControlOutcome] {
    try await remove(ids, with: sparing ? try await removedNames(of: ids) : nil)
  }

  /// Returns the images and snapshots of jobs that are removed together, perhaps in several steps.
  package func removedNames(of ids: [JobID]) async throws(Failure) -> ArrangementRule.Removed {
    var (removed, rest) = (ArrangementRule.Removed(), ids[...])
    while !rest.isEmpty {
      for job in try await store.jobs(ids: Array(rest.prefix(DownloadManager.step))) { removed.add(job.specification) }
      rest = rest.dropFirst(DownloadManager.step)
    }
    return removed
  }

  /// Removes jobs, except unfinished ones for whose files other images or snapshots wait than the `removed` ones; with
  /// `nil`, all.
  package func remove(
    _ ids: [JobID], with removed: ArrangementRule.Removed?
  ) async throws(Failure) -> [ControlOutcome] {
    guard !ids.isEmpty else { return [] }
    let (outcomes, stuck) = try await executor.run { () async throws(Failure) in
      try await self.removeBlocking(ids, removed)
    }
    let ended = try await awaitingCommands(outcomes, DownloadManager.patience) { asked, job in
      job == nil ? ControlResult.done(asked) : nil
    }
    return ended + stuck
  }

  /// Removes jobs that no runner owns.
  /// - Returns: The result for each job, and the jobs whose part files cannot be removed.
  private func removeBlocking(_ ids: [JobID], _ removed: ArrangementRule.Removed?) async throws(Failure) -> (
    outcomes: [ControlOutcome], stuck: [ControlOutcome]
  ) {
    // The part files are deleted first: after a crash, there is then a job that can be removed again, and not a part
    // file without a job (P5). If a runner claims the job in between, it is told to remove the job. If another name joins
    // the job in between, the job stays, and fetches its bytes again.
    var present = try await store.jobs(ids: ids)
    if let removed { present.removeAll { !removed.wantedByOthers(of: $0.specification).isEmpty } }
    let kept: Set<JobState> = [.queued, .interrupted, .paused]
    let free = present.filter { kept.contains($0.state) }
    let failures = Recovery.removeParts(of: free, destinations)
    // Each server is asked only once. Uploads that it did not discard stay recorded.
    let tried = Set(free.lazy.filter { $0.specification.place.traits.asksServer }.map(\.id))
    // A job whose part file cannot be removed stays, because nothing else knows the path of the file (P5).
    let stuck = failures.map { id, failure in
      (id: id, result: ControlResult.refused("its part file cannot be removed: \(failure.reason)"))
    }
    let outcomes = try await store.remove(ids.filter { failures[$0] == nil }, with: removed)
    for case (_, .done(let job)) in outcomes {
      if !tried.contains(job.id) { Recovery.removePart(of: job, destinations) }
      JobFiles.remove(of: job, in: home)
    }
    return (outcomes, stuck)
  }

  /// The result of ``DownloadManager/setURL(_:_:user:keepingCredentials:for:adding:)``.
  package struct URLChange: Sendable {
    /// The result of the command.
    package var result: ControlResult
    /// The parts of the request that belonged to the old origin and were dropped; each is described in a few words.
    package var left: [String] = []
  }

  /// Replaces the URL of a job for the same file. Its bytes are kept if the server's validators match.
  /// - Parameters:
  ///   - id: The job.
  ///   - url: Its new URL.
  ///   - user: The user name and password in the typed URL.
  ///   - keepingCredentials: Whether another origin gets the credentials that the request has for the present one.
  ///   - client: The rule for the client of the service that makes the change; `nil` if the user makes it.
  ///   - adding: Adds what is given together with the URL, such as cookies for it, in the same step.
  package func setURL(
    _ id: JobID, _ url: RequestURL, user: RequestURL.UserInfo? = nil, keepingCredentials: Bool = false,
    for client: OutsideRule? = nil, adding: @escaping @Sendable (inout TransferRequest) -> Void = { _ in }
  ) async throws(Failure) -> URLChange {
    let complete: @Sendable (inout TransferRequest) -> Void = { request in
      if let user { request.takeUser(user.user, user.password) }
      adding(&request)
    }
    return try await executor.run { () async throws(Failure) in
      try await self.setURLBlocking(id, url, keepingCredentials: keepingCredentials, client, complete)
    }
  }

  private func setURLBlocking(
    _ id: JobID, _ url: RequestURL, keepingCredentials: Bool, _ client: OutsideRule?,
    _ complete: @escaping @Sendable (inout TransferRequest) -> Void
  ) async throws(Failure) -> URLChange {
    // Before anything is changed, this checks that the keys exist.
    _ = try TransferRequest(url: url).completed()
    let before = try await store.job(id)
    let lost = Mutex<[String]>([])
    let result = try await store.setURL(id, url, keepingCredentials: keepingCredentials) { moved throws(Failure) in
      var request = moved
      request.isOfClient = nil
      if let client { request = client.ofClient(request, from: before?.specification.request) }
      complete(&request)
      try CredentialRule.check(request)
      request = try request.completed()
      lost.withLock { $0 = before?.specification.request.left(by: request) ?? [] }
      return request
    }
    let left = lost.withLock(\.self)
    switch result {
    case .done, .asked: break
    case .refused, .unknown: return URLChange(result: result)
    }
    // The body is no longer needed. A runner that is still reading it has its file open.
    if let before, left.contains(where: { $0.contains("body") }) { BodyFiles.remove(of: before, in: home) }
    return URLChange(result: result, left: left)
  }

  /// Waits until the runners have carried out the commands.
  /// - Parameters:
  ///   - patience: The longest wait in seconds.
  ///   - answer: Returns the result, given the job as it was and as it is now; `nil` while nothing is decided.
  private func awaitingCommands(
    _ outcomes: [ControlOutcome], _ patience: Double, _ answer: @escaping @Sendable (Job, Job?) -> ControlResult?
  ) async throws(Failure) -> [ControlOutcome] {
    let asked = outcomes.reduce(into: [JobID: Job]()) { asked, one in
      if case .asked(let job) = one.result { asked[one.id] = job }
    }
    guard !asked.isEmpty else { return outcomes }
    let reading = Task {
      for try await _ in JobChanges(manager: self, ids: asked.keys.sorted(), interval: 0.05).batches {
        var isOpen = false
        for (id, job) in asked where answer(job, try await store.job(id)) == nil { isOpen = true }
        if !isOpen { return }
      }
    }
    let timer = Task {
      try await Task.sleep(for: .seconds(patience))
      reading.cancel()
    }
    // If the read fails, that is reported below.
    _ = await withTaskCancellationHandler {
      await reading.result
    } onCancel: {
      reading.cancel()
    }
    timer.cancel()
    var ended: [ControlOutcome] = []
    for (id, result) in outcomes {
      guard let job = asked[id] else {
        ended.append((id, result))
        continue
      }
      ended.append((id, answer(job, try await store.job(id)) ?? .asked(job)))
    }
    return ended
  }
}
