// Looks at the database of a fleet for `dray doctor`.

internal import DrayKit
internal import DrayStore
internal import Threads

extension DoctorLook {
  /// Looks at the database; `nil` on one machine, and if the database cannot be reached, which the finding about the
  /// queue reports.
  static func database() async -> DatabaseFacts? {
    guard let store = try? Store.user().store, store.isShared else { return nil }
    return try? await BlockingExecutor("dray.doctor").call { () throws(Failure) in try JobStores.examine(store) }
  }
}
