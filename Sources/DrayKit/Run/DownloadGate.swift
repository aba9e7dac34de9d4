// Decides which downloads of one manager run at the same time.

internal import Synchronization

/// The downloads that run, and those that wait: higher priorities first, and older ones first among equals.
struct DownloadTurns: Sendable {
  private struct Waiting {
    var number: Int
    var priority: Int
  }

  private let most: Int
  private var running = 0
  private var waiting: [Waiting] = []

  /// - Parameter most: The maximum number of running downloads; at least 1.
  init(most: Int) { self.most = max(1, most) }

  /// Returns whether a download may start now. If not, it waits.
  mutating func enter(_ number: Int, priority: Int) -> Bool {
    if running < most, waiting.isEmpty {
      running += 1
      return true
    }
    let place = waiting.firstIndex { $0.priority < priority } ?? waiting.endIndex
    waiting.insert(Waiting(number: number, priority: priority), at: place)
    return false
  }

  /// Ends a running download.
  /// - Returns: The download that takes its place; `nil` if none waits.
  mutating func leave() -> Int? {
    guard !waiting.isEmpty else {
      running -= 1
      return nil
    }
    return waiting.removeFirst().number
  }

  /// Withdraws a download that may be waiting.
  mutating func giveUp(_ number: Int) { waiting.removeAll { $0.number == number } }
}

final class DownloadGate: Sendable {
  private struct State {
    var turns: DownloadTurns
    var next = 0
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
  }

  private let state: Mutex<State>

  init(most: Int) { state = Mutex(State(turns: DownloadTurns(most: most))) }

  /// Waits for the turn of a download. If it gets one, it must ``leave()``.
  /// - Returns: `false` if the task was cancelled.
  func enter(priority: Int) async -> Bool {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        let answer: Bool? = state.withLock { state in
          // The handler may have run before.
          if Task.isCancelled { return false }
          if state.turns.enter(number, priority: priority) { return true }
          state.waiting[number] = turn
          return nil
        }
        if let answer { turn.resume(returning: answer) }
      }
    } onCancel: {
      let turn = state.withLock { state in
        state.turns.giveUp(number)
        return state.waiting.removeValue(forKey: number)
      }
      turn?.resume(returning: false)
    }
  }

  func leave() {
    let turn = state.withLock { state in state.turns.leave().flatMap { state.waiting.removeValue(forKey: $0) } }
    turn?.resume(returning: true)
  }
}
