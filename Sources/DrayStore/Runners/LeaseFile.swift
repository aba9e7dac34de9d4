// A runner's lease: a file that the runner keeps locked, so that nobody has to check process numbers.
//
// Only a runner takes the exclusive lock. A check takes a shared lock for a moment, so that checks do not disturb each
// other. A runner that is just starting waits for such a check. If a sweep removed the runner's new file in that
// moment, the runner creates another one.

internal import DrayCore
internal import Posix
internal import Synchronization

internal import struct FoundationEssentials.UUID

/// The lease of one runner. The runner is alive as long as its file is locked; the system unlocks the file when the
/// process ends.
final class LeaseFile: Sendable {
  let runner: UUID
  /// The path of the locked file.
  let path: String
  private let descriptor: Mutex<Int32?>

  private init(runner: UUID, path: String, descriptor: Int32) {
    self.runner = runner
    self.path = path
    self.descriptor = Mutex(descriptor)
  }

  deinit { release() }

  /// - Throws: Kind `store` if the file cannot be created.
  static func acquire(in directory: StateDirectory) throws(Failure) -> LeaseFile {
    try acquire(UUID(), in: directory)
  }

  static func acquire(_ runner: UUID, in directory: StateDirectory) throws(Failure) -> LeaseFile {
    let path = file(of: runner, in: directory)
    do throws(SystemError) {
      while true {
        let descriptor = try System.create(path, mode: 0o600)
        if try lock(descriptor, at: path) {
          return LeaseFile(runner: runner, path: path, descriptor: descriptor)
        }
        System.close(descriptor)
      }
    } catch {
      throw Failure(
        .store, path, "the lease of this run cannot be taken: \(error.text)",
        advice: "see who owns the directory, or set \(.stateDirectory) to another")
    }
  }

  /// Locks a new file; returns `false` if a sweep has removed the file because it took the runner for dead.
  private static func lock(_ descriptor: Int32, at path: String) throws(SystemError) -> Bool {
    do {
      try System.lock(descriptor)
    } catch {
      System.close(descriptor)
      throw error
    }
    return isStill(descriptor, at: path)
  }

  /// Ends the lease and removes its file. After this call, other runners can claim the runner's jobs.
  func release() {
    descriptor.withLock { descriptor in
      guard let open = descriptor else { return }
      // Remove the file before unlocking it, so that nobody finds it unlocked.
      System.remove(path)
      System.close(open)
      descriptor = nil
    }
  }

  /// Shows other processes the progress of the runner's jobs. Called at most a few times a second; nothing is synced.
  /// - Throws: Kind `store` if the file cannot be written.
  func show(_ board: RunnerBoard) throws(Failure) {
    do {
      try descriptor.withLock { open throws(SystemError) in
        if let open { try System.write(board.bytes, to: open, at: 0) }
      }
    } catch {
      throw Failure(.store, path, "the progress cannot be shown to others: \(error.text)", recovery: .keep)
    }
  }

  /// A runner without a file is dead.
  static func isAlive(_ runner: UUID, in directory: StateDirectory) -> Bool {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try System.open(file(of: runner, in: directory), .reading)
    } catch {
      // Any other error proves nothing; for example, this process may have no descriptor left.
      return error.code != SystemError.noEntry
    }
    defer { System.close(descriptor) }
    // If the lock cannot be tested, it counts as taken: a waiting job is better than a job with two owners (P9).
    return (try? System.tryLock(descriptor, shared: true)) != true
  }

  static func dead(among runners: Set<UUID>, in directory: StateDirectory) -> Set<UUID> {
    runners.filter { !isAlive($0, in: directory) }
  }

  /// Returns the live runners, with or without jobs.
  static func living(in directory: StateDirectory) -> [UUID] {
    System.names(in: directory.runnersPath).compactMap(UUID.init(uuidString:)).filter {
      isAlive($0, in: directory)
    }
  }

  /// Returns the dead runners whose files still exist.
  static func dead(in directory: StateDirectory) -> [UUID] {
    System.names(in: directory.runnersPath).compactMap(UUID.init(uuidString:)).filter { !isAlive($0, in: directory) }
  }

  /// Returns the last board of a runner; `nil` if the runner has shown none, or is gone.
  static func board(of runner: UUID, in directory: StateDirectory) -> RunnerBoard? {
    guard let descriptor = try? System.open(file(of: runner, in: directory), .reading) else { return nil }
    defer { System.close(descriptor) }
    // A write takes microseconds, so at least one of 20 successive reads falls between two writes.
    for _ in 0..<20 {
      guard let bytes = try? System.readFile(descriptor, limit: 1 << 20), !bytes.isEmpty else { return nil }
      if let board = RunnerBoard(bytes) { return board }
      System.pause(0.0005)
    }
    return nil
  }

  /// Removes the files of dead runners, except those that jobs still name as their owners
  /// (``SQLiteStore/activeRunners()``).
  static func sweep(in directory: StateDirectory, keeping named: Set<UUID>) {
    for runner in System.names(in: directory.runnersPath).compactMap(UUID.init(uuidString:))
    where !named.contains(runner) {
      let path = file(of: runner, in: directory)
      guard let descriptor = try? System.open(path, .reading) else { continue }
      // Remove the file while it is locked, so that a runner that is just starting notices the removal.
      if (try? System.tryLock(descriptor, shared: true)) == true, isStill(descriptor, at: path) {
        System.remove(path)
      }
      System.close(descriptor)
    }
  }

  static func file(of runner: UUID, in directory: StateDirectory) -> String {
    PathText.join(directory.runnersPath, runner.uuidString)
  }

  private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
    guard let open = try? System.node(descriptor), let named = try? System.node(path) else { return false }
    return open.isSame(as: named)
  }
}
