// A runner's lease: a file that it holds locked. No pid needs to be checked.
//
// Only a runner ever takes the exclusive lock. A check takes a shared one for a moment, which never disturbs
// another asker; a runner that is just starting waits for it, and starts again if its file was swept away under it.

import DrayCore
import Posix
import Synchronization

import struct FoundationEssentials.UUID

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The lease of one runner: alive exactly as long as its file is locked, which the system ends with the process.
final class LeaseFile: Sendable {
  /// The name of the runner.
  let runner: UUID
  /// The file that is locked.
  let path: String
  private let descriptor: Mutex<Int32?>

  private init(runner: UUID, path: String, descriptor: Int32) {
    self.runner = runner
    self.path = path
    self.descriptor = Mutex(descriptor)
  }

  deinit { release() }

  /// Acquires a lease under a new name.
  /// - Throws: kind `store` where the file cannot be made.
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

  /// Locks a file that was just made; `false` if it was swept away before, as it looked like that of a dead runner.
  private static func lock(_ descriptor: Int32, at path: String) throws(SystemError) -> Bool {
    do {
      _ = try System.lock(descriptor, LOCK_EX)
    } catch {
      System.close(descriptor)
      throw error
    }
    return isStill(descriptor, at: path)
  }

  /// Gives the lease up and removes its file. Once it has returned, others may take the runner's jobs.
  func release() {
    descriptor.withLock { descriptor in
      guard let open = descriptor else { return }
      // In this order the file is never seen unlocked.
      System.remove(path)
      System.close(open)
      descriptor = nil
    }
  }

  /// Shows other processes how the runner's jobs stand; at most a few times a second. Nothing is synced.
  /// - Throws: kind `store` where it cannot be written.
  func publish(_ board: RunnerBoard) throws(Failure) {
    do {
      try descriptor.withLock { open throws(SystemError) in
        if let open { try System.write(board.bytes, to: open, at: 0) }
      }
    } catch {
      throw Failure(.store, path, "the progress cannot be shown to others: \(error.text)", recovery: .keep)
    }
  }

  /// Whether the runner lives; one whose file is gone does not.
  static func isAlive(_ runner: UUID, in directory: StateDirectory) -> Bool {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try System.open(file(of: runner, in: directory), O_RDONLY)
    } catch {
      // A process without free descriptors, for example, cannot know.
      return error.code != SystemError.noEntry
    }
    defer { System.close(descriptor) }
    // A lock that cannot be asked for is taken for held: better a job that waits than one that two have (P9).
    return (try? System.lock(descriptor, LOCK_SH | LOCK_NB)) != true
  }

  /// Those of `runners` that are dead.
  static func dead(among runners: Set<UUID>, in directory: StateDirectory) -> Set<UUID> {
    runners.filter { !isAlive($0, in: directory) }
  }

  /// The runners that live now, whether they hold jobs or not.
  static func living(in directory: StateDirectory) -> [UUID] {
    System.names(in: directory.runnersPath).compactMap(UUID.init(uuidString:)).filter {
      isAlive($0, in: directory)
    }
  }

  /// The board that a runner published last.
  /// - Returns: `nil` if there is none yet, or the runner is gone.
  static func board(of runner: UUID, in directory: StateDirectory) -> RunnerBoard? {
    guard let descriptor = try? System.open(file(of: runner, in: directory), O_RDONLY) else { return nil }
    defer { System.close(descriptor) }
    // A write takes microseconds: that it is met again and again does not happen.
    for _ in 0..<20 {
      guard let bytes = try? System.readFile(descriptor, limit: 1 << 20), !bytes.isEmpty else { return nil }
      if let board = RunnerBoard(bytes) { return board }
      usleep(500)
    }
    return nil
  }

  /// Removes the files of dead runners, but not of those that jobs still name (``SQLiteStore/activeRunners()``).
  static func sweep(in directory: StateDirectory, keeping named: Set<UUID>) {
    for runner in System.names(in: directory.runnersPath).compactMap(UUID.init(uuidString:))
    where !named.contains(runner) {
      let path = file(of: runner, in: directory)
      guard let descriptor = try? System.open(path, O_RDONLY) else { continue }
      // Removed while it is locked, so that a runner that is just starting notices.
      if (try? System.lock(descriptor, LOCK_SH | LOCK_NB)) == true, isStill(descriptor, at: path) {
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
