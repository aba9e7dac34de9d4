// Calls a closure when signals arrive. The first signal of a kind asks for a clean end; a second SIGINT ends the
// process at once.

internal import Dispatch
internal import DrayKit
internal import Posix
internal import Synchronization
internal import TerminalUI

/// Watches the signals that end or stop a run, for as long as this object exists.
final class SignalWatch {
  enum Request: Sendable {
    /// End cleanly; the exit status is then 128 + this number.
    case end(Int32)
    /// Stop the process until it is continued (Ctrl-Z).
    case suspend
  }

  private let before: [(number: Int32, handler: SignalPipe.Handler)]
  private let source: (any DispatchSourceRead)?
  private static let queue = DispatchQueue(label: "dray.signals")

  /// Starts to watch the signals. From then on, no signal is lost. There must not be two watches at the same time.
  /// - Parameters:
  ///   - restore: The text that is written to standard error before the process ends at once.
  ///   - act: Called for each request, on a private queue.
  init(restore: StaticString, act: @escaping @Sendable (Request) -> Void) {
    guard let end = SignalPipe.open() else {
      // If there is no free descriptor, signals have their default effects.
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
    // nohup, or a shell that started the program in the background, has set some signals to be ignored; these stay
    // ignored.
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

  /// Ends this process as a signal would, without waiting for anything.
  static func endProcess(_ number: Int32) -> Never {
    RawTerminal.restore()
    ChildProgram.killAll()
    System.exitAtOnce(128 + number)
  }

  /// Stops this process as Ctrl-Z does. The method returns once the process is continued.
  static func suspendProcess() { System.stopSelf() }
}

extension SignalWatch {
  /// Runs `body`, which may run programs of sources. If a signal ends this process in the meantime, those programs end,
  /// too. Otherwise they would go on, because the keyboard does not reach their process groups. There must not be
  /// another watch.
  static func endingPrograms<Value, Problem: Error>(
    _ body: () async throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    guard CommandContext.current.sources.rows.contains(where: { $0.isProgram }) else { return try await body() }
    let signals = SignalWatch(restore: "") { request in
      switch request {
      case .end(let number): SignalWatch.endProcess(number)
      case .suspend: SignalWatch.suspendProcess()
      }
    }
    defer { withExtendedLifetime(signals) {} }
    return try await body()
  }
}

/// The number of SIGINTs that have arrived.
private final class InterruptCount: Sendable {
  private let count = Mutex(0)
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// The number of the signal that ended an operation. One thread writes it, and another reads it.
final class StopNumber: Sendable {
  private let value = Mutex<Int32?>(nil)
  var number: Int32? { value.withLock { $0 } }
  func set(_ number: Int32) { value.withLock { $0 = $0 ?? number } }
}
