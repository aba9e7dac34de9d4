// Passes the progress of a download to any number of readers.

internal import Synchronization

/// The newest progress of a download, and its readers.
final class ProgressReaders: Sendable {
  private struct State {
    var newest: DownloadProgress?
    var isOver = false
    var next = 0
    var readers: [Int: AsyncStream<DownloadProgress>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// Whether anybody reads.
  var isRead: Bool { state.withLock { !$0.readers.isEmpty } }

  /// Starts another run, which new readers follow.
  func begin() { state.withLock { $0.isOver = false } }

  /// Adds a reader. It gets the newest value at once, and skips values that it is too slow to read.
  func add() -> AsyncStream<DownloadProgress> {
    let (stream, sink) = AsyncStream.makeStream(of: DownloadProgress.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.withLock { state in
      if let newest = state.newest { sink.yield(newest) }
      guard !state.isOver else {
        sink.finish()
        return nil
      }
      state.next += 1
      state.readers[state.next] = sink
      return state.next
    }
    if let number {
      sink.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.readers.removeValue(forKey: number) } }
    }
    return stream
  }

  func report(_ progress: DownloadProgress) {
    let readers = state.withLock { state in
      guard state.newest != progress else { return [AsyncStream<DownloadProgress>.Continuation]() }
      state.newest = progress
      return Array(state.readers.values)
    }
    for reader in readers { reader.yield(progress) }
  }

  /// Ends the sequences of all readers.
  func finish() {
    let readers = state.withLock { state in
      state.isOver = true
      return Array(state.readers.values)
    }
    for reader in readers { reader.finish() }
  }
}
