// Turns signals into calls. The first signal of a kind requests a clean end; a second SIGINT ends the process at once.

internal import Dispatch
internal import DrayKit
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
        if number == Signal.suspend {
          act(.suspend)
          continue
        }
        if number == Signal.interrupt, interrupts.next() > 1 { SignalWatch.endAtOnce(restore) }
        LiveOutput.stop()
        act(.end(number))
      }
    }
    source.resume()
    self.source = source
    LiveOutput.begin()
    // nohup, or a shell that started the program in the background, makes it ignore some signals.
    before = [Signal.interrupt, Signal.terminate, Signal.hangUp, Signal.suspend].filter { !System.isIgnored($0) }
      .map { ($0, SignalPipe.take($0)) }
  }

  deinit {
    for (number, handler) in before { SignalPipe.give(number, back: handler) }
    source?.cancel()
    if source != nil { LiveOutput.end() }
  }

  private static func endAtOnce(_ restore: StaticString) -> Never {
    restore.withUTF8Buffer { _ = SteadyOutput.standardError.write($0, patience: 100) }
    RawTerminal.restore()
    ChildProgram.killAll()
    System.exitAtOnce(128 + Signal.interrupt)
  }

  /// Ends this process without waiting for anything, as a signal would.
  static func endProcess(_ number: Int32) -> Never {
    RawTerminal.restore()
    ChildProgram.killAll()
    System.exitAtOnce(128 + number)
  }

  /// Stops this process as Ctrl-Z does. Returns once the process is continued.
  static func suspendProcess() { System.stopSelf() }
}

/// The number of SIGINTs.
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
