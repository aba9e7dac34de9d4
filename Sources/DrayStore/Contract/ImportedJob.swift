package import DrayCore

package import struct FoundationEssentials.UUID

/// A job from another store, with its checkpoint.
package struct ImportedJob: Sendable {
  /// The specification. Its ``DrayCore/JobSpecification/after`` names jobs of this store.
  package var specification: JobSpecification
  /// The prerequisites within the import, as positions.
  package var waitsFor: [Int]
  package var isPaused: Bool
  /// The checkpoint of its part file, which is named by ``uuid``; `nil` starts from nothing.
  package var checkpoint: Checkpoint?
  /// The UUID of its files; `nil` makes a new one.
  package var uuid: UUID?
  /// The name of its target, if fixed.
  package var fileName: String?
  /// Whether the part file has yet to be made. Until then, the importing runner owns the job.
  package var isHeld: Bool

  package init(_ specification: JobSpecification, waitsFor: [Int] = [], isPaused: Bool = false) {
    (self.specification, self.waitsFor, self.isPaused) = (specification, waitsFor, isPaused)
    isHeld = false
  }
}
