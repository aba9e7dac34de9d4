// Reads the changes of jobs once for all clients that follow the events.

internal import DrayCore
internal import DrayKit
internal import DrayStore

/// Follows the jobs of a manager, starting with the first request of a client.
actor JobFeed {
  /// The time for which jobs are still followed after the last request.
  private let patience: Duration
  /// The number of seconds between two heartbeats.
  private static let beat = 5.0

  let manager: DownloadManager
  var journal = EventJournal(era: JobFeed.newEra())
  /// The unfinished jobs as they were last read.
  var pictures: [JobID: JobPicture] = [:]
  var finished: Set<JobID> = []
  var counts: [JobState: Int] = [:]
  private var progress: [JobID: ProgressEntry] = [:]
  private var progressNumber = 0
  private var beats = 0
  private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
  private var nextListener = 0
  private var start: Task<Result<Void, Failure>, Never>?
  private var reading: Task<Void, Never>?
  private var beating: Task<Void, Never>?
  private var usedAt = ContinuousClock.now

  init(_ manager: DownloadManager, patience: Duration = .seconds(60)) {
    (self.manager, self.patience) = (manager, patience)
  }

  deinit {
    reading?.cancel()
    beating?.cancel()
  }

  private static func newEra() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

  // MARK: Clients

  /// Returns the present position in the events, and starts to follow the jobs.
  func cursor() async throws(Failure) -> EventCursor {
    usedAt = .now
    try await begin()
    return journal.cursor
  }

  /// Starts a listener. Its stream yields once at the start, and then whenever there may be something new.
  func listen() -> (number: Int, pulses: AsyncStream<Void>) {
    let (pulses, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    nextListener += 1
    listeners[nextListener] = continuation
    continuation.yield()
    if beating == nil { beating = Task { [weak self] in await JobFeed.beat(self) } }
    return (nextListener, pulses)
  }

  func nudge(_ number: Int) { listeners[number]?.yield() }

  func leave(_ number: Int) {
    listeners.removeValue(forKey: number)?.finish()
    guard listeners.isEmpty else { return }
    usedAt = .now
    beating?.cancel()
    beating = nil
  }

  func news(since cursor: EventCursor) -> EventNews {
    EventNews(
      changes: journal.news(since: cursor), cursor: journal.cursor, progress: progress, progressNumber: progressNumber,
      counts: counts, beats: beats)
  }

  private func pulse() { for listener in listeners.values { listener.yield() } }

  private static func beat(_ feed: @autoclosure () -> JobFeed?) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(JobFeed.beat))
      if Task.isCancelled { return }
      guard let feed = feed() else { return }
      await feed.countBeat()
    }
  }

  private func countBeat() {
    beats += 1
    pulse()
  }

  // MARK: Following

  private func begin() async throws(Failure) {
    let task = start ?? Task { await self.load() }
    start = task
    do throws(Failure) {
      try await task.value.get()
    } catch {
      start = nil
      throw error
    }
  }

  /// Reads the present jobs, which later readings are compared with.
  private func load() async -> Result<Void, Failure> {
    do throws(Failure) {
      finished = Set(try await manager.jobs.ids(states: [.complete, .failed]))
      counts = try await manager.jobs.counts(ids: nil)
      var last: JobID = 0
      while true {
        let page = try await manager.jobs.summaries(after: last, states: JobFeed.unfinished, limit: 1000)
        for job in page { pictures[job.id] = JobPicture(job) }
        guard page.count == 1000, let end = page.last?.id else { break }
        last = end
      }
    } catch {
      return .failure(error)
    }
    reading = Task { [weak self, manager] in
      while !Task.isCancelled {
        do throws(Failure) {
          for try await batch in manager.changes().batches {
            guard let self else { return }
            await self.take(batch)
          }
        } catch {
          // Try again until the store can be read.
          try? await Task.sleep(for: .seconds(1))
        }
      }
    }
    return .success(())
  }

  private static let unfinished = Set(JobState.allCases.filter { !$0.isFinished })

  private func take(_ batch: JobChanges.Batch) async {
    if batch.progress != progress {
      progress = batch.progress
      progressNumber += 1
    }
    if let records = batch.records { await compare(records) }
    let happened = batch.changes.filter { change in
      switch change.kind {
      case .present, .progress, .removed: false
      default: true
      }
    }
    // These are, for example, jobs that started and ended between two readings.
    journal.changed(Set(happened.map(\.id)).sorted())
    pulse()
    if listeners.isEmpty, usedAt.advanced(by: patience) < .now { end() }
  }

  /// Stops following the jobs, because no client listens any more. A client that comes back with an old position must
  /// load everything again.
  private func end() {
    reading?.cancel()
    (reading, start) = (nil, nil)
    journal = EventJournal(era: JobFeed.newEra())
    (pictures, finished, progress) = ([:], [], [:])
  }
}
