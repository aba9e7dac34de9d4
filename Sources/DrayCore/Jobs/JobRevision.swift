// A change that a user makes to a job: to its request, its options or its place (`dray set`, `dray edit`).

/// A change to a job's specification.
package struct JobRevision: Sendable, Equatable {
  /// The job as it was when the change was decided. If the job in the store has changed since, the change is refused
  /// (``ChangeRule``).
  package var before: Job
  /// The new specification. It keeps the old URL, because `set-url` has separate rules (P7).
  package var specification: JobSpecification
  /// The new prerequisites; `nil` keeps the present ones.
  package var after: [JobID]?

  /// Creates a change.
  package init(_ before: Job, _ specification: JobSpecification, after: [JobID]? = nil) {
    (self.before, self.specification, self.after) = (before, specification, after)
  }

  /// Whether the target's directory changes. New keys for the same object store do not count as another directory.
  package var movesDirectory: Bool { before.specification.place.withoutAccess != specification.place.withoutAccess }

  /// Whether the target moves to another server, where the same key may belong to another job. Parts that were uploaded
  /// stay on the old server.
  package var changesServer: Bool { before.specification.targetServer != specification.targetServer }

  /// Whether the file name changes.
  package var renames: Bool { before.specification.output != specification.output }

  /// This change as the service's user makes it. The user owns the job from then on, unless the change only steers the
  /// job.
  package var ofUser: JobRevision {
    var own = self
    if !specification.isSteered(from: before.specification) { own.specification.request.isOfClient = nil }
    return own
  }

  /// Whether nothing changes.
  package var isEmpty: Bool { before.specification == specification && after == nil }

  /// The name of the target after the change. If the user takes back a name, the server chooses the name again. If the
  /// user's name is the same as before, a name that was already fixed stays.
  package var fileName: String? { renames ? specification.output : before.fileName }
}

/// An unfinished move of a part file to another directory. The file is in one of the two directories, or is being
/// copied. If both directories have a file, the one in the job's directory counts.
package struct PartMove: Sendable, Equatable, Codable {
  /// The old directory.
  package var from: DirectoryPlace
  /// The new directory.
  package var to: DirectoryPlace
  /// The state that the job had before the move, and gets again afterwards.
  package var state: JobState

  /// Creates the record of a move.
  package init(from: DirectoryPlace, to: DirectoryPlace, state: JobState) {
    (self.from, self.to, self.state) = (from, to, state)
  }
}

/// What to do with a part file whose move was interrupted.
package enum PartMoveRule: Sendable, Equatable {
  /// Nothing, because the part file is in the job's directory.
  case nothing
  /// Remove the file in the other directory: it is an unfinished copy, or the source of a finished one.
  case remove(from: DirectoryPlace)
  /// Move the file back to the job's directory.
  case giveBack(from: DirectoryPlace)

  /// Decides by the directories in which the part file exists.
  /// - Parameters:
  ///   - place: The directory of the job.
  ///   - isHere: Whether the job's directory has the part file.
  ///   - isThere: Whether the other directory of the move contains a file with the part file's name.
  package static func decide(_ move: PartMove, place: DirectoryPlace, isHere: Bool, isThere: Bool) -> PartMoveRule {
    guard isThere else { return .nothing }
    let other = place == move.to ? move.from : move.to
    return isHere ? .remove(from: other) : .giveBack(from: other)
  }
}
