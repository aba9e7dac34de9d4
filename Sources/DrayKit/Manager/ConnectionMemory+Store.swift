// How many connections helped, from the job store, and back into it.

internal import Dispatch
internal import DrayEngine

extension DownloadManager {
  private static let connectionQueue = DispatchQueue(label: "dray.connections", qos: .utility)

  /// What a store knows of origins, for an engine that adds to it. What cannot be read or written is found out again.
  static func connectionMemory(of store: JobStore) -> ConnectionMemory {
    let known = (try? store.helpful(.connections, now: WallClock.now())) ?? [:]
    return ConnectionMemory(known) { origin, count in
      // The loop's thread must not wait for the database.
      connectionQueue.async { try? store.record(count, .connections, of: origin, now: WallClock.now()) }
    }
  }

  /// Waits until what was learnt has been written: a short command would end before.
  static func flushConnectionMemory() { DownloadManager.connectionQueue.sync {} }
}
