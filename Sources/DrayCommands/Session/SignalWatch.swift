// Signals as calls: the first of a kind asks for a clean end, a second SIGINT ends the process at once.

import Dispatch
import Foundation
import Synchronization

/// Watches the signals that end or stop a run, as long as it lives.
final class SignalWatch {
  /// What is asked for.
  enum Wish: Sendable {
    /// End cleanly, then exit with 128 + the number.
    case end(Int32)
    /// Stop the process until it is continued (Ctrl-Z).
    case suspend
  }

  private let sources: [any DispatchSourceSignal]
  private static let queue = DispatchQueue(label: "dray.signals")

  /// Begins to watch; `act` is called on a queue of its own.
  /// - Parameter restore: what is written to standard error before the process ends at once.
  init(restore: StaticString, act: @escaping @Sendable (Wish) -> Void) {
    let interrupts = InterruptCount()
    var sources: [any DispatchSourceSignal] = []
    for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP] {
      // nohup, or a shell that put the program into the background, wants it to be ignored.
      guard SignalWatch.isHandled(number) else { continue }
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: SignalWatch.queue)
      source.setEventHandler {
        if number == SIGTSTP { return act(.suspend) }
        if number == SIGINT, interrupts.next() > 1 { SignalWatch.endAtOnce(restore) }
        act(.end(number))
      }
      source.resume()
      sources.append(source)
    }
    self.sources = sources
  }

  deinit {
    for source in sources { source.cancel() }
  }

  private static func isHandled(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return true }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func endAtOnce(_ restore: StaticString) -> Never {
    restore.withUTF8Buffer { _ = write(2, $0.baseAddress, $0.count) }
    System.exitAtOnce(128 + SIGINT)
  }

  /// Stops this process, as Ctrl-Z would have; returns when it is continued.
  static func suspendProcess() { raise(SIGSTOP) }
}

/// How many SIGINTs came.
private final class InterruptCount: Sendable {
  private let count = Mutex(0)
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// The signal that ended something, written on one thread and read on another.
final class StopNumber: Sendable {
  private let value = Mutex<Int32?>(nil)
  var number: Int32? { value.withLock { $0 } }
  func set(_ number: Int32) { value.withLock { $0 = $0 ?? number } }
}
