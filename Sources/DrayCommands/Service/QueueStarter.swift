// Transfers the queue in the background after a browser has added a job, if no service does.

internal import DrayKit
internal import DrayStore
internal import Posix

/// At most one such process runs for a state directory: it keeps a file locked. A request for a run is a byte in that
/// file. Before a process ends, it looks for requests that arrived while it was ending, so none is lost.
struct QueueStarter: Sendable {
  let home: StateDirectory

  private var path: String { PathText.join(home.path, "browser.lock") }

  /// Makes sure that a process transfers the queue.
  /// - Parameter words: The command line for the process; it must call ``run(_:)``.
  /// - Returns: The reason why the queue is not transferred; `nil` if it is.
  func start(_ words: [String]) -> String? {
    guard case .none = ServiceLock.look(home) else { return nil }
    do throws(SystemError) {
      let descriptor = try System.openForAppending(path, mode: 0o600)
      // A process that starts at this moment tries to lock the file several times.
      defer { System.unlockAndClose(descriptor) }
      try System.write([UInt8(ascii: ".")], to: descriptor)
      guard try System.tryLock(descriptor) else { return nil }
    } catch {
      return "the queue waits for `dray run`: \(path): \(error.text)"
    }
    do throws(Failure) {
      let said = try Detachment.start(words, named: "dray run")
      return said.isReady ? nil : "the queue waits for `dray run`: \(TextSafety.escaped(said.text))"
    } catch {
      return "the queue waits for `dray run`: \(error.message)"
    }
  }

  /// Transfers the queue until there are no more requests.
  /// - Parameter transfer: Transfers the queue until nothing is left to do.
  func run(_ transfer: () async throws -> ExitStatus) async throws -> ExitStatus {
    var status = ExitStatus.success
    while let descriptor = try take() {
      Detachment.report()
      status = try await transfer()
      System.unlockAndClose(descriptor)
      // 128 and a number: a signal ended the run.
      guard status.rawValue < 128, hasRequests else { return status }
    }
    Detachment.report()
    return status
  }

  private var hasRequests: Bool { (try? System.status(at: path)).map { $0.size > 0 } ?? false }

  /// Takes the lock, and answers the requests so far: their jobs are in the store already.
  /// - Returns: `nil` if another process has the lock.
  private func take() throws(Failure) -> Int32? {
    do throws(SystemError) {
      let descriptor = try System.openOrCreate(path, mode: 0o600)
      // Browsers' processes lock the file for a moment.
      for _ in 0..<20 {
        if try System.tryLock(descriptor) {
          try System.truncate(descriptor, to: 0)
          return descriptor
        }
        System.pause(0.01)
      }
      System.close(descriptor)
      return nil
    } catch {
      throw Failure(.store, path, "the run cannot be registered: \(error.text)")
    }
  }
}
