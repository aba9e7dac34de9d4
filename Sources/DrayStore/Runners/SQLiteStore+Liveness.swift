// Gives runners their leases: locked files in the state directory.

internal import DrayCore
internal import Threads

internal import struct FoundationEssentials.UUID

extension SQLiteStore {
  func acquireLease() async throws(Failure) -> any RunnerLease {
    try await executor.thread.call { [directory, executor] () throws(Failure) in
      StoreLease(file: try LeaseFile.acquire(in: directory), executor: executor)
    }
  }

  func livingRunners() async throws(Failure) -> Set<UUID> {
    try await executor.thread.call { [directory] in Set(LeaseFile.living(in: directory)) }
  }

  func deadRunnerRecords() async throws(Failure) -> [RunnerRecord] {
    try await executor.thread.call { [directory] in
      LeaseFile.dead(in: directory).map { RunnerRecord(runner: $0, isDead: true) }
    }
  }

  func deadRunners(among runners: Set<UUID>) async throws(Failure) -> Set<UUID> {
    try await executor.thread.call { [directory] in LeaseFile.dead(among: runners, in: directory) }
  }

  func forgetDeadRunners() async throws(Failure) {
    let named = try await activeRunners()
    try await executor.thread.call { [directory] in LeaseFile.sweep(in: directory, keeping: named) }
  }

  func board(of runner: UUID) async throws(Failure) -> RunnerBoard? {
    try await executor.thread.call { [directory] in LeaseFile.board(of: runner, in: directory) }
  }
}

/// A lease that makes its system calls on a thread that may block.
private struct StoreLease: RunnerLease {
  let file: LeaseFile
  let executor: StoreExecutor

  var runner: UUID { file.runner }

  func show(_ board: RunnerBoard) async throws(Failure) {
    try await executor.thread.call { () throws(Failure) in try file.show(board) }
  }

  func release() async { try? await executor.thread.call { file.release() } }
}
