// Creates stores for the conformance suite.

package import DrayStore
import Testing

/// An empty store opened by two processes.
package final class StorePair: Sendable {
  package let one: any JobStoring
  package let other: any JobStoring
  private let owner: any Sendable

  /// Creates a pair.
  /// - Parameter owner: An object that must live as long as the stores.
  package init(_ one: any JobStoring, _ other: any JobStoring, owner: any Sendable) {
    (self.one, self.other, self.owner) = (one, other, owner)
  }
}

/// Creates stores of one kind.
package struct StoreMaker: Sendable, CustomTestStringConvertible {
  package let testDescription: String
  package let make: @Sendable () async throws -> StorePair

  /// Creates a maker.
  package init(_ description: String, _ make: @escaping @Sendable () async throws -> StorePair) {
    (testDescription, self.make) = (description, make)
  }
}
