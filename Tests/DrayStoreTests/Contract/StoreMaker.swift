// The kinds of job stores that the conformance suite is run through. A new one is an entry of `all`.

import DrayCore
import DrayStore
import Foundation
import Testing

/// One empty store, used by two processes: what one writes, the other reads.
final class StorePair: Sendable {
  let one: any JobStoring
  let other: any JobStoring
  private let owner: any Sendable

  /// - Parameter owner: what the store needs as long as it is used.
  init(_ one: any JobStoring, _ other: any JobStoring, owner: any Sendable) {
    (self.one, self.other, self.owner) = (one, other, owner)
  }
}

/// Makes stores of one kind.
struct StoreMaker: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let make: @Sendable () async throws -> StorePair

  static let all = [sqlite, readApart]

  static let sqlite = StoreMaker(testDescription: "SQLite") {
    let state = TemporaryState()
    return StorePair(try state.open(), try state.open(), owner: state)
  }

  static let readApart = StoreMaker(testDescription: "SQLite, read over a second connection") {
    let state = TemporaryState()
    let stores = try (0..<2).map { _ in try JobStore.open(state.directory, looksApart: true) }
    return StorePair(stores[0], stores[1], owner: state)
  }
}

extension JobHolding where Self: JobReading {
  /// Adds a job for each path below `http://h/`.
  func add(
    _ paths: String..., output: String? = nil, priority: Int = 0, after: [JobID] = [], policy: ConflictPolicy = .fail
  ) async throws -> [JobID] {
    let all = try paths.map { path in
      var one = try specification("http://h/\(path)", output: output, priority: priority, policy: policy)
      one.after = after
      return one
    }
    return try await add(all, marks: [], now: 1, seen: nil).map(\.id)
  }

  /// Claims what is due.
  func claim(_ runner: UUID, limit: Int = 9, scope: ClaimScope = .all, now: Double = 2) async throws -> [Job] {
    try await claim(runner: runner, limit: limit, scope: scope, jobsPerOrigin: .unlimited, now: now)
  }

  /// Adds one job, and claims it.
  func held(_ path: String, by runner: UUID) async throws -> JobID {
    let id = try await add(path)[0]
    let scope = ClaimScope.only(try await registerScope([id]))
    _ = try await claim(runner, scope: scope)
    return id
  }

  /// Ends the attempt at a job that is held.
  func endAttempt(
    _ id: JobID, _ runner: UUID, as state: JobState, failure: Failure? = Failure(.network, "http://h", "gone"),
    pending: PendingCommandRule = .drop
  ) async throws -> Bool {
    try await endAttempt(
      id, runner: runner, state: state, failure: failure, retry: RetryRecord(), note: nil, notBefore: nil,
      mayBeRepeated: true, now: 3, attempt: Attempt(startedAt: 2, endedAt: 3, outcome: state.rawValue), pending: pending
    )
  }

  func state(of id: JobID) async throws -> JobState? { try await states(of: [id])[id] }
}
