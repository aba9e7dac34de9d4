// A job store for tests of code that uses one.

package import DrayStore
import Foundation

/// A store in a temporary directory, which is removed with this value.
package final class TemporaryStore: Sendable {
  package let store: any JobStoring
  private let directory: String

  /// Creates an empty store.
  package init() throws {
    directory = NSTemporaryDirectory() + "dray-store-\(UUID().uuidString)"
    guard let store = try JobStores.open(StoreConfiguration(.directory(StateDirectory(path: directory))), .make) else {
      throw CocoaError(.fileNoSuchFile)
    }
    self.store = store
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }
}
