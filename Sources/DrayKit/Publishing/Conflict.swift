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
  /// What is there is the partial file that the job took over, as it was: it is replaced, and nothing else.
  case replaces

  /// - Parameter isOfAria2: whether aria2 keeps a control file of what is there, so that it is not complete.
  static func decide(
    _ policy: ConflictPolicy, path: String, exists: Bool, isDirectory: Bool, isOfAria2: Bool = false
  ) -> Conflict {
    guard exists else { return .none }
    switch policy {
    case .rename: return .none
    case .skip: return .skip
    case .overwrite where !isDirectory: return .none
    case .overwrite:
      return .refuse(Failure(.file, path, "a directory has that name", advice: "choose another name with \(.output)"))
    case .fail where isOfAria2:
      return .refuse(
        Failure(
          .file, path, "the target already exists, and aria2 has not completed it",
          advice: "\(.adopt) continues it; or use \(.onConflict) rename, overwrite or skip"))
    case .fail where isDirectory:
      return .refuse(
        Failure(
          .file, path, "the target already exists", advice: "use \(.onConflict) rename, overwrite or skip"))
    case .fail:
      return .refuse(
        Failure(
          .file, path, "the target already exists",
          advice: "use \(.onConflict) rename, overwrite or skip; \(.adopt) continues another program's partial file"))
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
    if let adopted = specification.options.adopts,
      let conflict = look(adopted, policy, path, directory.identity(of: name))
    {
      return conflict
    }
    guard let baseline = specification.request.cache?.ifChanged, directory.exists(name), !isDirectory else {
      let exists = directory.exists(name)
      return decide(
        policy, path: path, exists: exists, isDirectory: isDirectory,
        isOfAria2: exists && !isDirectory && directory.exists(name + Adoption.controlSuffix))
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

  /// The decision where the partial file that a job takes over has the name of its target; `nil` if another file has it.
  private static func look(
    _ adopted: Adoption, _ policy: ConflictPolicy, _ path: String, _ found: FileIdentity?
  ) -> Conflict? {
    guard let found, found.isUnchanged(since: adopted.identity) else { return nil }
    if adopted.mayBeReplaced { return .replaces }
    guard policy == .fail, let refusal = adopted.outcome?.refusal else { return nil }
    return .refuse(
      Failure(
        .file, path, "the target already exists, and nothing of it was adopted: \(refusal)",
        advice: "use \(.onConflict) rename, overwrite or skip"))
  }

  /// Whether a name is taken by anything but what the job is to replace.
  static func isTaken(_ name: String, for specification: JobSpecification, in directory: TargetDirectory) -> Bool {
    guard directory.exists(name) else { return false }
    guard let adopted = specification.options.adopts else { return true }
    return look(adopted, .rename, name, directory.identity(of: name)) != .replaces
  }
}
