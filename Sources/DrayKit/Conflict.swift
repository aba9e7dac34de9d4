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

  static func decide(_ policy: ConflictPolicy, path: String, exists: Bool, isDirectory: Bool) -> Conflict {
    guard exists else { return .none }
    switch policy {
    case .rename: return .none
    case .skip: return .skip
    case .overwrite where !isDirectory: return .none
    case .overwrite:
      return .refuse(Failure(.file, path, "a directory has that name", advice: "choose another with --output"))
    case .fail:
      return .refuse(
        Failure(
          .file, path, "the target exists already",
          advice: "--on-conflict rename, overwrite or skip says what to do about it"))
    }
  }

  /// The decision for a name in a directory as it is now.
  static func look(_ policy: ConflictPolicy, at name: String, in directory: TargetDirectory) -> Conflict {
    decide(
      policy, path: Job.join(directory.path, name), exists: directory.exists(name),
      isDirectory: directory.isDirectory(name))
  }
}
