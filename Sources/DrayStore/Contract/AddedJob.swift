public import DrayCore

public import struct FoundationEssentials.UUID

/// The result for one specification: the job that was added or found.
public struct AddedJob: Sendable, Equatable {
  public var id: JobID
  /// The UUID that names the job's files.
  public var uuid: UUID
  /// Whether the job existed already: an unfinished one with the same URL, directory and output.
  public var existing: Bool
  /// How the repeated request changed an existing job; `nil` if there is nothing to report.
  package var repetition: Repetition?
  /// Whether the job replaces a file that does not match the digest in its name.
  public var replacesDamaged = false

  public init(id: JobID, uuid: UUID, existing: Bool) {
    self.id = id
    self.uuid = uuid
    self.existing = existing
  }
}
