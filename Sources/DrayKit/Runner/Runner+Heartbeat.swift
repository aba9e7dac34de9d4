// What a runner does besides its jobs: shows progress, reads commands, checkpoints, searches for dead runners.

internal import DrayEngine
internal import Foundation
internal import Synchronization

extension Runner {
  /// Seconds between two beats while there are jobs here: progress is shown, and commands of others are carried out, this
  /// often. Without jobs a beat follows each change of the store.
  static let interval = 0.2
  /// Seconds between two checkpoints. P4 allows 2 s from a byte to its checkpoint: for some 0.6 s of them a byte may wait to be
  /// written (`BodyWriter.patience`, and a tick), for 1.2 s until the beat that begins the next one, and the rest is for
  /// the store and the disk.
  static let checkpointInterval = 1.0
  /// Seconds that a transfer is spared: it may end by itself, and after the next beat it is not 2 s old yet.
  private static let youth = 0.7
  /// Seconds between two searches for runners that died, while there are jobs here.
  private static let reapInterval = 1.0

  /// Beats until it is cancelled.
  func beat() async {
    var observation: ChangeObservation?
    defer { withExtendedLifetime(observation) {} }
    var mark: ChangeMark?
    var checkpoint: Task<Void, Never>?
    var checkpointedAt = SteadyClock.now()
    var reapedAt = checkpointedAt
    var changes = pulse.stream.makeAsyncIterator()
    while !Task.isCancelled {
      // Not before the first beat: a short run ends before.
      let wasIdle = isIdle && observation != nil
      if wasIdle { _ = await changes.next() } else { try? await Task.sleep(for: .seconds(Runner.interval)) }
      if observation == nil { observation = store.observeChanges { [pulse] in pulse.continuation.yield() } }
      do throws(Failure) {
        showProgress()
        let (now, limit) = try await worker.run { [store] () async throws(Failure) in
          (try await store.changeMark(), try await store.setting(.rateLimit))
        }
        applyLimit(limit)
        if now != mark {
          mark = now
          try await pollCommands()
          try await applyOwnLimits()
          lookAgain()
        }
        let time = SteadyClock.now()
        // Not while it ends: what it interrupts by itself would be queued again.
        if wasIdle || time - reapedAt >= Runner.reapInterval, !isStopping.load(ordering: .acquiring) {
          reapedAt = time
          try await reap()
          try await giveBackUnused()
          try await count()
        }
      } catch {
        failRun(error)
      }
      // One at a time, and beside the beats: a slow disk must not keep commands from being polled.
      let now = SteadyClock.now()
      if now - checkpointedAt >= Runner.checkpointInterval, !isCheckpointing {
        checkpointedAt = now
        isCheckpointing = true
        checkpoint = Task {
          await self.checkpointAll()
          self.isCheckpointing = false
        }
      }
    }
    await checkpoint?.value
  }

  /// Makes what all transfers have durable.
  private func checkpointAll() async {
    let young = SteadyClock.now() - Runner.youth
    let transfers = running.values.compactMap { one in
      one.begunAt <= young ? one.transfer.map { (one.job.id, $0) } : nil
    }
    guard !transfers.isEmpty else { return }
    for (id, _) in transfers { await nameBeforeClaim(id) }
    do throws(Failure) { try await checkpointer.record(transfers) } catch { failRun(error) }
  }

  /// Writes the board that other processes read.
  private func showProgress() {
    absorb()
    let now = WallClock.now()
    for one in running.values { one.look(now) }
    let entries = (Array(running.values) + Array(publishing.values)).sorted { $0.order < $1.order }.map { one in
      ProgressEntry(
        job: one.job.id, received: one.moved, size: one.currentPhase == .sending ? one.toSend : one.size,
        rate: one.rate, phase: ProgressEntry.Phase(rawValue: one.currentPhase.rawValue) ?? .receiving)
    }
    let board = RunnerBoard(entries: entries)
    // Progress that cannot be shown is not a reason to stop.
    if board != shownBoard, (try? lease.publish(board)) != nil { shownBoard = board }
  }

  /// Has the pending commands of the jobs that are held here carried out.
  func pollCommands() async throws(Failure) {
    let commands = try await store.commands(runner: id)
    absorb()
    for (job, command) in commands {
      if reclaimed[job] != nil {
        reclaimed[job]?.command = command
        continue
      }
      if let one = slots.remove(job) { beginAtOnce(one) }
      if running[job] == nil, publishing[job] == nil { mustPollCommands = true }
      cancel(job, .end(.command(command)))
    }
  }

  /// Applies the limit in force: what `dray limit` set, else the run's own, by the clock. Asked at each beat, it needs no
  /// timer, and setting the clock is harmless.
  private func applyLimit(_ setting: String?) {
    overallLimit.setLimit(Runner.rule(setting, options).rate(at: WallClock.now(), zone: options.zone))
  }

  /// The rule in force.
  static func rule(_ setting: String?, _ options: RunOptions) -> RateRule {
    setting.flatMap { try? RateRule.parse($0) } ?? options.overallRule
  }

  /// Applies the limits of single jobs: another process may have changed them.
  private func applyOwnLimits() async throws(Failure) {
    guard !running.isEmpty else { return }
    let limits = try await store.rateLimits(runner: id)
    for (job, one) in running { one.limiter.setLimit(limits[job]) }
  }

  /// Takes over from runners that died or ended.
  func reap() async throws(Failure) {
    // Another process may have been the first to see that a runner is gone: what counts is what it left.
    let abandoned = try await worker.run { [store, home, scope] () async throws(Failure) in
      try await Recovery.reap(store, home)
      return try await store.requeueAbandoned(scope: scope)
    }
    if !abandoned.isEmpty { lookAgain() }
  }
}

extension RunningJob {
  /// Bytes that count at present: those sent, then those received.
  var moved: Int64 { currentPhase == .sending ? transfer?.sent ?? 0 : received }

  /// Brings the rate up to date: smoothed over a few seconds.
  func look(_ now: Double) {
    defer { lastLook = (moved, now) }
    guard let last = lastLook, now > last.time else { return }
    let current = Double(max(0, moved - last.bytes)) / (now - last.time)
    rate += (current - rate) * min(1, (now - last.time) / 2)
  }
}
