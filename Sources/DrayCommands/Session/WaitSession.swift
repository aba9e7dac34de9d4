// Waits for jobs that other processes transfer. It starts no job and changes nothing in the store.

internal import DrayKit
internal import DrayStore
internal import Posix
internal import TerminalUI

actor WaitSession {
  private let manager: DownloadManager
  private let quiet: Bool
  private var left: Set<JobID>
  /// The times at which jobs were first seen to be interrupted without a failure. A runner may still continue such a
  /// job.
  private var stoppedSince: [JobID: Double] = [:]
  /// The records of those jobs that exist and have not ended.
  private var records: [JobID: JobSummary] = [:]
  private var statuses: Set<ExitStatus> = []
  private var reading: Task<Void, any Error>?
  private var ending: Int32?
  private var hasWarned = false

  /// The number of seconds within which another runner may continue an interrupted job.
  private static let patience = 3.0

  init(_ manager: DownloadManager, _ ids: [JobID], quiet: Bool) {
    self.manager = manager
    self.quiet = quiet
    left = Set(ids)
  }

  /// - Parameter timeout: The maximum time to wait, in seconds; `nil` for no limit.
  func run(timeout: Double?) async throws -> ExitStatus {
    let signals = SignalWatch(restore: "") { request in Task { await self.handle(request) } }
    report()
    let reading = Task { try await read() }
    self.reading = reading
    if ending != nil { reading.cancel() }
    let timer = timeout.map { timeout in
      Task {
        try await Task.sleep(for: .seconds(timeout))
        self.giveUp()
      }
    }
    defer { timer?.cancel() }
    try await reading.value
    return withExtendedLifetime(signals) {
      ending.flatMap { ExitStatus(rawValue: 128 + $0) } ?? ExitStatus.combined(statuses)
    }
  }

  private func read() async throws {
    for try await batch in manager.changes(of: left.sorted()).batches {
      for change in batch.changes { records[change.id] = change.record }
      check(hasRunners: batch.hasRunners)
      if left.isEmpty { return }
    }
  }

  private func giveUp() {
    guard !left.isEmpty, ending == nil else { return }
    Messages.print("gave up waiting for \(names()); `dray list` shows their progress")
    statuses.insert(.other)
    reading?.cancel()
  }

  private func check(hasRunners: Bool) {
    let now = System.now
    var isWaiting = false
    for id in left.sorted() {
      guard let record = records[id] else {
        end(id, .other, "it was removed")
        continue
      }
      switch record.state {
      case .active: stoppedSince[id] = nil
      case .queued:
        stoppedSince[id] = nil
        isWaiting = true
      default: ended(record, now)
      }
    }
    if isWaiting, !hasWarned, !hasRunners {
      hasWarned = true
      if !quiet { Messages.print("no runner transfers the queue; start one with `dray run`") }
    }
  }

  private func ended(_ record: JobSummary, _ now: Double) {
    let id = record.id
    if record.state == .interrupted, record.failure == nil {
      if stoppedSince[id] == nil {
        stoppedSince[id] = now
        Task {
          try? await Task.sleep(for: .seconds(WaitSession.patience))
          self.checkStopped(id, since: now)
        }
      }
      return
    }
    switch record.state {
    case .complete:
      end(id, .success, nil)
      if !quiet { Messages.print("[\(id)] complete" + (record.target.map { ": \($0)" } ?? "")) }
    case .paused: end(id, .other, "it is paused; `dray resume \(id)` continues it")
    default: end(id, record.failure?.exitStatus ?? .other, record.failure?.message ?? "it \(record.state.predicate)")
    }
  }

  private func checkStopped(_ id: JobID, since start: Double) {
    guard stoppedSince[id] == start, ending == nil else { return }
    end(id, .other, "it was interrupted, and no runner continues it; `dray run` does")
    if left.isEmpty { reading?.cancel() }
  }

  private func end(_ id: JobID, _ status: ExitStatus, _ why: String?) {
    left.remove(id)
    stoppedSince[id] = nil
    statuses.insert(status)
    if let why { Messages.print("[\(id)] \(why)") }
  }

  private func report() {
    if !quiet, !left.isEmpty { Messages.print("waiting for \(names())") }
  }

  private func names() -> String {
    let shown = left.sorted().prefix(10).map { "\($0)" }.joined(separator: ", ")
    return "\(left.count == 1 ? "job" : "jobs") \(shown)" + (left.count > 10 ? " and \(left.count - 10) more" : "")
  }

  private func handle(_ request: SignalWatch.Request) {
    switch request {
    case .suspend: SignalWatch.suspendProcess()
    case .end(let number):
      ending = number
      reading?.cancel()
    }
  }
}
