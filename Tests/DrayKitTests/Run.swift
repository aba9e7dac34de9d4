// A run in the background of a test, with all that it reported.

import DrayKit
import Synchronization
import Testing

/// A runner in the background of a test.
final class Run: Sendable {
  let runner: Runner
  private let log = Mutex<[JobEvent]>([])
  private let task: Task<RunSummary, any Error>

  init(
    _ manager: DownloadManager, _ scope: RunScope = .all, _ change: (inout RunOptions) -> Void = { _ in }
  ) async throws {
    var options = RunOptions()
    change(&options)
    let runner = try await manager.makeRunner(scope, options)
    self.runner = runner
    task = Task { try await runner.run() }
    Task { [self] in
      for await event in runner.events { log.withLock { $0.append(event) } }
      listened.store(true, ordering: .releasing)
    }
  }

  private let listened = Atomic<Bool>(false)

  /// Waits for the end of the run and of its events.
  func summary() async throws -> RunSummary {
    let summary = try await task.value
    try #require(await eventually { self.listened.load(ordering: .acquiring) })
    return summary
  }

  /// The events of a job so far, in order.
  func events(_ id: JobID) -> [JobEvent.Kind] { log.withLock { log in log.filter { $0.id == id }.map(\.kind) } }

  /// The names of a job's events so far.
  func story(_ id: JobID) -> [String] { events(id).map(\.name) }

  func starts() -> [JobID] {
    log.withLock { log in log.compactMap { if case .started = $0.kind { $0.id } else { nil } } }
  }

  /// Waits until `count` bytes of a job are here.
  func hasReceived(_ count: Int64, of id: JobID) async -> Bool {
    await eventually { await self.runner.snapshot().active.first { $0.id == id }?.received == count }
  }
}

extension KitFixture {
  /// Runs the queue to its end.
  @discardableResult
  func run(_ scope: RunScope = .all, _ change: (inout RunOptions) -> Void = { _ in }) async throws -> RunSummary {
    try await Run(manager, scope, change).summary()
  }
}

extension JobEvent.Kind {
  /// The name of the case.
  var name: String {
    switch self {
    case .added: "added"
    case .upToDate: "up to date"
    case .started: "started"
    case .redirected: "redirected"
    case .response: "response"
    case .restarted: "restarted"
    case .damaged: "damaged"
    case .retrying: "retrying"
    case .waiting: "waiting"
    case .interrupted: "interrupted"
    case .paused: "paused"
    case .removed: "removed"
    case .skipped: "skipped"
    case .failed: "failed"
    case .complete, .completeWithoutFile: "complete"
    case .hook: "hook"
    case .adopted: "adopted"
    case .seeded: "seeded"
    case .mirrorDropped: "mirror dropped"
    case .interfaceChanged: "interface changed"
    case .connectionsLimited: "connections limited"
    case .linkRenewed: "link renewed"
    }
  }
}
