// Waits for jobs that other processes transfer; holds nothing and changes nothing.

internal import DrayKit
internal import Posix
internal import TerminalUI

actor WaitSession {
  private let manager: DownloadManager
  private let quiet: Bool
  /// The jobs that have not ended.
  private var left: Set<JobID>
  /// Since when jobs are interrupted without a failure of their own: a runner may continue with them.
  private var stoppedSince: [JobID: Double] = [:]
  private var statuses: Set<ExitStatus> = []
  private var ending: Int32?
  private var hasToldOfNobody = false

  /// Seconds between two looks; between two looks for runners that died; and how long another may take to continue with
  /// what one left.
  private static let interval = 0.2
  private static let reapInterval = 1.0
  private static let patience = 3.0

  init(_ manager: DownloadManager, _ ids: [JobID], quiet: Bool) {
    self.manager = manager
    self.quiet = quiet
    left = Set(ids)
  }

  /// Waits.
  /// - Parameter timeout: seconds; `nil` is forever.
  func run(timeout: Double?) async throws -> ExitStatus {
    let signals = SignalWatch(restore: "") { wish in Task { await self.obey(wish) } }
    let start = System.now
    var reaped = start
    var mark: ChangeMark?
    tell()
    while ending == nil {
      let now = System.now
      if now - reaped >= WaitSession.reapInterval {
        reaped = now
        try? manager.refresh()
      }
      let current = try manager.store.changeMark()
      // That a runner has gone is not a change of the store.
      if current != mark || !stoppedSince.isEmpty || reaped == now {
        mark = current
        try look(now)
      }
      guard !left.isEmpty else { break }
      if let timeout, now - start >= timeout {
        Messages.print("gave up waiting for \(names()); `dray list` shows their progress")
        statuses.insert(.other)
        break
      }
      try? await Task.sleep(for: .seconds(WaitSession.interval))
    }
    return withExtendedLifetime(signals) {
      ending.flatMap { ExitStatus(rawValue: 128 + $0) } ?? ExitStatus.combined(statuses)
    }
  }

  private func look(_ now: Double) throws(Failure) {
    let states = try manager.store.states(of: left)
    var isWaiting = false
    for id in left.sorted() {
      switch states[id] {
      case .active?: stoppedSince[id] = nil
      case .queued?:
        stoppedSince[id] = nil
        isWaiting = true
      case nil: end(id, .other, "it was removed")
      case let state?: try ended(id, state, now)
      }
    }
    if isWaiting, !hasToldOfNobody, !manager.hasRunners() {
      hasToldOfNobody = true
      if !quiet { Messages.print("no runner transfers the queue; start one with `dray run`") }
    }
  }

  private func ended(_ id: JobID, _ state: JobState, _ now: Double) throws(Failure) {
    let job = try manager.store.job(id)
    if state == .interrupted, job?.failure == nil {
      let since = stoppedSince[id] ?? now
      stoppedSince[id] = since
      guard now - since >= WaitSession.patience else { return }
      return end(id, .other, "it was interrupted, and no runner continues it; `dray run` does")
    }
    switch state {
    case .complete:
      end(id, .success, nil)
      if !quiet { Messages.print(CompletionLine.ofWait(Int(id), target: job?.target)) }
    case .paused: end(id, .other, "it is paused; `dray resume \(id)` continues it")
    default: end(id, job?.failure?.exitStatus ?? .other, job?.failure?.message ?? "it \(state.predicate)")
    }
  }

  private func end(_ id: JobID, _ status: ExitStatus, _ why: String?) {
    left.remove(id)
    stoppedSince[id] = nil
    statuses.insert(status)
    if let why { Messages.print("[\(id)] \(why)") }
  }

  private func tell() {
    if !quiet, !left.isEmpty { Messages.print("waiting for \(names())") }
  }

  private func names() -> String {
    let shown = left.sorted().prefix(10).map { "\($0)" }.joined(separator: ", ")
    return "\(left.count == 1 ? "job" : "jobs") \(shown)" + (left.count > 10 ? " and \(left.count - 10) more" : "")
  }

  private func obey(_ wish: SignalWatch.Wish) {
    switch wish {
    case .suspend: SignalWatch.suspendProcess()
    case .end(let number): ending = number
    }
  }
}
