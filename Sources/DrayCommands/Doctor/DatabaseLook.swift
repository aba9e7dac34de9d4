// Examines the database of a fleet for `dray doctor`.

internal import DrayKit
internal import DrayStore
internal import Threads

extension DoctorLook {
  /// Returns what was found out about the database. The result is `nil` for a store on one machine, and for a database
  /// that cannot be reached, which the finding about the queue reports.
  static func database() async -> DatabaseFacts? {
    guard let store = try? Store.user().store, store.isShared else { return nil }
    return try? await BlockingExecutor("dray.doctor").call { () throws(Failure) in try JobStores.examine(store) }
  }
}
