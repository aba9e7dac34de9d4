// Jobs that come from another store, with what was received of them.

package import DrayCore

package import struct FoundationEssentials.UUID

/// A job as another store had it.
package struct ImportedJob: Sendable {
  /// What it is; ``DrayCore/JobSpecification/after`` has jobs of this store.
  package var specification: JobSpecification
  /// Which jobs of the same import it waits for, by their places.
  package var waitsFor: [Int]
  /// Whether it waits for its user.
  package var isPaused: Bool
  /// What is on disk of it, under the name of ``uuid``; `nil` begins from nothing.
  package var checkpoint: Checkpoint?
  /// The name of its files; `nil` is a new one.
  package var uuid: UUID?
  /// The name of its target, where that was fixed.
  package var fileName: String?
  /// Whether its part file is still to be made: then the runner of the import holds it.
  package var isHeld: Bool

  /// Makes one that begins from nothing.
  package init(_ specification: JobSpecification, waitsFor: [Int] = [], isPaused: Bool = false) {
    (self.specification, self.waitsFor, self.isPaused) = (specification, waitsFor, isPaused)
    isHeld = false
  }
}
