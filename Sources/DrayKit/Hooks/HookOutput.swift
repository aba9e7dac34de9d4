// The output of a hook. It is read as it arrives, and only its end is kept.

internal import Dispatch
internal import Posix
internal import Synchronization

/// The pipe for a hook's standard output and standard error.
final class HookOutput: Sendable {
  /// The end of the pipe that the hook gets.
  let descriptor: Int32

  private let reader: Int32
  private let limit: Int
  private let tail = Mutex<[UInt8]>([])
  /// The source that reports output. The source is set before it is resumed; after that, it is only cancelled.
  nonisolated(unsafe) private let source: any DispatchSourceRead
  private static let queue = DispatchQueue(label: "dray.hook")

  /// Keeps the last `limit` bytes; `nil` on failure.
  init?(keeping limit: Int) {
    guard let pipe = try? System.pipe() else { return nil }
    System.stopBlocking(pipe.reader)
    // A process that the hook leaves behind must not die from writing to a pipe without a reader (SIGPIPE). The
    // process's end of the pipe is therefore also open for reading, so that the process itself is a reader.
    let both = try? System.reopen(pipe.writer, .both)
    if both != nil { System.close(pipe.writer) }
    descriptor = both ?? pipe.writer
    (reader, self.limit) = (pipe.reader, limit)
    source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: HookOutput.queue)
    source.setEventHandler { [weak self] in self?.drain() }
    source.setCancelHandler { [reader] in System.close(reader) }
    source.resume()
  }

  func finish() -> [UInt8] {
    HookOutput.queue.sync { drain() }
    source.cancel()
    // If the pipe is full, such a process gets an error, instead of waiting forever.
    System.stopBlocking(descriptor)
    System.close(descriptor)
    return tail.withLock { $0.suffix(limit) }
  }

  /// Reads a limited amount, because other hooks must be read, too.
  private func drain() {
    for _ in 0..<16 {
      guard let chunk = try? System.readSome(reader, limit: 64 << 10), !chunk.isEmpty else { return }
      tail.withLock { tail in
        tail.append(contentsOf: chunk)
        if tail.count > 2 * limit { tail.removeFirst(tail.count - limit) }
      }
    }
  }
}
