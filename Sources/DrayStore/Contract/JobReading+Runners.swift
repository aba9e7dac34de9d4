// The runners of a store, and the progress of their jobs according to their boards.

package import DrayCore

package import struct FoundationEssentials.UUID

extension JobReading {
  /// Returns the runners that own jobs, alive or dead.
  package func activeRunners() async throws(Failure) -> Set<UUID> { Set(try await ownedJobCounts().keys) }
}

extension JobReading where Self: Liveness {
  /// Returns the progress of the active jobs, as last shown by their runners.
  /// - Parameter runner: The runner whose jobs are left out.
  package func progress(besides runner: UUID? = nil) async throws(Failure) -> [JobID: ProgressEntry] {
    var all: [JobID: ProgressEntry] = [:]
    for other in try await activeRunners() where other != runner {
      guard let board = try await board(of: other) else { continue }
      for var entry in board.entries {
        entry.runner = board.runner?.name
        all[entry.job] = entry
      }
    }
    return all
  }
}

extension JobReading where Self: Liveness {
  /// Returns three kinds of runners: those that are alive; those that are dead but not forgotten yet, with what they
  /// showed last; and those that have ended and whose attempts failed within the last hour.
  package func runners() async throws(Failure) -> [RunnerRecord] {
    var all = try await runnerRecords() + deadRunnerRecords()
    for place in all.indices {
      guard let board = try await board(of: all[place].runner) else { continue }
      all[place].name = all[place].name ?? board.runner?.name
      (all[place].version, all[place].since) = (board.runner?.version, board.runner?.since)
      // The last board of a dead runner is out of date.
      guard !all[place].isDead else { continue }
      all[place].jobs = board.entries.count
      all[place].rate = board.entries.reduce(0) { $0 + $1.rate }
    }
    let order = { (one: RunnerRecord) in (one.isDead ? 1 : 0, one.name ?? "", one.runner.uuidString) }
    all.sort { order($0) < order($1) }
    guard var failures = try await failedAttempts() else { return all }
    var named: Set<String> = []
    for place in all.indices {
      let name = all[place].name ?? ""
      // A pod that is restarted has the same name as its dead predecessor.
      if named.insert(name).inserted { all[place].failed = failures.removeValue(forKey: name) ?? 0 }
    }
    return all
      + failures.sorted { $0.key < $1.key }.map { name, count in
        var record = RunnerRecord(runner: UUID(), name: name)
        (record.hasEnded, record.failed) = (true, count)
        return record
      }
  }
}
