// Jobs from another store, with their checkpoints.

package import DrayCore

package import struct FoundationEssentials.UUID

/// A job from another store.
package struct ImportedJob: Sendable {
  /// The specification; ``DrayCore/JobSpecification/after`` names jobs of this store.
  package var specification: JobSpecification
  /// Its prerequisites within the import, as positions.
  package var waitsFor: [Int]
  /// Whether the job is paused.
  package var isPaused: Bool
  /// The checkpoint of its part file, which is named by ``uuid``; `nil` starts from nothing.
  package var checkpoint: Checkpoint?
  /// The UUID of its files; `nil` makes a new one.
  package var uuid: UUID?
  /// The name of its target, if fixed.
  package var fileName: String?
  /// Whether the part file has yet to be made; until then the importing runner holds the job.
  package var isHeld: Bool

  /// Creates a job that starts from nothing.
  package init(_ specification: JobSpecification, waitsFor: [Int] = [], isPaused: Bool = false) {
    (self.specification, self.waitsFor, self.isPaused) = (specification, waitsFor, isPaused)
    isHeld = false
  }
}
