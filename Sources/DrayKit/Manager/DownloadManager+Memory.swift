// What was learnt of hosts and origins: from the job store, and back into it.

internal import Dispatch
internal import DrayEngine
internal import DrayStore
internal import Threads

extension DownloadManager {
  /// The thread on which it is written: the loop's must not wait for the store.
  private static let memory = BlockingQueue("dray.memory")

  /// What a store knows of how hosts are to be reached, for an engine that adds to it; without one, nothing. A list that cannot
  /// be read or written stops no transfer.
  static func transport(of store: (any JobStoring)?) async -> TransportMemory {
    guard let store else { return TransportMemory() }
    let now = WallClock.now()
    return TransportMemory(
      https: (try? await store.hstsEntries(now: now)) ?? [], http3: (try? await store.altSvcEntries(now: now)) ?? []
    ) { news in
      memory.start { () async in
        switch news {
        case .https(let entry): try? await store.record(hsts: entry, now: WallClock.now())
        case .http3(let entry): try? await store.record(altSvc: entry, now: WallClock.now())
        }
      }
    }
  }

  /// What a store knows of how many connections helped, for an engine that adds to it. What cannot be read or written is found
  /// out again.
  static func connectionMemory(of store: any JobStoring) async -> ConnectionMemory {
    let known = (try? await store.helpful(.connections, now: WallClock.now())) ?? [:]
    return ConnectionMemory(known) { origin, count in
      memory.start { () async in try? await store.record(count, .connections, of: origin, now: WallClock.now()) }
    }
  }

  /// Waits until what was learnt so far has been written: a short command would end before. Blocks.
  static func waitForMemory() { memory.queue.sync {} }
}
