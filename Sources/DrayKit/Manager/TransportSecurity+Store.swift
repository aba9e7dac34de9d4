// HSTS from the job store, and back into it.

internal import DrayEngine
internal import Foundation

extension DownloadManager {
  private static let hstsQueue = DispatchQueue(label: "dray.hsts", qos: .utility)

  /// The hosts that a manager's store knows to want https, for an engine that adds to them; without one, none. A list
  /// that cannot be read or written stops no transfer.
  static func security(of manager: DownloadManager?) -> TransportSecurity {
    guard let manager else { return TransportSecurity() }
    return security(of: manager.store)
  }

  /// The same for a store.
  static func security(of store: JobStore) -> TransportSecurity {
    let known = (try? store.hstsEntries(now: WallClock.now())) ?? []
    return TransportSecurity(known) { entry in
      // The loop's thread must not wait for the database.
      hstsQueue.async { try? store.record(hsts: entry, now: WallClock.now()) }
    }
  }

  /// Waits until what was learnt has been written: a short command would end before.
  static func flushSecurity() { DownloadManager.hstsQueue.sync {} }
}
