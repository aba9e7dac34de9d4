// `dray watch --json`: writes the events of all runners as lines of JSON. It starts no job and changes nothing in the
// store.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix

actor WatchStream {
  private let manager: DownloadManager
  /// The jobs that the user named; `nil` for all jobs.
  private let ids: [JobID]?
  private let output: ResultOutput
  /// The jobs that the user named and that may still have events.
  private var open: Set<JobID>
  private var reading: Task<Void, any Error>?
  private var ending: Int32?

  init(_ manager: DownloadManager, _ ids: [JobID]?, _ output: ResultOutput = .standard) {
    (self.manager, self.ids, self.output) = (manager, ids, output)
    open = Set(ids ?? [])
  }

  /// Writes events until the named jobs have ended, until the reader has closed the pipe, or until a signal arrives.
  func run() async throws -> ExitStatus {
    let signals = SignalWatch(restore: "") { request in Task { await self.handle(request) } }
    let reading = Task { try await read() }
    self.reading = reading
    if ending != nil { reading.cancel() }
    try await reading.value
    return withExtendedLifetime(signals) { ending.flatMap { ExitStatus(rawValue: 128 + $0) } ?? .success }
  }

  private func read() async throws {
    for try await batch in manager.changes(of: ids).batches {
      for change in batch.changes {
        write(change, batch.progress[change.id])
        if ids != nil { track(change) }
      }
      output.flush()
      // If the reader stops reading, all changes during that time are reported as one.
      while output.isBehind, !output.isBroken, !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(50))
        output.flush()
      }
      if output.isBroken || ids != nil && open.isEmpty { return }
    }
  }

  /// Records whether a job that the user named may have further events.
  private func track(_ change: JobChange) {
    if change.record.map({ $0.state.isFinished || $0.state == .interrupted }) ?? true {
      open.remove(change.id)
    } else {
      open.insert(change.id)
    }
  }

  private func handle(_ request: SignalWatch.Request) {
    switch request {
    case .suspend: SignalWatch.suspendProcess()
    case .end(let number):
      ending = number
      reading?.cancel()
    }
  }

  private func write(_ change: JobChange, _ progress: ProgressEntry?) {
    let (id, time) = (change.id, change.time)
    func write(_ kind: JobEvent.Kind) {
      output.write(EventJSON.line(JobEvent(id: id, time: time, kind: kind), .commandLine))
    }
    guard let record = change.record else { return write(.removed) }
    func failure(_ reason: String) -> Failure {
      record.failure ?? Failure(.other, ShownURL.text(record.url), reason)
    }
    switch change.kind {
    case .present:
      output.write(
        EventJSON.job(JobFacts(record, live: progress, names: .commandLine, isFile: System.isFile), time: time))
    case .added:
      output.write(EventJSON.added(JobFacts(record, live: nil, names: .commandLine, isFile: System.isFile), time: time))
    case .queued: output.write(EventJSON.queued(id, time: time))
    case .started(let attempt): write(.started(attempt: attempt))
    case .answered(let response): write(.response(response, from: record.received, size: record.size))
    case .retrying(let delay): write(.retrying(failure("it is tried again"), delay: delay))
    case .interrupted: write(.interrupted(record.failure))
    case .paused: write(.paused)
    case .failed: write(.failed(failure("it failed")))
    case .complete:
      write(
        .complete(
          path: record.target ?? "", size: record.size ?? record.received, digest: record.knownDigest,
          note: record.note))
    case .removed: write(.removed)
    case .progress(let entry):
      output.write(
        EventJSON.progress(id, received: entry.received, size: entry.size, rate: entry.rate, time: time))
    }
  }
}
