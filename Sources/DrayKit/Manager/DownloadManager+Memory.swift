// Loads the known facts about hosts and origins from the job store, and records new ones.

internal import Dispatch
internal import DrayEngine
internal import DrayStore
internal import Threads

extension DownloadManager {
  /// The thread that records what is learned, because the transfer loop must not wait for the store.
  private static let memory = BlockingExecutor("dray.memory")

  /// Returns what the store knows about reaching hosts, for an engine that adds to it; empty without a store. If a list
  /// cannot be read or written, transfers continue nevertheless.
  static func transport(of store: (any JobStoring)?) async -> TransportMemory {
    guard let store else { return TransportMemory() }
    let now = WallClock.now()
    return TransportMemory(
      https: (try? await store.hstsEntries(now: now)) ?? [], http3: (try? await store.altSvcEntries(now: now)) ?? [],
      pacer: pacer(of: store)
    ) { news in
      memory.start { () async in
        switch news {
        case .https(let entry): try? await store.record(hsts: entry, now: WallClock.now())
        case .http3(let entry): try? await store.record(altSvc: entry, now: WallClock.now())
        }
      }
    }
  }

  /// Returns a pacer that coordinates the starts of requests with all processes of the store. If the store cannot be
  /// used, it paces this process alone.
  private static func pacer(of store: any JobStoring) -> RequestPacer {
    RequestPacer { origin, pause in
      let start = await paces.attemptRun { () async throws(Failure) in
        try await store.reserveStart(at: origin, pause: pause, now: WallClock.now())
      }
      return (try? start.get()).map { $0 - WallClock.now() }
    }
  }

  /// The thread that reserves starts, which must not have to wait until other facts are recorded.
  private static let paces = BlockingExecutor("dray.paces")

  /// Returns how many connections help at each origin, as the store knows, for an engine that adds to it. What cannot
  /// be read or written is learned again.
  static func connectionMemory(of store: any JobStoring) async -> ConnectionMemory {
    let known = (try? await store.helpful(.connections, now: WallClock.now())) ?? [:]
    return ConnectionMemory(known) { origin, count in
      memory.start { () async in try? await store.record(count, .connections, of: origin, now: WallClock.now()) }
    }
  }

  /// Waits until everything learned so far is recorded, so that a short command does not end before. It blocks the
  /// thread.
  static func waitForMemory() { memory.queue.sync {} }
}
