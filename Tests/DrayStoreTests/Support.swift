// Shared by the tests of the store: a temporary state directory, and short ways to make jobs.

import DrayCore
import DrayStore
import Foundation

/// A state directory below the temporary one, removed with this value.
final class TemporaryState: Sendable {
  let directory: StateDirectory

  init() {
    let path = NSTemporaryDirectory() + "dray-store-\(UUID().uuidString)"
    directory = StateDirectory(path: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory.path) }

  func open(busyTimeout: Double = 40) throws -> JobStore {
    try JobStore.open(directory, busyTimeout: busyTimeout)
  }

  /// Writes `bytes` as the database.
  func plant(_ bytes: Data) throws {
    try directory.create()
    try bytes.write(to: URL(fileURLWithPath: directory.databasePath))
  }

  var databaseBytes: Data {
    get throws { try Data(contentsOf: URL(fileURLWithPath: directory.databasePath)) }
  }

  var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)) }
  }
}

func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

func specification(
  _ text: String, output: String? = nil, priority: Int = 0, policy: ConflictPolicy = .fail,
  directory: String = "/d"
) throws -> JobSpecification {
  var options = JobOptions()
  options.onConflict = policy
  return JobSpecification(
    request: TransferRequest(url: try url(text)), options: options, directory: directory, output: output,
    priority: priority)
}

extension JobStore {
  /// Adds one job for each path below `http://h/`.
  func add(paths: String..., now: Double = 1) throws -> [JobID] {
    try add(try paths.map { try specification("http://h/\($0)") }, now: now).map(\.id)
  }

  /// Brings a new job into `state` in legal steps.
  func makeJob(_ path: String, in state: JobState, output: String? = nil, runner: UUID = UUID()) throws
    -> JobID
  {
    let id = try add([try specification("http://h/\(path)", output: output)], now: 1)[0].id
    let scope = ClaimScope.only(try registerScope([id]))
    switch state {
    case .queued:
      break
    case .active:
      _ = try claim(runner: runner, limit: 1, scope: scope, now: 2)
    case .complete:
      _ = try claim(runner: runner, limit: 1, scope: scope, now: 2)
      _ = try finish([.sample(id)], runner: runner, now: 3)
    case .failed, .interrupted, .paused:
      _ = try claim(runner: runner, limit: 1, scope: scope, now: 2)
      _ = try checkpoint([(id, Checkpoint(segments: SegmentSet(0..<10), size: 20))], runner: runner)
      _ = try endAttempt(
        id, runner: runner, state: state, failure: Failure(.network, "http://h/\(path)", "gone"),
        retry: RetryRecord(used: 2, furthest: 10), now: 3,
        attempt: Attempt(startedAt: 2, endedAt: 3, outcome: state.rawValue))
    }
    return id
  }
}

extension Finished {
  static func sample(_ id: JobID) -> Finished {
    Finished(
      id: id, published: FileIdentity(device: 1, inode: 2, size: 3, modified: 4), received: 3, size: 3,
      attempt: Attempt(startedAt: 2, endedAt: 3, outcome: "complete", firstByte: 0, lastByte: 3))
  }
}

/// The failure that `body` throws.
func thrown(_ body: () throws -> Void) -> Failure? {
  do {
    try body()
    return nil
  } catch {
    return error as? Failure
  }
}
