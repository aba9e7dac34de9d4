// Turns signals into calls. The first signal of a kind requests a clean end; a second SIGINT ends the process at once.

internal import Dispatch
internal import DrayKit
internal import Glibc
internal import Posix
internal import Synchronization
internal import TerminalUI

/// Watches the signals that end or stop a run, during its own lifetime.
final class SignalWatch {
  enum Request: Sendable {
    /// End cleanly, then exit with 128 + the number.
    case end(Int32)
    /// Stop the process until it is continued (Ctrl-Z).
    case suspend
  }

  private let before: [(number: Int32, handler: SignalPipe.Handler)]
  private let source: (any DispatchSourceRead)?
  private static let queue = DispatchQueue(label: "dray.signals")

  /// Begins to watch. No later signal is lost. Only one watch may exist at a time.
  /// - Parameters:
  ///   - restore: The text to write to standard error before the process ends at once.
  ///   - act: Called on a private queue.
  init(restore: StaticString, act: @escaping @Sendable (Request) -> Void) {
    guard let end = SignalPipe.open() else {
      // Without a free descriptor, signals have their default effects.
      before = []
      source = nil
      return
    }
    let interrupts = InterruptCount()
    let source = DispatchSource.makeReadSource(fileDescriptor: end, queue: SignalWatch.queue)
    source.setEventHandler {
      for number in SignalPipe.arrived(on: end) {
        if number == SIGTSTP {
          act(.suspend)
          continue
        }
        if number == SIGINT, interrupts.next() > 1 { SignalWatch.endAtOnce(restore) }
        LiveOutput.stop()
        act(.end(number))
      }
    }
    source.resume()
    self.source = source
    LiveOutput.begin()
    // nohup, or a shell that started the program in the background, makes it ignore some signals.
    before = [SIGINT, SIGTERM, SIGHUP, SIGTSTP].filter(SignalWatch.isHandled).map { ($0, SignalPipe.take($0)) }
  }

  deinit {
    for (number, handler) in before { SignalPipe.give(number, back: handler) }
    source?.cancel()
    if source != nil { LiveOutput.end() }
  }

  private static func isHandled(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return true }
    let handler = action.__sigaction_handler.sa_handler
    return unsafeBitCast(handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func endAtOnce(_ restore: StaticString) -> Never {
    restore.withUTF8Buffer { _ = SteadyOutput.standardError.write($0, patience: 100) }
    RawTerminal.restore()
    ChildProgram.killAll()
    System.exitAtOnce(128 + SIGINT)
  }

  /// Ends this process without waiting for anything, as a signal would.
  static func endProcess(_ number: Int32) -> Never {
    RawTerminal.restore()
    ChildProgram.killAll()
    System.exitAtOnce(128 + number)
  }

  /// Stops this process as Ctrl-Z does. Returns once the process is continued.
  static func suspendProcess() { raise(SIGSTOP) }
}

/// The pipe to which a signal handler writes the signal's number.
///
/// libdispatch has sources for signals. On Linux it handles a signal on its own thread, some time after the source was
/// resumed. An earlier signal is lost if it is ignored, and ends the process otherwise. A handler, in contrast, is
/// effective immediately.
private enum SignalPipe {
  typealias Handler = __sighandler_t?

  /// The two ends. They are created once and never closed, because a handler may run on any thread.
  private static let ends: (reader: Int32, writer: Int32)? = {
    guard let ends = try? System.pipe() else { return nil }
    for end in [ends.reader, ends.writer] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    return ends
  }()

  /// Returns the end for reading; `nil` if no pipe can be created.
  static func open() -> Int32? {
    guard let ends else { return nil }
    signalPipeEnd.pointee = ends.writer
    return ends.reader
  }

  /// Returns the received signals in order.
  static func arrived(on end: Int32) -> [Int32] {
    var numbers = [UInt8](repeating: 0, count: 64)
    let count = read(end, &numbers, numbers.count)
    return numbers.prefix(max(count, 0)).map(Int32.init)
  }

  /// Installs the handler, which writes the signal to the pipe.
  /// - Returns: The previous handler.
  static func take(_ number: Int32) -> Handler {
    // Call only functions that are allowed in a handler (POSIX.1-2017, 2.4.3): write. Preserve errno.
    signal(number) { number in
      let error = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(signalPipeEnd.pointee, &byte, 1)
      errno = error
    }
  }

  static func give(_ number: Int32, back handler: Handler) { _ = signal(number, handler) }
}

/// The writing end of the pipe. It is set before the first handler is installed, and never freed. It is a pointer
/// because debug builds check each access to a variable for exclusivity, which is not allowed in a handler.
nonisolated(unsafe) private let signalPipeEnd = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

private final class InterruptCount: Sendable {
  private let count = Mutex(0)
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// The signal that ended an operation, written on one thread and read on another.
final class StopNumber: Sendable {
  private let value = Mutex<Int32?>(nil)
  var number: Int32? { value.withLock { $0 } }
  func set(_ number: Int32) { value.withLock { $0 = $0 ?? number } }
}
