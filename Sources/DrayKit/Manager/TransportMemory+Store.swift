// What hosts said of how they are to be reached: from the job store, and back into it.

internal import Dispatch
internal import DrayEngine

extension DownloadManager {
  private static let transportQueue = DispatchQueue(label: "dray.transport", qos: .utility)

  /// What a manager's store knows, for an engine that adds to it; without one, nothing. A list that cannot be read or
  /// written stops no transfer.
  static func transport(of manager: DownloadManager?) -> TransportMemory {
    guard let manager else { return TransportMemory() }
    return transport(of: manager.store)
  }

  /// The same for a store.
  static func transport(of store: JobStore) -> TransportMemory {
    let now = WallClock.now()
    return TransportMemory(
      https: (try? store.hstsEntries(now: now)) ?? [], http3: (try? store.altSvcEntries(now: now)) ?? []
    ) { news in
      // The loop's thread must not wait for the database.
      transportQueue.async {
        switch news {
        case .https(let entry): try? store.record(hsts: entry, now: WallClock.now())
        case .http3(let entry): try? store.record(altSvc: entry, now: WallClock.now())
        }
      }
    }
  }

  /// Waits until what was learnt has been written: a short command would end before.
  static func flushTransport() { DownloadManager.transportQueue.sync {} }
}
