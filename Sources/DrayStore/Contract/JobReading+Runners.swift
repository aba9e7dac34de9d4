// Who transfers jobs, and how far they are: from the boards of the runners.

package import DrayCore

package import struct FoundationEssentials.UUID

extension JobReading where Self: Liveness {
  /// Returns the progress of the active jobs, as last shown by their runners.
  /// - Parameter runner: the runner whose jobs are left out.
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
  /// Returns the runners that live, and the dead ones that are not forgotten yet, with what they showed last.
  package func runners() async throws(Failure) -> [RunnerRecord] {
    var all = try await runnerRecords() + deadRunnerRecords()
    for place in all.indices {
      guard let board = try await board(of: all[place].runner) else { continue }
      all[place].name = all[place].name ?? board.runner?.name
      (all[place].version, all[place].since) = (board.runner?.version, board.runner?.since)
      // What a dead runner showed last is over.
      guard !all[place].isDead else { continue }
      all[place].jobs = board.entries.count
      all[place].rate = board.entries.reduce(0) { $0 + $1.rate }
    }
    let order = { (one: RunnerRecord) in (one.isDead ? 1 : 0, one.name ?? "", one.runner.uuidString) }
    return all.sorted { order($0) < order($1) }
  }
}
