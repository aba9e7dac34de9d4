// The output of a hook. The output is read as it arrives. Only its end is kept, in memory.

internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The pipe for a hook's standard output and standard error.
final class HookOutput: Sendable {
  /// The hook's end of the pipe.
  let descriptor: FileDescriptor

  var number: Int32 { descriptor.rawValue }

  private let reader: Int32
  private let limit: Int
  private let tail = Mutex<[UInt8]>([])
  /// Set before it is resumed, and only cancelled later.
  nonisolated(unsafe) private let source: any DispatchSourceRead
  private static let queue = DispatchQueue(label: "dray.hook")

  /// Keeps the last `limit` bytes; `nil` on failure.
  init?(keeping limit: Int) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    // A process that the hook leaves behind must not die from a write without a reader (SIGPIPE). This end is open for
    // both reading and writing, so such a process counts as a reader.
    let both = open("/proc/self/fd/\(ends[1])", O_RDWR | O_CLOEXEC)
    if both >= 0 { close(ends[1]) }
    descriptor = FileDescriptor(rawValue: both >= 0 ? both : ends[1])
    (reader, self.limit) = (ends[0], limit)
    source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: HookOutput.queue)
    source.setEventHandler { [weak self] in self?.drain() }
    source.setCancelHandler { [reader] in close(reader) }
    source.resume()
  }

  func finish() -> [UInt8] {
    HookOutput.queue.sync { drain() }
    source.cancel()
    // If the pipe is full, a process that still has this end gets an error instead of waiting forever.
    let flags = fcntl(number, F_GETFL)
    if flags >= 0 { _ = fcntl(number, F_SETFL, flags | O_NONBLOCK) }
    try? descriptor.close()
    return tail.withLock { $0.suffix(limit) }
  }

  /// A limited amount, because other hooks must be read, too.
  private func drain() {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    for _ in 0..<16 {
      let count = read(reader, &chunk, chunk.count)
      guard count > 0 else { return }
      tail.withLock { tail in
        tail.append(contentsOf: chunk[..<count])
        if tail.count > 2 * limit { tail.removeFirst(tail.count - limit) }
      }
    }
  }
}
