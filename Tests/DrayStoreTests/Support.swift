// What the tests of the store share: a state directory of their own, and short ways to make jobs.

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
  func add(paths: String..., now: Double = 1) async throws -> [JobID] {
    try await add(try paths.map { try specification("http://h/\($0)") }, now: now).map(\.id)
  }

  /// Brings a new job into `state` in legal steps.
  func makeJob(_ path: String, in state: JobState, output: String? = nil, runner: UUID = UUID()) async throws
    -> JobID
  {
    let id = try await add([try specification("http://h/\(path)", output: output)], now: 1)[0].id
    let scope = ClaimScope.only(try await registerScope([id]))
    switch state {
    case .queued:
      break
    case .active:
      _ = try await claim(runner: runner, limit: 1, scope: scope, now: 2)
    case .complete:
      _ = try await claim(runner: runner, limit: 1, scope: scope, now: 2)
      _ = try await finish([.sample(id)], runner: runner, now: 3)
    case .failed, .interrupted, .paused:
      _ = try await claim(runner: runner, limit: 1, scope: scope, now: 2)
      _ = try await checkpoint([(id, Checkpoint(segments: SegmentSet(0..<10), size: 20))], runner: runner)
      _ = try await endAttempt(
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
func thrown(_ body: () async throws -> Void) async -> Failure? {
  do {
    try await body()
    return nil
  } catch {
    return error as? Failure
  }
}

extension Sequence {
  /// The elements transformed, one after the other.
  func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
    var all: [T] = []
    for element in self { all.append(try await transform(element)) }
    return all
  }
}

/// Runs `body` in `count` tasks at once, and returns when all have ended.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) async {
  await withTaskGroup { group in
    for number in 0..<count { group.addTask { await body(number) } }
  }
}

extension JobStore {
  func setURL(_ id: JobID, _ url: RequestURL) async throws -> ControlResult {
    try await setURL(id, url, keepingCredentials: false) { $0 }
  }
}
