// Decides which downloads of one manager run at the same time.

internal import Synchronization

/// The slots for downloads, and the downloads that wait for one: higher priorities first, and older ones first among equals.
struct DownloadSlots: Sendable {
  private struct Waiting {
    var number: Int
    var priority: Int
  }

  private let most: Int
  private var running = 0
  private var waiting: [Waiting] = []

  /// - Parameter most: The maximum number of running downloads; at least 1.
  init(most: Int) { self.most = max(1, most) }

  /// Gives a download a free slot; otherwise it waits.
  /// - Returns: Whether the download may start now.
  mutating func acquire(_ number: Int, priority: Int) -> Bool {
    if running < most, waiting.isEmpty {
      running += 1
      return true
    }
    let place = waiting.firstIndex { $0.priority < priority } ?? waiting.endIndex
    waiting.insert(Waiting(number: number, priority: priority), at: place)
    return false
  }

  /// Releases the slot of a download.
  /// - Returns: The download that takes its place; `nil` if none waits.
  mutating func release() -> Int? {
    guard !waiting.isEmpty else {
      running -= 1
      return nil
    }
    return waiting.removeFirst().number
  }

  /// Withdraws a download that may be waiting.
  mutating func cancel(_ number: Int) { waiting.removeAll { $0.number == number } }
}

/// A counting semaphore with priorities.
final class DownloadSemaphore: Sendable {
  private struct State {
    var slots: DownloadSlots
    var next = 0
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
  }

  private let state: Mutex<State>

  init(most: Int) { state = Mutex(State(slots: DownloadSlots(most: most))) }

  /// Waits for a free slot. A download that gets one must ``release()`` it.
  /// - Returns: `false` if the task was cancelled.
  func acquire(priority: Int) async -> Bool {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          // The handler may have run before.
          if Task.isCancelled { return false }
          if state.slots.acquire(number, priority: priority) { return true }
          state.waiting[number] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.slots.cancel(number)
        return state.waiting.removeValue(forKey: number)
      }
      waiter?.resume(returning: false)
    }
  }

  func release() {
    let waiter = state.withLock { state in state.slots.release().flatMap { state.waiting.removeValue(forKey: $0) } }
    waiter?.resume(returning: true)
  }
}
