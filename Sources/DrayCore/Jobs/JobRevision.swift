// A user's changes to a job: to the request, the options and the place (`dray set`, `dray edit`).

/// A change of a job's specification.
public struct JobRevision: Sendable, Equatable {
  /// The job when the change was decided. Later changes are not overwritten.
  public var before: Job
  /// The new specification, with the old URL: `set-url` has its own rules (P7).
  public var specification: JobSpecification
  /// The new prerequisites; `nil` keeps the present ones.
  public var after: [JobID]?

  /// Creates a change.
  public init(_ before: Job, _ specification: JobSpecification, after: [JobID]? = nil) {
    (self.before, self.specification, self.after) = (before, specification, after)
  }

  /// Whether the directory changes. Other keys for an object store lead to the same place.
  public var movesDirectory: Bool { before.specification.place.withoutAccess != specification.place.withoutAccess }

  /// Whether the target gets another server, on which another job may have its key. Parts stay on the former server.
  public var changesServer: Bool { before.specification.targetServer != specification.targetServer }

  /// Whether the file name changes.
  public var renames: Bool { before.specification.output != specification.output }

  /// This change by the service's user, who owns the job from then on unless the change only steers it.
  public var ofUser: JobRevision {
    var own = self
    if !specification.isSteered(from: before.specification) { own.specification.request.isOfClient = nil }
    return own
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { before.specification == specification && after == nil }

  /// The name of the target. If the user withdraws a name, the server chooses one again. Otherwise a fixed name stays.
  public var fileName: String? { renames ? specification.output : before.fileName }
}

/// The move of a part file to another directory. The file is in one of the two directories, or is being copied. The
/// directory in the job's record counts.
public struct PartMove: Sendable, Equatable, Codable {
  /// The old directory.
  public var from: DirectoryPlace
  /// The new directory.
  public var to: DirectoryPlace
  /// The state of the job before and after.
  public var state: JobState

  /// Creates a record.
  public init(from: DirectoryPlace, to: DirectoryPlace, state: JobState) {
    (self.from, self.to, self.state) = (from, to, state)
  }
}

/// The action on a part file whose move was cut off.
public enum PartMoveRule: Sendable, Equatable {
  /// None: the part file is in the job's directory.
  case nothing
  /// Remove the other directory's file, which is a copy or was copied.
  case remove(from: DirectoryPlace)
  /// Move the file back to the job's directory.
  case giveBack(from: DirectoryPlace)

  /// Decides.
  /// - Parameters:
  ///   - place: The directory of the job.
  ///   - isHere: Whether this directory has the part file.
  ///   - isThere: Whether the other directory of the move has it.
  public static func decide(_ move: PartMove, place: DirectoryPlace, isHere: Bool, isThere: Bool) -> PartMoveRule {
    guard isThere else { return .nothing }
    let other = place == move.to ? move.from : move.to
    return isHere ? .remove(from: other) : .giveBack(from: other)
  }
}
