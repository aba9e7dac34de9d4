package import DrayCore

package import struct FoundationEssentials.UUID

/// A job from another store, with its checkpoint.
package struct ImportedJob: Sendable {
  /// The specification. Its ``DrayCore/JobSpecification/after`` contains numbers of jobs in this store.
  package var specification: JobSpecification
  /// The positions of the imported jobs for which this job waits.
  package var waitsFor: [Int]
  package var isPaused: Bool
  /// The checkpoint of the part file that ``uuid`` names; `nil` if there is none.
  package var checkpoint: Checkpoint?
  /// The UUID that names the job's files; `nil` creates a new one.
  package var uuid: UUID?
  /// The name of the target, if it is already fixed.
  package var fileName: String?
  /// Whether the part file must still be created; until then, the importing runner owns the job.
  package var isHeld: Bool

  package init(_ specification: JobSpecification, waitsFor: [Int] = [], isPaused: Bool = false) {
    (self.specification, self.waitsFor, self.isPaused) = (specification, waitsFor, isPaused)
    isHeld = false
  }
}
