// The output of a program. It is read as it arrives, and only its end or its beginning is kept.

internal import Dispatch
internal import Posix
internal import Synchronization

/// The pipe for a hook's standard output and standard error, or for one of them.
final class HookOutput: Sendable {
  enum Part: Sendable { case end, beginning }

  private struct Kept {
    var bytes: [UInt8] = []
    /// Whether bytes after the beginning were dropped.
    var isCut = false
    var whenCut: (@Sendable () -> Void)?
  }

  /// The end of the pipe that the hook gets.
  let descriptor: Int32

  private let reader: Int32
  private let limit: Int
  private let part: Part
  private let kept = Mutex(Kept())
  /// The source that reports output. The source is set before it is resumed; after that, it is only cancelled.
  nonisolated(unsafe) private let source: any DispatchSourceRead
  private static let queue = DispatchQueue(label: "dray.hook")

  /// Keeps the last or the first `limit` bytes; `nil` on failure.
  init?(keeping limit: Int, of part: Part = .end) {
    guard let pipe = try? System.pipe() else { return nil }
    System.stopBlocking(pipe.reader)
    // A process that the hook leaves behind must not die from writing to a pipe without a reader (SIGPIPE). The
    // process's end of the pipe is therefore also open for reading, so that the process itself is a reader.
    let both = try? System.reopen(pipe.writer, .both)
    if both != nil { System.close(pipe.writer) }
    descriptor = both ?? pipe.writer
    (reader, self.limit, self.part) = (pipe.reader, limit, part)
    source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: HookOutput.queue)
    source.setEventHandler { [weak self] in self?.drain() }
    source.setCancelHandler { [reader] in System.close(reader) }
    source.resume()
  }

  /// Whether the program wrote more than the beginning that is kept.
  var isCut: Bool { kept.withLock { $0.isCut } }

  /// Calls `act` once the program has written more than the beginning that is kept.
  func whenCut(_ act: @escaping @Sendable () -> Void) {
    let isCut = kept.withLock { kept in
      kept.whenCut = act
      return kept.isCut
    }
    if isCut { act() }
  }

  func finish() -> [UInt8] {
    HookOutput.queue.sync { drain() }
    source.cancel()
    // If the pipe is full, such a process gets an error, instead of waiting forever.
    System.stopBlocking(descriptor)
    System.close(descriptor)
    return kept.withLock { Array(part == .end ? $0.bytes.suffix(limit) : $0.bytes[...]) }
  }

  /// Ends the pipe. Returns the last lines of the output that is kept, escaped for printing.
  func finishedLines(_ count: Int) -> [String] {
    finish().split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.suffix(count)
      .map { TextSafety.escaped(utf8: $0) }
  }

  /// Reads a limited amount, because other hooks must be read, too.
  private func drain() {
    for _ in 0..<16 {
      guard let chunk = try? System.readSome(reader, limit: 64 << 10), !chunk.isEmpty else { return }
      switch part {
      case .end:
        kept.withLock { kept in
          kept.bytes.append(contentsOf: chunk)
          if kept.bytes.count > 2 * limit { kept.bytes.removeFirst(kept.bytes.count - limit) }
        }
      case .beginning: takeBeginning(chunk)
      }
    }
  }

  private func takeBeginning(_ chunk: [UInt8]) {
    let act = kept.withLock { kept -> (@Sendable () -> Void)? in
      let room = limit - kept.bytes.count
      kept.bytes.append(contentsOf: chunk.prefix(room))
      guard chunk.count > room, !kept.isCut else { return nil }
      kept.isCut = true
      return kept.whenCut
    }
    act?()
  }
}
