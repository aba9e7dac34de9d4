// Where the part file of a job is when the job gets another directory, and what is done about it: a pure decision.

/// What becomes of a part file whose job gets another directory.
public enum PartPlacement: Sendable, Equatable {
  /// There is none, or both paths lead to one directory.
  case nothing
  /// It goes along.
  case move
  /// It is there already: its user has moved it.
  case adopt
  /// It cannot be, for this reason.
  case refuse(String, advice: Advice)

  /// What was found.
  public struct Facts: Sendable, Equatable {
    /// Whether both paths lead to one directory.
    public var isSameDirectory = false
    /// Whether it is in the directory that the job has now.
    public var isOld = false
    /// What has its name in the new directory, as of `dray clean`; `nil` for nothing.
    public var new: StrayFacts?
    /// Whether what has its name there says that it is of another job.
    public var isOfAnotherJob = false

    /// Nothing was found.
    public init() {}
  }

  /// Decides.
  /// - Parameters:
  ///   - path: where the part file would be.
  ///   - other: where it was.
  public static func decide(_ facts: Facts, path: String, other: String) -> PartPlacement {
    if facts.isSameDirectory { return .nothing }
    guard let new = facts.new else { return facts.isOld ? .move : .nothing }
    if facts.isOld {
      return .refuse("its part file is there, and in \(other), too", advice: "remove the one that is not wanted")
    }
    if facts.isOfAnotherJob {
      return .refuse("what has the name of its part file there is of another job", advice: "move \(path) away")
    }
    if new.lock == .held { return .refuse("another process is using its part file", advice: "try again later") }
    if case .store(let store, exists: true) = new.owner {
      return .refuse(
        "its part file belongs to the job store in \(store)", advice: "remove the job there, or move that store away")
    }
    if new.isOfAnotherUser {
      return .refuse("its part file belongs to another user", advice: "change the owner of \(path)")
    }
    return .adopt
  }
}
