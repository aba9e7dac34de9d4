// Makes stores for the conformance suite.

package import DrayStore
import Testing

/// One empty store, used by two processes: what one writes, the other reads.
package final class StorePair: Sendable {
  package let one: any JobStoring
  package let other: any JobStoring
  private let owner: any Sendable

  /// - Parameter owner: what the store needs as long as it is used.
  package init(_ one: any JobStoring, _ other: any JobStoring, owner: any Sendable) {
    (self.one, self.other, self.owner) = (one, other, owner)
  }
}

/// Makes stores of one kind.
package struct StoreMaker: Sendable, CustomTestStringConvertible {
  package let testDescription: String
  package let make: @Sendable () async throws -> StorePair

  /// Makes a kind of store.
  package init(_ description: String, _ make: @escaping @Sendable () async throws -> StorePair) {
    (testDescription, self.make) = (description, make)
  }
}
