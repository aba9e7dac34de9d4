// What is done when something has the name of a target: a pure decision.

internal import DrayEngine

/// What follows from the target's name being free or taken.
enum Conflict: Equatable {
  /// Go on; nothing is in the way, or what is there is to be replaced or avoided when the file is published.
  case none
  /// There is nothing to do: the user wants what is there to stay.
  case skip
  /// It cannot be.
  case refuse(Failure)
  /// What is there is of the version that the server has (`--if-changed`).
  case upToDate

  static func decide(_ policy: ConflictPolicy, path: String, exists: Bool, isDirectory: Bool) -> Conflict {
    guard exists else { return .none }
    switch policy {
    case .rename: return .none
    case .skip: return .skip
    case .overwrite where !isDirectory: return .none
    case .overwrite:
      return .refuse(Failure(.file, path, "a directory has that name", advice: "choose another name with \(.output)"))
    case .fail:
      return .refuse(
        Failure(
          .file, path, "the target already exists",
          advice: "use \(.onConflict) rename, overwrite or skip"))
    }
  }

  /// The decision for a name in a directory as it is now, for a job that was added at a time in seconds since 1970.
  static func look(
    _ specification: JobSpecification, at name: String, in directory: TargetDirectory, addedAt: Double
  ) -> Conflict {
    let policy = specification.options.onConflict
    let path = Job.join(directory.path, name)
    let isDirectory = directory.isDirectory(name)
    if let damaged = specification.options.repairs, let found = directory.identity(of: name) {
      if found.isUnchanged(since: damaged) { return .none }
      return .refuse(
        Failure(
          .file, path, "it changed since its repair began, so it is not replaced",
          advice: "move it away, then \(.retry) fetches it again"))
    }
    guard let baseline = specification.request.cache?.ifChanged, directory.exists(name), !isDirectory else {
      return decide(policy, path: path, exists: directory.exists(name), isDirectory: isDirectory)
    }
    if let found = directory.identity(of: name),
      baseline.permitsReplacing(found, named: name, addedAt: addedAt)
    {
      return .none
    }
    return .refuse(
      Failure(
        .file, path, "it changed since it was compared with the server's version, so it is not replaced",
        advice: "repeat the command to compare it again, or use another name with \(.output)"))
  }
}
